import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitToken } from '../match-token.js';
import { codePointsOf } from '../plain-text.js';
import { parseRule } from '../parse-rule.js';
import type { Token } from '../token.js';
import { Effort } from './effort.js';
import { Machine, nextDots, type Dots, type State } from './machine.js';
import { argvLike, randomRule, seededRandom, smallArguments } from './test/random-rules.js';

function accepts(token: Token, argument: string): boolean {
  const machine = new Machine(token, new Effort());
  let state: State | null = machine.start;
  let dots: Dots = 0;
  for (const codePoint of codePointsOf(argument)) {
    state = state === null ? null : machine.move(state, codePoint, dots);
    dots = nextDots(dots, codePoint);
  }
  return state !== null && machine.accepts(state, dots);
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const small = smallArguments(['a', 'b', '.', '/', '-', '+', 'é'], 3);

function tokensOf(seed: number): { readonly tokens: readonly Token[]; readonly near: readonly string[] } {
  const random = seededRandom(seed);
  const rule = randomRule(random);
  const parsed = parseRule(rule);
  const near = Array.from({ length: 20 }, () => argvLike(random, [rule])).flatMap((argv) => argv.slice(1));
  return { tokens: parsed.ok ? parsed.rule.tokens : [], near };
}

describe('Machine', () => {
  it('agrees with fitToken on every small argument and on arguments near the token', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { tokens, near } = tokensOf(seed);
        for (const token of tokens) {
          const wrong = [...small, ...near].filter(
            (text) => accepts(token, text) !== (fitToken(token, text) === 'fits'),
          );
          expect(wrong, JSON.stringify(token)).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('covers: what matches from the inner state matches from the outer one', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const token of tokensOf(seed).tokens) expect(falseCover(token)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });
});

/** Two small arguments whose states cover each other wrongly, or null. */
function falseCover(token: Token): string | null {
  const machine = new Machine(token, new Effort());
  const reached = small.flatMap((text) => reach(machine, text));
  const endings = smallArguments(['a', '.', '/'], 2);
  for (const inner of reached.slice(0, 60)) {
    for (const outer of reached.slice(0, 60)) {
      if (inner.dots !== outer.dots || !machine.covers(outer.state, inner.state)) continue;
      const wrong = endings.find((end) => ends(machine, inner, end) && !ends(machine, outer, end));
      if (wrong !== undefined) return JSON.stringify([token, inner.text, outer.text, wrong]);
    }
  }
  return null;
}

interface Reached {
  readonly text: string;
  readonly state: State;
  readonly dots: Dots;
}

function reach(machine: Machine, text: string, from?: Reached): readonly Reached[] {
  let state: State | null = from?.state ?? machine.start;
  let dots: Dots = from?.dots ?? 0;
  for (const codePoint of codePointsOf(text)) {
    if (state !== null) state = machine.move(state, codePoint, dots);
    dots = nextDots(dots, codePoint);
  }
  return state === null ? [] : [{ text, state, dots }];
}

function ends(machine: Machine, from: Reached, text: string): boolean {
  return reach(machine, text, from).some(({ state, dots }) => machine.accepts(state, dots));
}
