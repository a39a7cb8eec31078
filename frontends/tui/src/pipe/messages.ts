// The window protocol, version 1 (docs/window-protocol.md): the lines that a console and the window that started it
// write to each other. Both sides decode strictly: a line that is none of these ends the console. Called by pipe-human.ts
// and console-pipe.ts only.
import {
  parseScreen,
  type Answer,
  type CommandName,
  type ConsoleStatus,
  type Line,
  type QuestionAbout,
  type Screen,
} from 'lockkit/approval';
import { accepted, refused, type Outcome } from 'lockkit/contract';
import { z } from 'zod';

export const WINDOW_PROTOCOL = 1;
/** One line without its LF. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** Questions of one console that may wait at once. */
export const MAX_OPEN_QUESTIONS = 512;

const COMMAND_NAMES = [':review', ':status', ':quit', ':results', ':unmask', ':reopen', ':help'] as const;

export type FromConsole =
  | {
      readonly kind: 'hello';
      readonly v: number;
      readonly lock: string;
      readonly instance: string;
      readonly profile: string;
    }
  | { readonly kind: 'ask'; readonly id: number; readonly screen: Screen; readonly about: QuestionAbout }
  | { readonly kind: 'withdraw'; readonly id: number; readonly why: 'withdrawn' | 'no_answer' }
  | { readonly kind: 'show'; readonly id: number; readonly screen: Screen }
  | { readonly kind: 'note'; readonly line: Line }
  | { readonly kind: 'ticket_key'; readonly key: string }
  | { readonly kind: 'commands'; readonly names: readonly CommandName[] }
  | { readonly kind: 'status'; readonly status: ConsoleStatus };

export type ToConsole =
  | { readonly kind: 'hello'; readonly v: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'command'; readonly name: CommandName; readonly argument: string };

const id = z.int().min(1);
/** A screen is checked by its own schema, behind the shape of the message. */
const screen = z.record(z.string(), z.unknown());
const name = z.string().max(128);
const about = z.strictObject({
  ticket: z
    .string()
    .regex(/^t_[0-9A-HJKMNP-TV-Z]{16}$/)
    .optional(),
  kind: z
    .string()
    .regex(/^[a-z-]{1,16}$/)
    .optional(),
  risk: z
    .string()
    .regex(/^[a-z-]{1,16}$/)
    .optional(),
});
const status = z.strictObject({
  lock: name,
  instance: name,
  profile: name,
  production: z.boolean(),
  desktopLevel: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  idleInS: z.number(),
  sessionEndsInS: z.number(),
  policy: z.enum(['approved', 'pending']),
});

const fromConsole = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('hello'), v: z.int(), lock: name, instance: name, profile: name }),
  z.strictObject({ kind: z.literal('ask'), id, screen, about }),
  z.strictObject({ kind: z.literal('withdraw'), id, why: z.enum(['withdrawn', 'no_answer']) }),
  z.strictObject({ kind: z.literal('show'), id, screen }),
  z.strictObject({ kind: z.literal('note'), line: z.array(z.unknown()) }),
  z.strictObject({ kind: z.literal('ticket_key'), key: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }),
  z.strictObject({ kind: z.literal('commands'), names: z.array(z.enum(COMMAND_NAMES)).max(16) }),
  z.strictObject({ kind: z.literal('status'), status }),
]);

const answer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('yes') }),
  z.strictObject({ kind: z.literal('no'), reason: z.string().min(1).max(2000).optional() }),
  z.strictObject({ kind: z.literal('withdrawn') }),
  // A secret's bytes, in base64.
  z.strictObject({ kind: z.literal('secret'), value: z.base64().max(96 * 1024) }),
]);

const toConsole = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('hello'), v: z.int() }),
  z.strictObject({ kind: z.literal('answer'), id, answer }),
  z.strictObject({ kind: z.literal('command'), name: z.enum(COMMAND_NAMES), argument: z.string().max(4096) }),
]);

export type BadMessage = 'E_BAD_MESSAGE';

function decode<T>(schema: z.ZodType<T>, line: Uint8Array): Outcome<T, BadMessage> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? accepted(parsed.data) : refused('E_BAD_MESSAGE');
  } catch {
    return refused('E_BAD_MESSAGE');
  }
}

/** One line of a console, or `E_BAD_MESSAGE`: the console must be ended. */
export function parseFromConsole(line: Uint8Array): Outcome<FromConsole, BadMessage> {
  const decoded = decode(fromConsole, line);
  if (!decoded.ok) return decoded;
  const message = decoded.value;
  if (message.kind === 'note') return parseNote(message.line);
  if (message.kind !== 'ask' && message.kind !== 'show') return accepted(message);
  const screened = parseScreen(message.screen);
  if (!screened.ok) return refused('E_BAD_MESSAGE');
  const asks = screened.value.question !== undefined;
  if (asks !== (message.kind === 'ask')) return refused('E_BAD_MESSAGE');
  return accepted({ ...message, screen: screened.value });
}

/** A line of news has the shape of a screen's title. */
function parseNote(line: unknown): Outcome<FromConsole, BadMessage> {
  const screened = parseScreen({ title: line, origin: [], sections: [], warnings: [] });
  return screened.ok ? accepted({ kind: 'note', line: screened.value.title }) : refused('E_BAD_MESSAGE');
}

/** One line of the window, or `E_BAD_MESSAGE`: the console must end. The bytes of a secret are the caller's to wipe. */
export function parseToConsole(line: Uint8Array): Outcome<ToConsole, BadMessage> {
  const decoded = decode(toConsole, line);
  if (!decoded.ok) return decoded;
  const message = decoded.value;
  if (message.kind !== 'answer') return accepted(message);
  const { answer: given } = message;
  if (given.kind === 'secret')
    return accepted({
      ...message,
      answer: { kind: 'secret', value: Uint8Array.from(Buffer.from(given.value, 'base64')) },
    });
  if (given.kind === 'no' && given.reason !== undefined)
    return accepted({ ...message, answer: { kind: 'no', reason: given.reason } });
  return accepted({ ...message, answer: { kind: given.kind } });
}

export function encodeFromConsole(message: FromConsole): string {
  return `${JSON.stringify(message)}\n`;
}

export function encodeToConsole(message: ToConsole): string {
  if (message.kind !== 'answer' || message.answer.kind !== 'secret') return `${JSON.stringify(message)}\n`;
  const value = Buffer.from(message.answer.value).toString('base64');
  return `${JSON.stringify({ ...message, answer: { kind: 'secret', value } })}\n`;
}
