// The order of allow rules held against the evaluator: what it proves and what it shows must be true of real argvs.
// RULES_PAIRS sets the number of pairs (a nightly run takes 1000000), RULES_SEED the run.
import { describe, expect, it } from 'vitest';
import { checkArgv } from '../check-argv.js';
import { allowOrder } from './allow-order.js';
import { matchLanguage, openLanguage } from './open-language.js';
import {
  argvLike,
  mutateRules,
  randomRules,
  seededRandom,
  smallArguments,
  type Random,
} from './test/random-rules.js';

const PAIRS = Number(process.env['RULES_PAIRS'] ?? 10_000);
const SEED = Number(process.env['RULES_SEED'] ?? 20_240_607);

type Language = readonly (readonly string[])[];

function allows(language: Language): (argv: readonly string[]) => boolean {
  const opened = openLanguage(language);
  return (argv) => matchLanguage(opened, argv).kind === 'match';
}

function randomLanguage(random: Random): Language {
  return Array.from({ length: random(6) === 0 ? 2 : 1 }, () => randomRules(random));
}

function nearby(random: Random, language: Language): Language {
  if (random(5) === 0) return randomLanguage(random);
  return language.map((set) => mutateRules(random, set));
}

/** null, or what is wrong with the answer. */
function contradiction(random: Random, before: Language, after: Language): string | null {
  const [old, next] = [allows(before), allows(after)];
  const { direction, witness, limit } = allowOrder.compare(before, after);
  if (limit !== undefined) return 'a limit for small rules';
  if (direction === 'loosens') {
    if (witness === undefined) return 'no witness';
    if (!checkArgv(witness).ok) return `a witness that cannot be sent: ${JSON.stringify(witness)}`;
    return next(witness) && !old(witness) ? null : `a false witness: ${JSON.stringify(witness)}`;
  }
  const rules = [...before, ...after].flat();
  for (let tries = 0; tries < 24; tries += 1) {
    const argv = argvLike(random, rules);
    if (!checkArgv(argv).ok) continue;
    if (next(argv) && !old(argv)) return `${direction}, but newly allows ${JSON.stringify(argv)}`;
    if (direction === 'same' && old(argv) && !next(argv)) return `same, but refuses ${JSON.stringify(argv)}`;
  }
  return null;
}

describe('allowOrder.compare against the evaluator', () => {
  it(`tells no lie about ${String(PAIRS)} pairs`, { timeout: 3_600_000 }, () => {
    const random = seededRandom(SEED);
    const counts = { same: 0, tightens: 0, loosens: 0 };
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const before = randomLanguage(random);
      const after = nearby(random, before);
      const wrong = contradiction(random, before, after);
      if (wrong !== null) expect.fail(`${JSON.stringify({ before, after })}: ${wrong}`);
      counts[allowOrder.compare(before, after).direction] += 1;
    }
    console.log(JSON.stringify({ pairs: PAIRS, seed: SEED, ...counts }));
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(PAIRS / 100);
  });

  it('is exact, and its witness shortest, over every small argv', () => {
    const random = seededRandom(SEED + 1);
    const args = smallArguments(['a', 'b', '.', '/', '-', 'é'], 3);
    const argvs = ['p', 'q'].flatMap((program) => [[program], ...args.map((arg) => [program, arg])]);
    for (let pair = 0; pair < 300; pair += 1) {
      const before = randomLanguage(random);
      const after = nearby(random, before);
      const [old, next] = [allows(before), allows(after)];
      const found = argvs.find((argv) => checkArgv(argv).ok && next(argv) && !old(argv));
      if (found === undefined) continue;
      const { direction, witness = [] } = allowOrder.compare(before, after);
      const text = JSON.stringify({ before, after, found, witness });
      expect(direction, text).toBe('loosens');
      expect(sizeOf(witness) <= sizeOf(found), text).toBe(true);
    }
  });
});

/** Fewer arguments first, then fewer bytes. */
function sizeOf(argv: readonly string[]): number {
  return argv.length * 100_000 + Buffer.byteLength(argv.join(''));
}
