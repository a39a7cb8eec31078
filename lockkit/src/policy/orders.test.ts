import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languageAsWritten, normalLanguage } from './language.js';
import type { Order } from './order.js';
import {
  extending,
  fewer,
  identity,
  larger,
  more,
  off,
  on,
  smaller,
  someOf,
  stricter,
  towards,
} from './orders.js';
import { sameValue, sortedSet } from './sets.js';

const words = fc.subarray(['a', 'b', 'c']).map((list) => sortedSet(list));
const numbers = fc.integer({ min: 1, max: 5 });
const auto = fc.constantFrom('deny', 'ask', 'auto');
const prefixes = fc.constantFrom('', 'a', 'ab', 'abc', 'b');
const languages = fc.array(words, { maxLength: 3 }).map(normalLanguage);

interface Case<T> {
  readonly order: Order<T>;
  readonly values: fc.Arbitrary<T>;
  /** Every two values have a common lower bound, so that the meet knows no side. */
  readonly lattice: boolean;
}
const one = <T>(order: Order<T>, values: fc.Arbitrary<T>, lattice = true): [string, Case<unknown>] => [
  order.name,
  { order, values, lattice } as Case<unknown>,
];

const cases: readonly [string, Case<unknown>][] = [
  one(identity<string>(), fc.constantFrom('x', 'y', 'z'), false),
  one(smaller, numbers),
  one(larger, numbers),
  one(off, fc.boolean()),
  one(on, fc.boolean()),
  one(more(), words),
  one(fewer<string>(), words),
  one(someOf, fc.oneof(fc.constant('all' as const), words)),
  one(stricter(['deny', 'ask', 'auto']), auto),
  one(towards<string>('ask'), auto, false),
  one(extending, prefixes, false),
  one(languageAsWritten, languages),
];

describe.each(cases)('order %s', (_name, { order, values, lattice }) => {
  const below = (inner: unknown, outer: unknown): boolean =>
    order.compare(outer, inner).direction !== 'loosens';
  const equal = (a: unknown, b: unknown): boolean => order.compare(a, b).direction === 'same';

  it('is reflexive', () => {
    fc.assert(fc.property(values, (a) => equal(a, a)));
  });

  it('is transitive', () => {
    fc.assert(fc.property(values, values, values, (a, b, c) => !below(a, b) || !below(b, c) || below(a, c)));
  });

  it('says same exactly when each side is at most the other', () => {
    fc.assert(fc.property(values, values, (a, b) => equal(a, b) === (below(a, b) && below(b, a))));
  });

  it('never calls both directions of a change a tightening', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const both = [order.compare(a, b).direction, order.compare(b, a).direction];
        expect(both).not.toEqual(['tightens', 'tightens']);
      }),
    );
  });

  it('meets below the approved value, idempotently, and stays there', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const met = order.meet(a, b);
        expect(below(met, a)).toBe(true);
        expect(equal(order.meet(a, a), a)).toBe(true);
        expect(equal(order.meet(met, b), met)).toBe(true);
      }),
    );
  });

  it('meets at a value that tightens the approved one as soon as the other does', () => {
    fc.assert(fc.property(values, values, (a, b) => !below(b, a) || equal(order.meet(a, b), b)));
  });

  if (lattice)
    it('meets below both, the same from either side and in any order', () => {
      fc.assert(
        fc.property(values, values, values, (a, b, c) => {
          expect(below(order.meet(a, b), b)).toBe(true);
          expect(equal(order.meet(a, b), order.meet(b, a))).toBe(true);
          expect(equal(order.meet(order.meet(a, b), c), order.meet(a, order.meet(b, c)))).toBe(true);
        }),
      );
    });

  if (lattice)
    it('meets at the greatest of the values below both', () => {
      fc.assert(
        fc.property(
          values,
          values,
          values,
          (a, b, c) => !below(c, a) || !below(c, b) || below(c, order.meet(a, b)),
        ),
      );
    });
});

describe('stricter', () => {
  const order = stricter<string>(['deny', 'ask', 'auto']);
  it('loosens to and from a word that it does not know', () => {
    expect(order.compare('ask', 'never').direction).toBe('loosens');
    expect(order.compare('never', 'deny').direction).toBe('loosens');
  });
});

describe('someOf', () => {
  it('never turns a meet without common elements into all', () => {
    expect(someOf.meet(['a'], ['b'])).toEqual([]);
    expect(someOf.compare([], 'all').direction).toBe('loosens');
  });
});

describe('languageAsWritten', () => {
  it('takes no set at all as allowing nothing', () => {
    expect(languageAsWritten.compare([], [['ls']]).direction).toBe('loosens');
    expect(sameValue(languageAsWritten.meet([], [['ls']]), [[]])).toBe(true);
  });
  it('loosens when one rule goes and another comes, and meets without both', () => {
    expect(languageAsWritten.compare([['a', 'b']], [['b', 'c']]).direction).toBe('loosens');
    expect(languageAsWritten.meet([['a', 'b']], [['b', 'c']])).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
  });
});
