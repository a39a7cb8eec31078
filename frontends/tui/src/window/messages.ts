// The one row above the answer: what can be typed now, or why the last line did not count. Static text of ours.
import { untrusted, type Line } from 'lockkit/approval';

export interface Message {
  readonly line: Line;
  readonly danger: boolean;
}

const MOVE = '↑↓ choose · PgUp PgDn read · ? help';

const hint = (text: string): Message => ({ line: [text], danger: false });
const warn = (text: string): Message => ({ line: [`▲ ${text}`], danger: true });

export const MESSAGES = {
  idle: hint(`nothing is chosen: ? and Enter lists what you can type`),
  page: hint(`Enter closes this page · ${MOVE}`),
  yes_no: hint(`y approves · n REASON denies · Enter alone denies · ${MOVE}`),
  typed: hint(`type exactly what is asked · n REASON denies · ${MOVE}`),
  secret: hint(`what you type is not shown · Enter alone is a no · ${MOVE}`),
  spoiled: warn('that did not count (too early, pasted, or among other keys): type it again'),
  unread: warn('not yet: read the screen to its end first (PgDn)'),
  hidden: warn('this cannot be approved: not all of it can be shown; n REASON denies'),
  unknown: warn('no such command here: ? and Enter lists them'),
} as const satisfies Readonly<Record<string, Message>>;

/** Several consoles know the command: the human names one. */
export function whichMessage(names: readonly string[]): Message {
  return { line: ['▲ say whose, as in `:review NAME`: ', untrusted(names.join(' '))], danger: true };
}
