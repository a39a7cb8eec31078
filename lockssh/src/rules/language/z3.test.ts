// The order of allow rules held against z3, which knows nothing of this code.
import { describe, expect, it } from 'vitest';
import { allowOrder } from './allow-order.js';
import { mutateRules, randomRules, seededRandom } from './test/random-rules.js';
import { askZ3, hasZ3 } from './test/z3.js';

const SAMPLE = Number(process.env['RULES_Z3_PAIRS'] ?? 60);
const present = hasZ3();

describe.skipIf(!present && process.env['CI'] !== 'true')('allowOrder.compare against z3', () => {
  it('z3 is installed', () => {
    expect(present).toBe(true);
  });

  it('agrees on whether a new set of rules allows more', { timeout: 300_000 }, () => {
    const random = seededRandom(77);
    const pairs = Array.from({ length: SAMPLE }, () => {
      const before = Array.from({ length: random(5) === 0 ? 2 : 1 }, () => randomRules(random));
      return { before, after: before.map((set) => mutateRules(random, set)) };
    });
    const answers = askZ3(pairs);
    expect(answers).toHaveLength(pairs.length);
    const disagreements = pairs.filter(({ before, after }, index) => {
      const loosens = allowOrder.compare(before, after).direction === 'loosens';
      return answers[index] !== 'unknown' && (answers[index] === 'sat') !== loosens;
    });
    expect(disagreements).toEqual([]);
    const decided = answers.filter((answer) => answer !== 'unknown');
    expect(decided.length).toBeGreaterThan(SAMPLE / 2);
    expect(new Set(decided).size).toBe(2);
  });
});
