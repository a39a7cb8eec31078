import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expandInput } from '../generators.js';
import type { JsonObject } from '../kind.js';
import { kinds } from './a7-policy-toml.js';

interface Case {
  readonly id: string;
  readonly input: JsonObject;
  readonly expected: JsonObject;
  readonly why: string;
}

const path = fileURLToPath(new URL('../../cases/a7-policy-toml.jsonl', import.meta.url));
const cases = readFileSync(path, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

describe('A7: does the policy load', () => {
  for (const { id, input, expected, why } of cases) {
    const kind = kinds[String(input['kind'])];
    if (kind === undefined) continue;
    it(`${id}: ${why}`, async () => {
      const expanded = expandInput(input);
      expect(kind.judge(expanded, expected, await kind.run(expanded))).toBeNull();
    });
  }
});
