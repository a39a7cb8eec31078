// conformance/judgements.json: cases whose page and report settle nothing, decided otherwise by this project,
// with the reason. Called by main. It must never overrule a case that is not a judgement.
import { readFileSync } from 'node:fs';
import { UserMistake } from 'lockkit/contract';
import { z } from 'zod';
import type { Case } from './case.js';
import type { JsonObject } from './kind.js';

const shape = z.record(
  z.string(),
  z.strictObject({ expected: z.record(z.string(), z.json()), reason: z.string().min(1) }),
);

export type Judgements = ReadonlyMap<string, JsonObject>;

/** The overruled expectations by case id. A missing file overrules nothing; a bad one throws UserMistake. */
export function readJudgements(path: string): Judgements {
  const text = readIfThere(path);
  if (text === undefined) return new Map();
  const parsed = shape.safeParse(parseJson(text));
  if (!parsed.success)
    throw new UserMistake(`${path}: expected {"CASE-ID": {"expected": {…}, "reason": "…"}}`);
  return new Map(Object.entries(parsed.data).map(([id, entry]) => [id, entry.expected]));
}

/** The case with its expectation overruled, where a judgement says so. Throws UserMistake for a settled case. */
export function applyJudgement(judgements: Judgements, item: Case): Case {
  const expected = judgements.get(item.id);
  if (expected === undefined) return item;
  if (!item.judgement)
    throw new UserMistake(`judgements.json: ${item.id} is not a judgement case and cannot be overruled`);
  return { ...item, expected };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
