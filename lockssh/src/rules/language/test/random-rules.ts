// Rules and argvs for the property tests, from a seeded generator: few programs and a small alphabet, so that rules
// meet, overlap and climb. Used by tests alone.
import { parseRule } from '../../parse-rule.js';

/** Whole numbers from 0 to below `bound`; the same seed gives the same run (mulberry32). */
export type Random = (bound: number) => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T;
}

const PIECES = [
  ...['a', 'b', 'a', 'b', '.', '..', '/', '/', '-', '+', '--', 'é', '=', 'x'],
  ...['*', '*', '*', '?', '?', '[ab]', '[^a]', '[^/]', '[.-0]', '[b-z]', '[z-a]', '\\a', '\\.', '\\-', '\\*'],
];
const WHOLE = [
  '*',
  '*',
  'a',
  'b',
  '--',
  '-a',
  '..',
  '*/*',
  '../*',
  '.*',
  '-*',
  'a*',
  '*a',
  '[^a]*',
  '?*',
  '[^a-z]',
];

function randomToken(random: Random): string {
  if (random(2) === 0) return pick(random, WHOLE);
  const length = 1 + random(4);
  return Array.from({ length }, () => pick(random, PIECES)).join('');
}

/** A rule that loads: program p or q, up to three tokens, sometimes `**`. */
export function randomRule(random: Random): string {
  for (;;) {
    const tokens = Array.from({ length: random(4) }, () => randomToken(random));
    if (random(4) === 0) tokens.push('**');
    const text = [random(8) === 0 ? 'q' : 'p', ...tokens].join(' ');
    if (parseRule(text).ok) return text;
  }
}

export function randomRules(random: Random, most = 4): readonly string[] {
  return Array.from({ length: random(most + 1) }, () => randomRule(random));
}

/** Another set of rules near the first: some dropped, some changed in one token, some new. */
export function mutateRules(random: Random, rules: readonly string[]): readonly string[] {
  const kept = rules.flatMap((rule) => {
    const fate = random(4);
    if (fate === 0) return [];
    return [fate === 1 ? mutateRule(random, rule) : rule];
  });
  return random(2) === 0 ? kept : [...kept, randomRule(random)];
}

function mutateRule(random: Random, rule: string): string {
  const tokens = rule.split(' ');
  tokens[1 + random(Math.max(1, tokens.length - 1))] = randomToken(random);
  const text = tokens.join(' ');
  return parseRule(text).ok ? text : rule;
}

const CHARACTERS = ['a', 'b', 'x', '.', '/', '-', '+', 'é', '=', '0'];

/** An argument near a token of some rule: stars and classes filled in, then perhaps damaged. */
function argumentLike(random: Random, token: string): string {
  const filled = token
    .replaceAll(/\[[^\]]*\]|\?/g, () => pick(random, CHARACTERS))
    .replaceAll('*', () => Array.from({ length: random(3) }, () => pick(random, CHARACTERS)).join(''))
    .replaceAll('\\', '');
  if (random(3) > 0) return filled;
  const at = random(filled.length + 1);
  return filled.slice(0, at) + pick(random, [...CHARACTERS, '', '..']) + filled.slice(at + random(2));
}

/** An argv near one of the rules. */
export function argvLike(random: Random, rules: readonly string[]): readonly string[] {
  const tokens = rules.length === 0 ? ['p'] : pick(random, rules).split(' ');
  const argv = tokens.flatMap((token, index) => {
    if (index === 0) return [token];
    const count = token === '**' ? random(3) : 1;
    return Array.from({ length: count }, () => argumentLike(random, token));
  });
  if (random(8) === 0) argv.push(pick(random, CHARACTERS));
  return argv;
}

/** Every argument of up to three characters over an alphabet in which the rules above differ. */
export function smallArguments(alphabet: readonly string[], most: number): readonly string[] {
  let longest: readonly string[] = [''];
  const all = [''];
  for (let length = 1; length <= most; length += 1) {
    longest = longest.flatMap((text) => alphabet.map((character) => text + character));
    all.push(...longest);
  }
  return all;
}
