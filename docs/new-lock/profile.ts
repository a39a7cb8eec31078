// The policy: what the human approves, and for each key which change is tighter. A key without an order does not load.
import {
  choice,
  defineProfile,
  fewer,
  field,
  flag,
  identity,
  on,
  stricter,
  type PolicyOf,
} from 'lockkit/policy';
import { z } from 'zod';

const RULES = ['deny', 'ask', 'auto'] as const;
type Rule = (typeof RULES)[number];
const target = { heading: 'Target', order: identity<never>(), target: true } as const;
// The token goes to one host, encrypted; in clear to this machine alone.
const url = {
  schema: z.string().regex(/^(?:https:\/\/[A-Za-z0-9.-]{1,253}|http:\/\/127\.0\.0\.1)(?::[0-9]{1,5})?$/),
  expects: '"https://HOST" or "https://HOST:PORT"',
};
const paths = {
  schema: z
    .array(z.string().regex(/^\/[A-Za-z0-9._/-]{0,200}$/))
    .max(100)
    .readonly(),
  expects: 'a list of paths of letters, digits, ".", "_", "-" and "/"',
};

export const profile = defineProfile({
  lock: 'lockhttp',
  fields: {
    url: field(url, target),
    production: field(flag, { heading: 'Target', order: on, default: false }),
    paths: field(paths, { heading: 'Paths', order: fewer<string>(), default: [] }),
  },
  groups: {
    auto: {
      fields: {
        get: field(choice<Rule>(RULES), {
          heading: 'Auto rules',
          order: stricter<Rule>(RULES),
          default: 'ask',
        }),
      },
    },
  },
});

export type Policy = PolicyOf<typeof profile>;
