// Tokens that are known by their shape alone, wherever they stand. Hangs on their prefixes; each shape is tried once
// per prefix, on a bounded number of characters. The table is token-shapes.ts.
import { isWord } from '../../characters.js';
import type { Emit, View } from '../../detector.js';
import { entropyOf } from './not-a-secret.js';
import { isPublishedSample } from './published-samples.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';
import type { TokenShape } from './token-shape.js';
import { TOKEN_SHAPES } from './token-shapes.js';

const DEFAULT_ENTROPY = 2.4;
/** Prefixes that end in a marker: what is hidden begins before them. */
const BODIES = TOKEN_SHAPES.map((shape) => new RegExp(shape.body, 'y'));
const AZURE_SECRET = 'q~';
const FACEBOOK_APP = '|';
const TELEGRAM_BOT = ':aa';

export const tokens: SecretFinder = {
  literals: [
    ...TOKEN_SHAPES.map((shape) => shape.prefix.toLowerCase()),
    AZURE_SECRET,
    FACEBOOK_APP,
    TELEGRAM_BOT,
  ],
  open: openTokens,
};

function openTokens(view: View, emit: Emit): SecretLook {
  return {
    literal: (index, start, end) => {
      const shape = TOKEN_SHAPES[index];
      if (shape !== undefined) shapedToken(view, shape, BODIES[index] as RegExp, start, end, emit);
      else if (index === TOKEN_SHAPES.length) azureSecret(view, start, end, emit);
      else if (index === TOKEN_SHAPES.length + 1) facebookAppToken(view, start, end, emit);
      else telegramToken(view, start, emit);
    },
  };
}

function shapedToken(
  view: View,
  shape: TokenShape,
  body: RegExp,
  start: number,
  end: number,
  emit: Emit,
): void {
  if (!shape.glued && isWord(view.bytes[start - 1])) return;
  if (shape.prefix !== view.text.slice(start, end) && shape.prefix !== 'contribsys__com') return;
  body.lastIndex = end;
  const match = body.exec(view.text);
  if (match === null) return;
  const from =
    shape.prefix === '_mmk'
      ? maxMindStart(view, start)
      : shape.prefix === '.atlasv1.'
        ? wordStart(view, start)
        : start;
  if (from === undefined) return;
  const to = end + match[0].length;
  const value = view.text.slice(from, to);
  if (
    entropyOf(value) < (shape.minEntropy ?? DEFAULT_ENTROPY) ||
    isElided(view, to) ||
    isPublishedSample(value)
  )
    return;
  emit(valueStart(shape, start, from, value), to, `token: ${shape.issuer}`);
}

/** Of a webhook URL the host stays readable, of a setting its name. */
function valueStart(shape: TokenShape, start: number, from: number, value: string): number {
  if (shape.prefix === 'contribsys__com') return start + value.search(/[a-f0-9]{8}:/);
  return shape.glued && shape.prefix.includes('/') ? start + shape.prefix.length : from;
}

function isElided(view: View, to: number): boolean {
  return view.text.startsWith('...', to);
}

function maxMindStart(view: View, start: number): number | undefined {
  const before = /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}$/.exec(view.text.slice(Math.max(0, start - 36), start));
  return before === null ? undefined : start - 36;
}

function wordStart(view: View, start: number): number {
  let from = start;
  while (start - from < 32 && isWord(view.bytes[from - 1])) from -= 1;
  return from;
}

/** Azure AD: three characters, a digit, `Q~` and 31 to 34 more. */
function azureSecret(view: View, start: number, end: number, emit: Emit): void {
  const from = start - 4;
  if (from < 0 || view.text[start] !== 'Q' || !/^[A-Za-z0-9_~.]{3}\d$/.test(view.text.slice(from, start)))
    return;
  const rest = /^[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/.exec(view.text.slice(end, end + 36))?.[0];
  if (rest === undefined || !/^$|[\\'"`\s>=:(,[{|]/.test(view.text.slice(Math.max(0, from - 1), from)))
    return;
  if (entropyOf(view.text.slice(from, end) + rest) >= DEFAULT_ENTROPY)
    emit(from, end + rest.length, 'token: Azure AD');
}

/** An app's number, a bar, and its token. */
function facebookAppToken(view: View, start: number, end: number, emit: Emit): void {
  const app = /(?:^|\D)(\d{15,16})$/.exec(view.text.slice(Math.max(0, start - 17), start))?.[1];
  if (app === undefined) return;
  const rest = /^[\w-]{27,40}(?![\w-])/.exec(view.text.slice(end, end + 41))?.[0];
  if (rest !== undefined && entropyOf(rest) >= DEFAULT_ENTROPY)
    emit(start - app.length, end + rest.length, 'token: Facebook');
}

/** A bot's number, a colon, and its token, which begins with AA. */
function telegramToken(view: View, start: number, emit: Emit): void {
  const bot = /(?:^|[^\d.])(\d{8,10})$/.exec(view.text.slice(Math.max(0, start - 11), start))?.[1];
  if (bot === undefined) return;
  const rest = /^:AA[\w-]{32,34}(?![\w-])/.exec(view.text.slice(start, start + 40))?.[0];
  if (rest !== undefined && entropyOf(rest) >= DEFAULT_ENTROPY)
    emit(start - bot.length, start + rest.length, 'token: Telegram');
}
