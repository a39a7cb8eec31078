// Passwords in running text and in .netrc, where no sign stands between the word and the value. Called by the
// assignment finder for password names only. "password check failed" must stay readable.
import type { View } from '../../detector.js';

const LOOK_AHEAD = 96;
const TOLD =
  /^["']?(?: (?:is|was|has|been|now|set|reset|changed|generated|created|temporary|default|initial)| (?:for|of|to|user|account|role|database|host|the)(?: (?!for |of |is |was )[\w@.'"\\/-]+)?){0,6}(?: is)?: {1,2}(?=\S)/;
/** `password 7 0822455D0A16` of a router, `PSK "…"` of ipsec.secrets. */
const TYPED = /^ (?:[0-9] (?=[\w$./]{4,}(?:\s|$))|(?="[^"\n]+"\s*(?:\n|$)))/;
const TOLD_BARE = /^["']? (?:is|was|=) (?=\S)/;
const COMMON_WORD =
  /^(?:required|incorrect|invalid|wrong|not|too|expired|missing|empty|set|correct|valid|needed|never|stored|hashed|encrypted|being|now|already|the|a|an|your|weak|in|on|at|no|for|used|about|going|only|optional|accepted|rejected|changed|unchanged|ok|good|bad|disabled|enabled|blank|unknown|given|sent|asked|entered|checked)\b/i;
const NETRC_BEFORE = /(?:^|\s)(?:(?:machine|login|account|user)\s+\S+|default)\s+$/;
const PAM_CONTROL = /^(?:required|requisite|sufficient|optional|include|substack|\[)/;

/** Index of the value in `password is: hunter2` or `password for bob is set to: hunter2`, else undefined. */
export function phraseValueAt(view: View, nameEnd: number): number | undefined {
  if (view.bytes[nameEnd] !== 0x20 && view.bytes[nameEnd] !== 0x22 && view.bytes[nameEnd] !== 0x27)
    return undefined;
  const ahead = view.text.slice(nameEnd, nameEnd + LOOK_AHEAD);
  const typed = TYPED.exec(ahead);
  if (typed !== null) return nameEnd + typed[0].length;
  const told = TOLD.exec(ahead);
  if (told !== null) return nameEnd + told[0].length;
  const bare = TOLD_BARE.exec(ahead);
  if (bare === null) return undefined;
  const value = ahead.slice(bare[0].length);
  return COMMON_WORD.test(value) ? undefined : nameEnd + bare[0].length;
}

/** `password hunter2` after a machine, login or account entry, or alone on a line with a value that is no word. */
export function isNetrcPassword(view: View, nameStart: number, nameEnd: number): boolean {
  const value = /^[ \t]+([^\s]+)/.exec(view.text.slice(nameEnd, nameEnd + LOOK_AHEAD))?.[1];
  if (value === undefined || PAM_CONTROL.test(value)) return false;
  const name = view.text.slice(nameStart, nameEnd);
  if (/^(?:requirepass|masterauth|sslpassword)$/.test(name)) return true;
  if (!/^(?:password|passwd|PASSWORD)$/.test(name)) return false;
  const before = view.text.slice(Math.max(0, nameStart - 200), nameStart);
  if (NETRC_BEFORE.test(before)) return !COMMON_WORD.test(value) && !/^(?:check|auth|hash)/.test(value);
  return /^['"]/.test(value) && /(?:BY|WITH(?: ENCRYPTED)?|USER \S+)\s*$/i.test(before);
}
