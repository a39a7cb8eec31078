// What a key may be: the exact name of one object, as the agent got it from the user. Checked before anything is
// touched; the approval screen shows it as typed, so nothing invisible may stand in it.
import { isVisibleText } from 'lockkit/policy';
import { accepted, refused, type Outcome } from 'lockkit/contract';

export const MAX_KEY_BYTES = 1024;

/** Segments separated by single slashes; none is empty, `.` or `..`; no backslash, nothing invisible. */
export function isSourceKey(text: string): boolean {
  if (text === '' || Buffer.byteLength(text) > MAX_KEY_BYTES || !isVisibleText(text)) return false;
  if (text.includes('\\')) return false;
  return text.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/** A prefix is a text that keys begin with: "", or what a key could begin with. */
export function isKeyPrefix(text: string): boolean {
  return text === '' || isSourceKey(`${text}x`);
}

export function checkKey(key: string, prefix: string): Outcome<string, 'E_BAD_KEY' | 'E_KEY_OUTSIDE_PREFIX'> {
  if (!isSourceKey(key)) return refused('E_BAD_KEY');
  return key.startsWith(prefix) ? accepted(key) : refused('E_KEY_OUTSIDE_PREFIX');
}
