// What a screen asks, and what a typed line means for it. Called by every form of the human (terminal, window, hub).
// A line that is not the exact answer is a no; nothing here may ever turn silence, a paste or a near miss into a yes.
import { z } from 'zod';
import { lineSchema, type Line } from './line.js';

/** `y` approves, `n REASON` denies, Enter alone denies. */
export interface YesNoQuestion {
  readonly kind: 'yes_no';
  /** Static text; default `Approve?`. Shown with `[y/N]`. */
  readonly prompt?: string | undefined;
}

/** Exactly `expected` approves (`yes`, `continue`, a profile's name, the end of a fingerprint). It is not shown by
 * the renderer: the prompt says what to type. */
export interface TypedQuestion {
  readonly kind: 'typed';
  readonly prompt: Line;
  readonly expected: string;
}

/** A secret or a value that is typed without echo. */
export interface SecretQuestion {
  readonly kind: 'secret';
  readonly prompt: Line;
  readonly maxBytes: number;
  readonly allowEmpty?: boolean | undefined;
}

export type Question = YesNoQuestion | TypedQuestion | SecretQuestion;

export type Answer =
  | { readonly kind: 'yes' }
  | { readonly kind: 'no'; readonly reason?: string }
  | { readonly kind: 'secret'; readonly value: Uint8Array }
  | { readonly kind: 'no_answer' }
  | { readonly kind: 'withdrawn' };

export const questionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('yes_no'), prompt: z.string().optional() }),
  z.strictObject({ kind: z.literal('typed'), prompt: lineSchema, expected: z.string().min(1).max(256) }),
  z.strictObject({
    kind: z.literal('secret'),
    prompt: lineSchema,
    maxBytes: z.int().positive().max(65536),
    allowEmpty: z.boolean().optional(),
  }),
]);

const MAX_REASON_CHARACTERS = 500;

/**
 * What the bytes of one typed line (without its Enter) answer. Bytes that are no UTF-8 answer no.
 * A secret keeps its bytes as typed; one that is empty or too long is a no.
 */
export function parseAnswer(question: Question, line: Uint8Array | string): Answer {
  const bytes = typeof line === 'string' ? new TextEncoder().encode(line) : line;
  if (question.kind === 'secret') return parseSecret(question, bytes);
  const text = decodeLine(bytes);
  if (text === null) return { kind: 'no' };
  const denial = parseDenial(text);
  if (denial !== null) return denial;
  if (question.kind === 'yes_no') return text === 'y' || text === 'Y' ? { kind: 'yes' } : { kind: 'no' };
  return text === question.expected && text !== '' ? { kind: 'yes' } : { kind: 'no' };
}

function parseSecret(question: SecretQuestion, bytes: Uint8Array): Answer {
  if (bytes.length === 0 && question.allowEmpty !== true) return { kind: 'no' };
  if (bytes.length > question.maxBytes) return { kind: 'no' };
  return { kind: 'secret', value: Uint8Array.from(bytes) };
}

function decodeLine(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** `n` or `n REASON`, in either case: a no, whatever the question expects. */
function parseDenial(text: string): Answer | null {
  const match = /^n(?:[ \t]+(.*))?$/isu.exec(text);
  if (match === null) return null;
  const reason = [...(match[1] ?? '').trim()].slice(0, MAX_REASON_CHARACTERS).join('');
  return reason === '' ? { kind: 'no' } : { kind: 'no', reason };
}
