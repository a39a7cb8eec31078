// lockssh's own refusals ("Refusal codes" of the page); those that every lock shares are lockkit's.
import type { RefusalTable } from 'lockkit/contract';

export const LOCKSSH_REFUSALS = {
  E_BAD_ARGV: {
    number: -32001,
    meaning: 'the argv is empty, starts with - or +, or holds a control or invisible character, or too much',
    hint: 'rewrite the argv: 1 to 64 arguments, each at most 4 KiB, 16 KiB in all',
    retry: 'rewrite',
  },
  E_NOT_ALLOWED: {
    number: -32001,
    meaning: 'no allow rule matches, and commands outside the rules are off',
    hint: 'use an allowed command (`lockssh status` lists the rules), or ask the user for a rule',
    retry: 'ask_user',
  },
  E_UNMASK_OFF: {
    number: -32001,
    meaning: 'clear output is off in this console',
    hint: 'work with the masked output, or ask the user',
    retry: 'ask_user',
  },
  E_BAD_PATTERN: {
    number: -32001,
    meaning: 'the pattern is not valid RE2, matches the empty text, or is too long',
    hint: 'rewrite the pattern: RE2 syntax, no look-around, no backreference, at most 1 KiB',
    retry: 'rewrite',
  },
} as const satisfies RefusalTable;
