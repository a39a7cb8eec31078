// E-mail addresses, with plain, quoted or percent-encoded parts. The at sign is the only trigger; what stands around
// it is walked over once. Template unit names, package versions, image names and SSH algorithm names are not addresses.
import { isAlnum, isLetter } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';

const AT_FORMS = ['@', '%40', '&#64;', '\\u0040'] as const;
const MAX_QUOTED = 64;
/** Far over the 64 of the standard; what is longer loses its head to nobody. */
const MAX_LOCAL = 512;

/** Endings of unit, file and image names that no mail domain has. */
const NOT_A_DOMAIN = new Set(
  (
    'service socket target timer mount slice scope path device swap automount snapshot ' +
    'png jpg jpeg gif svg webp ico css js mjs cjs ts json yaml yml xml html map lock tgz gz zip so jar whl go py rb'
  ).split(' '),
);
/** Vendors of SSH algorithm and extension names such as chacha20-poly1305@…. */
const ALGORITHM_VENDORS = new Set(['openssh.com', 'libssh.org', 'lysator.liu.se', 'ssh.com', 'libssh2.org']);
const COMMON_ENDINGS = new Set('com org net edu gov mil io de fr uk eu info biz dev'.split(' '));

const LOCAL = charSet("._%+'~-");
const DOMAIN = charSet('-_');

function charSet(signs: string): Uint8Array {
  const set = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte++) {
    if (isAlnum(byte) || signs.includes(String.fromCharCode(byte))) set[byte] = 1;
  }
  return set;
}

export const email: Detector = {
  name: 'email',
  literals: AT_FORMS,
  open: openEmail,
  normalise: (value) => value.toLowerCase().replace(/%40|&#64;|\\u0040/, '@'),
};

function openEmail(view: View, emit: Emit): Look {
  return {
    literal: (_index, at, end) => {
      const from = localStart(view, at);
      if (from === at || isUserinfo(view, from)) return;
      const to = domainEnd(view, end);
      if (to === end || isAlgorithmName(view, from, at, end, to) || isRepository(view, from, at, to)) return;
      emit(from, to, view.bytes[at] === 0x40 ? 'address' : 'encoded address');
    },
  };
}

function localStart(view: View, at: number): number {
  if (view.bytes[at - 1] === 0x22) return quotedStart(view, at);
  let from = at;
  const least = Math.max(0, at - MAX_LOCAL);
  while (from > least && LOCAL[view.bytes[from - 1] as number] === 1) from -= 1;
  while (from < at && !isNameStart(view.bytes[from] as number)) from += encodedSign(view, from, at) ? 3 : 1;
  return Math.min(from, at);
}

/** `scheme://HERE@host`, `scheme://user:HERE@host`: the user information of a URL, not the name in an address. */
function isUserinfo(view: View, from: number): boolean {
  const before = view.bytes[from - 1];
  if (before !== 0x3a && before !== 0x2f) return false;
  return /:\/\/(?:[^\s/@]{0,256}:)?$/.test(view.text.slice(Math.max(0, from - 260), from));
}

function isNameStart(byte: number): boolean {
  return isAlnum(byte) || byte === 0x5f;
}

/** `%22jane@…`: an encoded sign before the name is not part of it. */
function encodedSign(view: View, from: number, at: number): boolean {
  return view.bytes[from] === 0x25 && from + 3 < at && /^%[0-9a-f]{2}/i.test(view.text.slice(from, from + 3));
}

function quotedStart(view: View, at: number): number {
  for (let from = at - 2; from >= Math.max(0, at - MAX_QUOTED); from--) {
    const byte = view.bytes[from];
    if (byte === 0x0a) break;
    if (byte === 0x22) return from === at - 2 ? at : from;
  }
  return at;
}

/** Index after the domain, or `from` where none stands: at least two labels, the last of them a word. */
function domainEnd(view: View, from: number): number {
  const { bytes } = view;
  let at = from;
  let labels = 0;
  let labelFrom = from;
  for (;;) {
    labelFrom = at;
    while (at < view.length && DOMAIN[bytes[at] as number] === 1) at += 1;
    if (at === labelFrom) break;
    labels += 1;
    if (bytes[at] !== 0x2e || DOMAIN[bytes[at + 1] ?? 0x20] !== 1) break;
    at += 1;
  }
  if (labels < 2) return from;
  const to = wordEnd(view, labelFrom, at);
  return to === labelFrom || isVersion(view, from, to) ? from : to;
}

/** End of the last label if it can end a domain, else its start. */
function wordEnd(view: View, from: number, end: number): number {
  const label = view.text.slice(from, Math.min(end, from + 64)).toLowerCase();
  if (label.startsWith('xn--')) return end;
  const letters = /^[a-z\x80-\xff]+/.exec(label)?.[0] ?? '';
  if (letters.length < 2) return from;
  const rest = label[letters.length];
  if (rest === undefined) return NOT_A_DOMAIN.has(letters) ? from : end;
  if (rest === '-' || rest === '_' || COMMON_ENDINGS.has(letters)) return from + letters.length;
  return from;
}

/** `pkg@1.2.3-beta.rc`: two numbers in front are a version. */
function isVersion(view: View, from: number, to: number): boolean {
  return /^v?\d+\.\d+[.-]/.test(view.text.slice(from, Math.min(to, from + 24)));
}

/** `git@host:path`. */
function isRepository(view: View, from: number, at: number, to: number): boolean {
  return view.bytes[to] === 0x3a && /^(?:git|hg|svn|gitea|forgejo)$/.test(view.text.slice(from, at));
}

function isAlgorithmName(view: View, from: number, at: number, end: number, to: number): boolean {
  if (!isLetter(view.bytes[end]) || !ALGORITHM_VENDORS.has(view.text.slice(end, to).toLowerCase()))
    return false;
  return /[-\d]/.test(view.text.slice(from, at));
}
