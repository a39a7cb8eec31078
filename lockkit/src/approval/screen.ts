// A screen as data: what a human is shown before they decide. Built by lock types and the console, turned into
// text, a window or JSON by renderers that know no lock type. Plain strings are static text of the program;
// everything from outside is a type of its own (untrusted.ts). Must never hold functions or styling codes.
import { z } from 'zod';
import { accepted, refused, type Outcome } from '../contract/outcome.js';
import { questionSchema, type Question } from './question.js';
import type { Masked, Untrusted } from './untrusted.js';
import { lineSchema, outsideTextSchema, type Line } from './line.js';

export type { Line, Span } from './line.js';

/** A line that must stand out: shown red where there is colour, and with ▲ always. */
export interface DangerLine {
  readonly kind: 'danger';
  readonly line: Line;
}

export interface Fact {
  readonly label: string;
  readonly value: Line;
}

/** `lines`: one line each. `facts`: label and value in two columns. `text`: a block whose newlines are kept. */
export type Section =
  | { readonly kind: 'lines'; readonly lines: readonly (Line | DangerLine)[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'text'; readonly text: Untrusted | Masked };

export interface Screen {
  readonly title: Line;
  /** Puts the red demo line on the screen. */
  readonly demo?: boolean | undefined;
  /** Who asks: peer and the agent's own words. */
  readonly origin: readonly Line[];
  readonly sections: readonly Section[];
  /** Shown last before the question, each as a danger line. */
  readonly warnings: readonly Line[];
  readonly question?: Question | undefined;
}

const linesSchema = z.array(lineSchema).max(4096);
const dangerSchema = z.strictObject({ kind: z.literal('danger'), line: lineSchema });
const factSchema = z.strictObject({ label: z.string().max(64), value: lineSchema });

const sectionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('lines'), lines: z.array(z.union([lineSchema, dangerSchema])).max(4096) }),
  z.strictObject({ kind: z.literal('facts'), facts: z.array(factSchema).max(4096) }),
  z.strictObject({ kind: z.literal('text'), text: outsideTextSchema }),
]);

/** The shape of a screen on a wire; unknown keys are refused. */
export const screenSchema = z.strictObject({
  title: lineSchema,
  demo: z.boolean().optional(),
  origin: linesSchema,
  sections: z.array(sectionSchema).max(256),
  warnings: linesSchema,
  question: questionSchema.optional(),
});

/** A screen from JSON that crossed a process border, or `E_BAD_SCREEN`. */
export function parseScreen(value: unknown): Outcome<Screen, 'E_BAD_SCREEN'> {
  const parsed = screenSchema.safeParse(value);
  return parsed.success ? accepted(parsed.data as Screen) : refused('E_BAD_SCREEN');
}
