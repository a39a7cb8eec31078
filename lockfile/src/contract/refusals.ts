// lockfile's own refusals (how lockfile works, "Refusals the agent can act on"; plugin contract, "Inputs"). All but
// E_FETCH_FAILED and E_INPUT_INVALID are computed from the request and the local install. Those that every lock
// shares are lockkit's.
import type { RefusalTable } from 'lockkit/contract';

export const LOCKFILE_REFUSALS = {
  E_BAD_KEY: {
    number: -32001,
    meaning:
      'the key is empty, too long, absolute, or holds an empty, `.` or `..` segment or an invisible character',
    hint: 'send the exact key the user gave you: names separated by /, at most 1024 bytes',
    retry: 'rewrite',
  },
  E_KEY_OUTSIDE_PREFIX: {
    number: -32001,
    meaning: 'the key is not under the profile’s prefix',
    hint: '`lockfile sources` shows the prefix; ask the user for a key under it or for another profile',
    retry: 'ask_user',
  },
  E_UNKNOWN_PLUGIN: {
    number: -32001,
    meaning: 'a plugin is not installed, not verified, or not among those of the profile',
    hint: 'use a name that `lockfile plugins` lists, or ask the user to install it',
    retry: 'rewrite',
  },
  E_TOO_MANY_PLUGINS: {
    number: -32001,
    meaning: 'the answers of this plan and those the handle gave already exceed max_plugins_per_handle',
    hint: 'ask fewer questions; `lockfile sources` shows the limit',
    retry: 'rewrite',
  },
  E_TOO_MANY_HANDLES: {
    number: -32001,
    meaning: 'this account holds as many fetched files as it may',
    hint: 'release a handle that is no longer needed, then submit the plan again',
    retry: 'rewrite',
  },
  E_UNKNOWN_INPUT: {
    number: -32001,
    meaning: 'an input is not one of a plugin of this plan',
    hint: 'name it as PLUGIN.INPUT; `lockfile plugins` lists the inputs',
    retry: 'rewrite',
  },
  E_MISSING_INPUT: {
    number: -32001,
    meaning: 'a plugin of this plan has an input without a placeholder',
    hint: 'bind each input to a placeholder, like pdf.contains.needle = ${email}',
    retry: 'rewrite',
  },
  E_LITERAL_INPUT: {
    number: -32001,
    meaning: 'an input is bound to a value; only placeholders are taken',
    hint: 'send a placeholder like ${email}: the human types its value',
    retry: 'rewrite',
  },
  E_INPUT_INVALID: {
    number: -32001,
    meaning: 'the value the human typed does not fit the input’s kind or length, or none was typed',
    hint: 'tell the user which input it was and of what kind; nothing was run',
    retry: 'ask_user',
  },
  E_FETCH_FAILED: {
    number: -32001,
    meaning: 'the file could not be fetched',
    hint: 'tell the user; the cause is in the console’s audit log',
    retry: 'ask_user',
  },
} as const satisfies RefusalTable;

export type LockfileCode = keyof typeof LOCKFILE_REFUSALS;
