import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.js';

const NAMES = ['status', 'run', 'mask', 'policy', 'pii', 'request', 'version'];

describe('nearestName', () => {
  it.each([
    ['statis', 'status'],
    ['stauts', 'status'],
    ['satus', 'status'],
    ['runn', 'run'],
    ['urn', 'run'],
    ['polcy', 'policy'],
    ['verison', 'version'],
  ])('%s is probably %s', (typed, name) => {
    expect(nearestName(typed, NAMES)).toBe(name);
  });

  it.each(['', 'x', 'delete', 'st', 'STATUS', '-rf', 's'.repeat(1_000_000)])(
    'guesses nothing for what is far from all: %#',
    (typed) => {
      expect(nearestName(typed, NAMES)).toBeUndefined();
    },
  );
});
