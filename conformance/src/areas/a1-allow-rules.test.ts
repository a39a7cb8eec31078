import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expandInput } from '../generators.js';
import type { JsonObject } from '../kind.js';
import { kinds } from './a1-allow-rules.js';

interface Case {
  readonly id: string;
  readonly input: JsonObject;
  readonly expected: JsonObject;
  readonly why: string;
}

const path = fileURLToPath(new URL('../../cases/a1-allow-rules.jsonl', import.meta.url));
const cases = readFileSync(path, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

describe('A1: allow rules', () => {
  it('has a kind for every case', () => {
    const unknown = cases.filter(({ input }) => kinds[String(input['kind'])] === undefined);
    expect(unknown.map(({ id }) => id)).toEqual([]);
  });

  for (const { id, input, expected, why } of cases) {
    it(`${id}: ${why}`, async () => {
      const expanded = expandInput(input);
      const kind = kinds[String(input['kind'])];
      expect(kind?.judge(expanded, expected, await kind.run(expanded))).toBeNull();
    });
  }

  it('judge: an answer without the key fails', () => {
    expect(kinds['rule']?.judge({}, { match: true }, {})).toContain('match');
    expect(kinds['rule']?.judge({}, { match: true }, null)).toContain('match');
  });
});
