// Does the host field of a known_hosts line name this host? Lists, wildcards, negation and hashed names, as in sshd(8).
// Called by the known_hosts parser alone. A field that cannot be read never matches.

import { createHmac, timingSafeEqual } from 'node:crypto';

const MAX_PATTERN_LENGTH = 1023;
const SHA1_BYTES = 20;

/** The name under which a host is recorded: lower case, `[host]:port` unless the port is 22. */
export function knownHostName(host: string, port: number): string {
  const bare = lowerAscii(host).replace(/^\[(.*)\]$/u, '$1');
  return port === 22 ? bare : `[${bare}]:${port}`;
}

/** `name` is in the form of knownHostName; `field` is the first field of a line, as it stands in the file. */
export function isHostInField(name: string, field: string): boolean {
  return field.startsWith('|') ? isHashOf(name, field) : isInPatternList(name, field);
}

function isInPatternList(name: string, field: string): boolean {
  let found = false;
  for (const entry of field.split(',')) {
    const negated = entry.startsWith('!');
    const pattern = lowerAscii(negated ? entry.slice(1) : entry);
    if (pattern.length > MAX_PATTERN_LENGTH) return false;
    if (!isMatch(name, pattern)) continue;
    if (negated) return false;
    found = true;
  }
  return found;
}

// The two-pointer form: linear in memory and never exponential, whatever the pattern.
function isMatch(name: string, pattern: string): boolean {
  let at = 0;
  let star = -1;
  let retry = 0;
  let index = 0;
  while (index < name.length) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = at++;
      retry = index;
    } else if (wanted !== undefined && (wanted === '?' || wanted === name[index])) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++retry;
    } else {
      return false;
    }
  }
  return /^\**$/u.test(pattern.slice(at));
}

function isHashOf(name: string, field: string): boolean {
  const [, version, salt, hash, ...rest] = field.split('|');
  if (version !== '1' || salt === undefined || hash === undefined || rest.length > 0) return false;
  const saltBytes = Buffer.from(salt, 'base64');
  const hashBytes = Buffer.from(hash, 'base64');
  if (saltBytes.length !== SHA1_BYTES || hashBytes.length !== SHA1_BYTES) return false;
  return timingSafeEqual(createHmac('sha1', saltBytes).update(name).digest(), hashBytes);
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/gu, (letter) => letter.toLowerCase());
}
