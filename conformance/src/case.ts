// One case of a case file: id, area, input, expected, why. Called by the reader of case files.
// A line is data written by somebody else: whatever it holds, the outcome is a case or a sentence, never a crash.
import { z } from 'zod';
import type { JsonObject } from './kind.js';

/** `area` groups the report; `input.kind` chooses who runs it; `judgement` = a `why` that starts with `JUDGEMENT:`. */
export interface Case {
  readonly id: string;
  readonly area: string;
  readonly kind: string;
  readonly input: JsonObject;
  readonly expected: JsonObject;
  readonly judgement: boolean;
  /** `FILE:LINE`, for a human. */
  readonly place: string;
}

/** A line that is no case: where, its id where it has one, and one sentence. */
export interface BadCase {
  readonly id: string;
  readonly area: string;
  readonly reason: string;
}

export type CaseLine =
  { readonly kind: 'case'; readonly case: Case } | { readonly kind: 'bad'; readonly bad: BadCase };

const jsonObject = z.record(z.string(), z.json());
const shape = z.object({
  id: z.string().min(1).max(200),
  area: z.string().min(1).max(100).optional(),
  input: jsonObject.and(z.object({ kind: z.string().min(1).max(100) })),
  expected: jsonObject,
  why: z.string().optional(),
});

/** Area of what has none of its own. */
export const UNKNOWN_AREA = '?';

/** One line of a case file. `place` stands in for the id where the line has none. */
export function parseCaseLine(line: string, place: string): CaseLine {
  const raw = parseJson(line);
  if (raw === undefined) return bad(place, UNKNOWN_AREA, `${place}: the line is not JSON`);
  const parsed = shape.safeParse(raw);
  if (parsed.success) {
    const { id, area, input, expected, why } = parsed.data;
    const judgement = (why ?? '').startsWith('JUDGEMENT:');
    return {
      kind: 'case',
      case: { id, area: area ?? areaOf(id), kind: input.kind, input, expected, judgement, place },
    };
  }
  const id = stringField(raw, 'id') ?? place;
  return bad(id, stringField(raw, 'area') ?? areaOf(id), `${place}: ${whatIsMissing(raw)}`);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function bad(id: string, area: string, reason: string): CaseLine {
  return { kind: 'bad', bad: { id, area, reason } };
}

function areaOf(id: string): string {
  return /^([A-Z][0-9]{1,3})-/.exec(id)?.[1] ?? UNKNOWN_AREA;
}

function stringField(raw: unknown, name: string): string | undefined {
  if (typeof raw !== 'object' || raw === null || !Object.hasOwn(raw, name)) return undefined;
  const value = (raw as Record<string, unknown>)[name];
  return typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : undefined;
}

function whatIsMissing(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return 'the line is not a JSON object';
  if (stringField(raw, 'id') === undefined) return 'the case has no id';
  const input = (raw as Record<string, unknown>)['input'];
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return 'the case has no input object';
  if (stringField(input, 'kind') === undefined) return 'the input of the case has no kind';
  return 'the case has no expected object';
}
