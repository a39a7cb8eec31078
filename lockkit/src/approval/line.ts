// A line of a screen: pieces that are either static text of ours or text from outside, each of its own type.
// Used by screens and questions; the schemas are what a line must look like on a wire.
import { z } from 'zod';
import type { Argv, Masked, Untrusted } from './untrusted.js';

/** A piece of a line. A plain string is static text of ours; it is still shown as visible text. */
export type Span = string | Untrusted | Masked | Argv;
export type Line = readonly Span[];

export const outsideTextSchema = z.strictObject({ kind: z.enum(['untrusted', 'masked']), text: z.string() });
const argvSchema = z.strictObject({ kind: z.literal('argv'), argv: z.array(z.string()).max(256) });
const spanSchema = z.union([z.string(), outsideTextSchema, argvSchema]);

export const lineSchema = z.array(spanSchema).max(256);
