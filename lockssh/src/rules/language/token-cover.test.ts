import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitRule } from '../match-rules.js';
import { parseRule, type Rule } from '../parse-rule.js';
import { shapeOf } from './shape.js';
import { argvLike, mutateRules, randomRule, seededRandom } from './test/random-rules.js';
import { coversShape } from './token-cover.js';

function ruleOf(text: string): Rule {
  const parsed = parseRule(text);
  if (!parsed.ok) throw new Error(parsed.reason.code);
  return parsed.rule;
}

const covers = (outer: string, inner: string): boolean =>
  coversShape(shapeOf(ruleOf(outer)), shapeOf(ruleOf(inner)));

describe('coversShape', () => {
  it('never covers a rule that matches an argv more', () => {
    let covered = 0;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
        const random = seededRandom(seed);
        const inner = randomRule(random);
        const outer = mutateRules(random, [inner, inner])[0] ?? randomRule(random);
        if (ruleOf(inner).program !== ruleOf(outer).program || !covers(outer, inner)) return;
        covered += 1;
        for (let tries = 0; tries < 30; tries += 1) {
          const argv = argvLike(random, [inner]);
          if (fitRule(ruleOf(inner), argv).kind !== 'match') continue;
          expect(fitRule(ruleOf(outer), argv).kind, JSON.stringify({ outer, inner, argv })).toBe('match');
        }
      }),
      { numRuns: 2000 },
    );
    expect(covered).toBeGreaterThan(50);
  });

  it.each([
    ['p *', 'p a*b', true],
    ['p *', 'p -a', false],
    ['p -*', 'p -[ab]', true],
    ['p *', 'p -*', false],
    ['p *', 'p [+-a]', true],
    ['p [+-a]', 'p -[a]', false],
    ['p */..', 'p a/..', true],
    ['p */*', 'p ../*', false],
    ['p **', 'p a */b', true],
    ['p **', 'p ../a', false],
    ['p **', 'p -- *', false],
    ['p -- **', 'p -- * **', true],
    ['p -* **', 'p -- **', false],
    ['p * **', 'p **', false],
    ['p [a-f]?', 'p [b-c]x', true],
    ['p ?', 'p [^a]', true],
  ])('%s covers %s: %s', (outer, inner, expected) => {
    expect(covers(outer, inner)).toBe(expected);
  });
});
