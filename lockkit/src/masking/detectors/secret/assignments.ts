// Values of keys that are named like a secret, in whatever syntax: shell, INI, YAML, JSON (also escaped), XML, URLs,
// connection strings, code, .netrc and prose. Hangs on the stems of such names; each name is looked at once.
import { isWord } from '../../characters.js';
import type { Emit, View } from '../../detector.js';
import { blockEnd, findSeparator, type Separator } from './key-separator.js';
import { familyOf, KEY_STEMS, type KeyFamily } from './key-family.js';
import { isNetrcPassword, phraseValueAt } from './key-phrase.js';
import { isBlankOrReference, isSample, isTypeName } from './not-a-secret.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';
import { readValue, type ValueText } from './value-text.js';

const MAX_NAME = 80;
const PEEK_BYTES = 1024;
const MIN_KEY_LENGTH = 10;
const SAMPLE_ENTROPY = 1.5;

export const assignments: SecretFinder = { literals: KEY_STEMS, open: openAssignments };

interface Name {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function openAssignments(view: View, emit: Emit): SecretLook {
  const families = new Map<string, KeyFamily | undefined>();
  let nameSeen = 0;
  let valueSeen = 0;
  return {
    literal: (_index, start, end) => {
      if (end <= nameSeen || start < valueSeen) return;
      const name = readName(view, start, end);
      nameSeen = name.end;
      const family = familyIn(families, name.text);
      const value = family === undefined ? undefined : secretValue(view, name, family);
      if (value === undefined) return;
      valueSeen = value.end;
      emit(value.start, value.end, `value of ${family}`);
    },
  };
}

function readName(view: View, start: number, end: number): Name {
  let from = start;
  while (from > 0 && start - from < MAX_NAME && isNameByte(view.bytes[from - 1])) from -= 1;
  let to = end;
  while (to - end < MAX_NAME && isNameByte(view.bytes[to])) to += 1;
  while (to > end && (view.bytes[to - 1] === 0x2e || view.bytes[to - 1] === 0x2d)) to -= 1;
  return { start: from, end: to, text: view.text.slice(from, to) };
}

function isNameByte(byte: number | undefined): boolean {
  return isWord(byte) || byte === 0x2e || byte === 0x2d;
}

const MAX_NAMES = 4096;

/** Names repeat in a log, so what they mean is kept for the view. */
function familyIn(families: Map<string, KeyFamily | undefined>, name: string): KeyFamily | undefined {
  if (families.has(name)) return families.get(name);
  const family = familyOf(name);
  if (families.size < MAX_NAMES) families.set(name, family);
  return family;
}

function secretValue(view: View, name: Name, family: KeyFamily): ValueText | undefined {
  if (isUserinfo(view, name)) return undefined;
  const separator = findSeparator(view, name);
  const at = separator?.valueAt ?? looseValueAt(view, name, family);
  if (at === undefined || isTemplate(view, at)) return undefined;
  if (separator?.kind === 'block') return { start: at, end: blockEnd(view, at), quoted: true };
  const cdata = cdataValue(view, at);
  if (cdata !== undefined) return cdata;
  const value = widen(view, name, family, readValue(peek(view, at), at, inQuery(view, name)));
  if (!isSecret(view, name, family, separator, value)) return undefined;
  return value.end - at < PEEK_BYTES / 2 ? value : readValue(view, at, inQuery(view, name));
}

/** The beginning of a value tells what it is; only a secret is read to its end, so that no text is read twice. */
function peek(view: View, at: number): View {
  return { bytes: view.bytes, text: view.text, length: Math.min(view.length, at + PEEK_BYTES) };
}

/** `<password><![CDATA[hunter2]]></password>`: all that stands between the marks. */
function cdataValue(view: View, at: number): ValueText | undefined {
  if (!view.text.startsWith('<![CDATA[', at - 9)) return undefined;
  const end = view.text.slice(at, at + PEEK_BYTES).indexOf(']]>');
  return end < 1 ? undefined : { start: at, end: at + end, quoted: true };
}

/** `{{ db_password }}`, `$(cat file)`: filled in elsewhere. */
function isTemplate(view: View, at: number): boolean {
  return /^["']?(?:\$?\{\{.*?\}\}|\$\([^)\n]*\)|<%.*?%>|\$\{[^}\n]*\})["']?(?:[\s,;]|$)/.test(
    view.text.slice(at, at + 160),
  );
}

/** `https://x-access-token:…@host`: the whole is URL userinfo. */
function isUserinfo(view: View, name: Name): boolean {
  return (
    view.bytes[name.start - 1] === 0x2f &&
    view.bytes[name.start - 2] === 0x2f &&
    view.bytes[name.start - 3] === 0x3a
  );
}

function inQuery(view: View, name: Name): boolean {
  const before = view.bytes[name.start - 1];
  return before === 0x3f || before === 0x26;
}

/** Where the value stands when no sign separates it from its name. */
function looseValueAt(view: View, name: Name, family: KeyFamily): number | undefined {
  if ((family === 'password' || family === 'token') && isSet(view, name.start))
    return spacesEnd(view, name.end);
  if (family !== 'password') return undefined;
  const phrase = phraseValueAt(view, name.end);
  if (phrase !== undefined) return phrase;
  return isNetrcPassword(view, name.start, name.end) ? spacesEnd(view, name.end) : undefined;
}

/** `set -x API_TOKEN …`, `setenv API_TOKEN …`. */
function isSet(view: View, nameStart: number): boolean {
  return /(?:^|[\s;])(?:set|setenv)(?: -\w{1,8}){0,3} $/.test(
    view.text.slice(Math.max(0, nameStart - 32), nameStart),
  );
}

function spacesEnd(view: View, at: number): number {
  let end = at;
  while (view.bytes[end] === 0x20 || view.bytes[end] === 0x09) end += 1;
  return end;
}

/** `password: correct horse battery` on a line of its own: plain words to the end of the line are all the value. */
function widen(view: View, name: Name, family: KeyFamily, value: ValueText): ValueText {
  if (family !== 'password' || value.quoted || name.text.startsWith('-') || !startsLine(view, name.start))
    return value;
  if (!/^[A-Za-z]+$/.test(view.text.slice(value.start, Math.min(value.end, value.start + 64)))) return value;
  const least = /phrase$/i.test(name.text) ? 1 : 2;
  const rest =
    /^(?: [A-Za-z]+){1,24}(?=\r?(?:\n|$))/.exec(view.text.slice(value.end, value.end + 280))?.[0] ?? '';
  return rest.split(' ').length > least ? { ...value, end: value.end + rest.length } : value;
}

function startsLine(view: View, start: number): boolean {
  return /(?:^|\n)[ \t]*(?:- |export |set |declare -x |your |my |the )?["']?$/i.test(
    view.text.slice(Math.max(0, start - 40), start),
  );
}

function isSecret(
  view: View,
  name: Name,
  family: KeyFamily,
  separator: Separator | undefined,
  value: ValueText,
): boolean {
  if (value.end <= value.start) return false;
  const text = view.text.slice(value.start, Math.min(value.end, value.start + 256));
  if (isBlankOrReference(text)) return false;
  if (!value.quoted && isTypeName(text, view.text.slice(value.end, value.end + 3))) return false;
  switch (family) {
    case 'password':
      return isPasswordValue(view, name.text, separator, value, text);
    case 'token':
      return isTokenValue(name.text, separator, value, text);
    case 'key':
      return isKeyValue(text);
    case 'auth':
      return value.quoted || name.text.startsWith('_')
        ? /^[\w+/=.~-]{8,}$/.test(text) && isKeyValue(text)
        : false;
    case 'signature':
      return inQuery(view, name) && /^[\w%+/=.~-]{16,}$/.test(text);
  }
}

/** `passwd: files systemd`, `passwd: password updated`: the program or the database of that name. */
function isProse(view: View, value: ValueText, text: string): boolean {
  return (
    /^[a-z]+(?: [a-z]+)*$/.test(text) &&
    (text.includes(' ') || /^ +[a-z]/.test(view.text.slice(value.end, value.end + 8)))
  );
}

function isPasswordValue(
  view: View,
  name: string,
  separator: Separator | undefined,
  value: ValueText,
  text: string,
): boolean {
  if (/^(?:old)?pwd$/i.test(name) && /^(?:[/~]|[A-Za-z]:\\)/.test(text)) return false;
  if (/^passwd$/i.test(name) && separator?.kind === 'colon' && isProse(view, value, text)) return false;
  if (/^pass$/i.test(name) && separator?.kind === 'colon') return name === 'pass' && !/^\d+[,;]?$/.test(text);
  if (separator?.kind === 'comma') return value.quoted;
  if (/^\/\S+$/.test(text) && /secret/i.test(name)) return false;
  if (/x{8,}|\*{3,}/i.test(text)) return !isSample(text, SAMPLE_ENTROPY);
  return (
    !/^(?:YOUR|PUT|INSERT|REPLACE)[_-]/i.test(text) && !/^[A-Z]+_[A-Z_]*(?:PASS|SECRET|TOKEN|KEY)/.test(text)
  );
}

function isTokenValue(
  name: string,
  separator: Separator | undefined,
  value: ValueText,
  text: string,
): boolean {
  if (text.length < 4 || isSample(text, SAMPLE_ENTROPY) || /^https?:\/\/[^@]*$/.test(text)) return false;
  if (/^\d+$/.test(text)) return text.length >= 6;
  if (/^[a-z]+(?:[-_][a-z]+)+$/.test(text) || (!value.quoted && /^(?:[A-Z][a-z]+){2,}$/.test(text)))
    return false;
  const isWordOnly = /^[A-Za-z]+$/.test(text);
  const isCompound = /[_.-]|[a-z][A-Z]/.test(name) && /[a-z]/.test(text) && /[A-Z]/.test(text);
  if (separator?.kind === 'colon' && !value.quoted && isWordOnly && !isCompound && text.length <= 16)
    return false;
  return !/^[\w-]+(?:\.[A-Za-z][\w-]*)+(?:\(|$)/.test(text) || /\d/.test(text);
}

function isKeyValue(text: string): boolean {
  if (text.length < MIN_KEY_LENGTH || isSample(text, SAMPLE_ENTROPY)) return false;
  if (/^[A-Za-z_.\-/ ]+$/.test(text) && !/[a-z][A-Z].*[A-Z]/.test(text)) return false;
  return (
    !/^(?:https?:|file:|\.{0,2}\/|~\/|[A-Za-z]:\\)/.test(text) &&
    !/\.(?:pem|key|cer|crt|pub|json|jks|p12|der)$/.test(text)
  );
}
