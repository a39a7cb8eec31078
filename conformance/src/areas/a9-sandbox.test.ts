import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../kind.js';
import { kinds } from './a9-sandbox.js';

interface Case {
  readonly id: string;
  readonly input: JsonObject;
  readonly expected: JsonObject;
}

const near = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const judgements = JSON.parse(near('../../judgements.json')) as Record<string, { expected: JsonObject }>;
const cases = near('../../cases/a9-sandbox.jsonl')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

describe('A9: attempts inside a plugin', () => {
  for (const { id, input, expected } of cases)
    it(`${id}: ${String(input['attempt'])}`, async () => {
      const { sandbox } = kinds;
      const wanted = judgements[id]?.expected ?? expected;
      const got = await sandbox?.run(input);
      expect(sandbox?.judge(input, wanted, got ?? null)).toBeNull();
    });
});
