import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expandInput } from '../generators.js';
import type { JsonObject } from '../kind.js';
import { kinds } from './a3-masking.js';

interface Case {
  readonly id: string;
  readonly input: JsonObject;
  readonly expected: JsonObject;
}

const cases = readFileSync(new URL('../../cases/a3-masking.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('a3-masking cases', () => {
  for (const { id, input, expected } of cases) {
    const kind = kinds[String(input['kind'])];
    if (kind === undefined) continue;
    it(`${id} ${String(input['kind'])}`, async () => {
      const got = await kind.run(expandInput(input));
      expect(kind.judge(expandInput(input), expected, got), JSON.stringify(got).slice(0, 300)).toBeNull();
    });
  }
});
