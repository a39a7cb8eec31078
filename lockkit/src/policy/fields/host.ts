// The address and the login of a server. What loads here goes into known_hosts look-ups, prompts and file names, so
// only the plain forms pass: no user, port, scheme, list, pattern, zone or number that resolvers read as an address.
import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import type { ValueType } from '../field.js';

const LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;
const NUMBER_LIKE = /^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$/;
const MAX_NAME = 253;

function isHost(text: string): boolean {
  const bracketed = /^\[([0-9A-Fa-f:.]+)\]$/.exec(text);
  if (bracketed !== null) return isIPv6(bracketed[1] ?? '');
  if (text.length > MAX_NAME) return false;
  const labels = text.split('.');
  if (!labels.every((label) => LABEL.test(label))) return false;
  // inet_aton reads "127.1", "0x7f.1" and "2130706433" as addresses: only the four-part decimal form is one here.
  return !NUMBER_LIKE.test(labels.at(-1) ?? '') || isIPv4(text);
}

/** A host name, an IPv4 address or `[IPv6]`, kept as written. */
export const hostName: ValueType<string> = {
  schema: z.string().refine(isHost),
  expects: 'a name or an address, without user, port or scheme ("[::1]" for IPv6)',
};

/** A login name: letters, digits, `._-`, never starting like an option. */
export const loginName: ValueType<string> = {
  schema: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,62}\$?$/),
  expects: 'a login name of letters, digits, ".", "_" and "-"',
};
