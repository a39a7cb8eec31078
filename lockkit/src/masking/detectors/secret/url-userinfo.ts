// The user information of a URL (`scheme://user:password@host`), also with raw slashes in the password, and a token
// that stands in its place. Hangs on `://`. A port, or an at sign in a path, is not user information.
import type { Emit, View } from '../../detector.js';
import { isBlankOrReference } from './not-a-secret.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

const MAX_AUTHORITY = 2048;
const ORACLE = 3;
/** Accounts that everybody has. */
const SHARED_ACCOUNT = /^(?:git|hg|svn|anonymous|oauth2|x-access-token|user|username|\w{0,3})$/i;

export const urlUserinfo: SecretFinder = {
  literals: ['://', ':\\/\\/', '%3a%2f%2f', ':thin:'],
  open: openUserinfo,
};

function openUserinfo(view: View, emit: Emit): SecretLook {
  let wordFrom = 0;
  let wordEnd = 0;
  const endOfWord = (at: number): number => {
    if (at >= wordEnd || at < wordFrom) {
      wordFrom = at;
      wordEnd = scanWord(view, at);
    }
    return Math.min(wordEnd, at + MAX_AUTHORITY);
  };
  return {
    literal: (index, _start, end) => {
      const to = endOfWord(end);
      if (to > end && index === ORACLE) findOracle(view, end, to, emit);
      else if (to > end) findUserinfo(view, end, to, emit);
    },
  };
}

function scanWord(view: View, from: number): number {
  let at = from;
  while (at < view.length && !isWordEnd(view.bytes[at] as number)) at += 1;
  return at;
}

function isWordEnd(byte: number): boolean {
  return byte <= 0x20 || byte === 0x22 || byte === 0x60 || byte === 0x3c || byte === 0x3e;
}

function findUserinfo(view: View, from: number, to: number, emit: Emit): void {
  const word = view.text.slice(from, to);
  const authority = /^[^/?#\\]*/.exec(word)?.[0] ?? '';
  const at = authority.lastIndexOf('@');
  const userinfo = at >= 0 ? authority.slice(0, at) : encodedOrSlashed(word, authority);
  if (userinfo === undefined || userinfo === '' || !isSecretUserinfo(userinfo)) return;
  emit(from, from + userinfo.length, 'URL userinfo');
}

/** `user:pa/ss@host`: no at sign before the first slash, and what follows the colon is no port. */
function encodedOrSlashed(word: string, authority: string): string | undefined {
  const colon = authority.indexOf(':');
  if (colon < 0 || /^:\d{0,5}$/.test(authority.slice(colon))) return undefined;
  if (/^\[/.test(authority)) return undefined;
  const at = word.indexOf('@', colon);
  return at < 0 ? undefined : word.slice(0, at);
}

function isSecretUserinfo(userinfo: string): boolean {
  const colon = userinfo.indexOf(':');
  if (colon < 0) return !SHARED_ACCOUNT.test(userinfo) && !isBlankOrReference(userinfo);
  const password = userinfo.slice(colon + 1);
  return password !== '' && !isBlankOrReference(password);
}

/** `jdbc:oracle:thin:user/password@host`. */
function findOracle(view: View, from: number, to: number, emit: Emit): void {
  const login = /^[^/@\s]{1,64}\/[^@\s]{1,256}(?=@)/.exec(view.text.slice(from, to))?.[0];
  if (login !== undefined) emit(from, from + login.length, 'URL userinfo');
}
