// The shapes of lockssh's actions, loaded only where they are needed (console, MCP): input strictly decoded,
// output as docs/decisions.md, "Shapes", tells it. Values are checked by the handlers, not here.
import { z } from 'zod';

const intent = z.string().max(500).optional().describe('why, in one sentence; the human sees it');
const ticket = z
  .string()
  .regex(/^t_[0-9A-HJKMNP-TV-Z]{16}$/)
  .optional()
  .describe('the ticket of an earlier pending answer, once it is decided');

const runInput = z.strictObject({
  argv: z.array(z.string()).describe('the program and its arguments, one string each; there is no shell'),
  intent,
  dry_run: z.boolean().optional().describe('only tell what would happen'),
  ticket,
  unmask: z.boolean().optional().describe('ask for output in clear; always a human’s decision'),
});

const pending = z.strictObject({
  status: z.literal('pending'),
  ticket: z.string(),
  expires_at: z.string(),
  hint: z.string(),
});

const done = z.strictObject({
  status: z.literal('done'),
  exit_status: z.int().optional(),
  signal: z.string().optional(),
  timed_out: z.boolean().optional(),
  stdout: z.string(),
  stderr: z.string(),
  stdout_truncated: z.boolean(),
  stderr_truncated: z.boolean(),
  duration_ms: z.number(),
  ended: z.enum(['confirmed', 'unknown']),
  masked: z.record(z.string(), z.int()),
});

const dryRun = z.strictObject({
  status: z.enum(['would_run', 'would_wait', 'would_refuse']),
  rule: z.string().optional(),
  code: z.string().optional(),
});

// An MCP output schema must be an object at its root, so the three forms are one object whose status tells which.
const runOutput = z.strictObject({
  ...pending.partial().shape,
  ...dryRun.partial().shape,
  ...done.partial().shape,
  status: z.enum(['done', 'pending', 'would_run', 'would_wait', 'would_refuse']),
});

const profileStatus = z.looseObject({ profile: z.string(), console: z.enum(['running', 'none']) });
const statusOutput = z.strictObject({
  lock: z.string(),
  version: z.string(),
  profiles: z.array(profileStatus),
});

const piiRule = z.strictObject({ pattern: z.string(), from: z.enum(['file', 'agent']) });
const piiAllow = z.strictObject({ kind: z.string(), value: z.string() });

export const LOCKSSH_SHAPES = {
  status: { input: z.strictObject({}), output: statusOutput },
  run: { input: runInput, output: runOutput },
  'pii.list': {
    input: z.strictObject({}),
    output: z.strictObject({ mask: z.array(piiRule), allow: z.array(piiAllow) }),
  },
  'pii.add': {
    input: z.strictObject({
      pattern: z.string().describe('an RE2 pattern; what it matches is masked from now on'),
    }),
    output: z.strictObject({
      status: z.enum(['added', 'exists']),
      pattern: z.string(),
      file: z.enum(['appended', 'unchanged', 'not_written']).optional(),
    }),
  },
  request: {
    input: z.strictObject({ change: z.string().min(1).max(2000).describe('the policy change, in words') }),
    output: z.strictObject({ status: z.literal('queued'), waiting: z.int() }),
  },
  logout: { input: z.strictObject({}), output: z.strictObject({ status: z.literal('closed') }) },
};
