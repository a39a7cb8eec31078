// The shapes of lockfile's actions, loaded only where they are needed (console, MCP): input strictly decoded,
// output as docs/decisions.md, "Shapes", tells it. What a value must be beyond its shape is checked by the plan.
import { z } from 'zod';

const MAX_PLUGINS = 64;

// Ours have 6 and 16 characters; what is only written like one is an unknown handle or plan, not a bad request.
const handle = z.string().regex(/^f_[0-9A-Za-z]{1,32}$/);
const planId = z.string().regex(/^p_[0-9A-Za-z]{1,32}$/);

const planInput = z.strictObject({
  key: z.string().max(4096).optional().describe('the exact key of the file; give this or a handle'),
  handle: handle.optional().describe('a handle of an earlier run: more questions, no new fetch'),
  plugins: z
    .array(z.string().max(256))
    .min(1)
    .max(MAX_PLUGINS)
    .describe('names from the plugins tool, each once'),
  inputs: z
    .record(z.string().max(256), z.string().max(2048))
    .optional()
    .describe('PLUGIN.INPUT to a placeholder like ${email}; never a value: the human types it'),
  intent: z.string().max(500).optional().describe('why, in one sentence; the human sees it'),
  run: z.boolean().optional().describe('ask for approval now and run it; waits up to 5 minutes'),
});

const answer = z.strictObject({
  plugin: z.string(),
  version: z.string(),
  result: z.union([z.literal(1), z.literal(0), z.null()]),
  code: z.literal('plugin_error').optional(),
});
const answers = z.strictObject({ handle: z.string(), answers: z.array(answer) });
const planned = z.strictObject({ plan: z.string(), expires_at: z.string(), answers_revealed: z.int() });

// An MCP output schema must be an object at its root: a plan, or with `run` its answers.
const planOutput = z.strictObject({ ...planned.partial().shape, ...answers.partial().shape });

const profileStatus = z.looseObject({ profile: z.string(), console: z.enum(['running', 'none']) });
const statusOutput = z.strictObject({
  lock: z.string(),
  version: z.string(),
  profiles: z.array(profileStatus),
});

const source = z.strictObject({
  profile: z.string(),
  source: z.enum(['local', 's3', 'sftp']),
  prefix: z.string(),
  production: z.boolean(),
  max_object_bytes: z.int(),
  max_plugins_per_handle: z.int(),
  answer_quantum_ms: z.int(),
});

const plugin = z.strictObject({
  name: z.string(),
  version: z.string(),
  question: z.string(),
  one: z.string(),
  zero: z.string(),
  accepts: z.array(z.string()),
  inputs: z.array(z.strictObject({ name: z.string(), kind: z.string(), max_bytes: z.int() })),
  detail: z.boolean(),
  marketplace: z.string(),
  official: z.boolean(),
  signed: z.boolean(),
});

export const LOCKFILE_SHAPES = {
  status: { input: z.strictObject({}), output: statusOutput },
  sources: { input: z.strictObject({}), output: z.strictObject({ sources: z.array(source) }) },
  plugins: { input: z.strictObject({}), output: z.strictObject({ plugins: z.array(plugin) }) },
  plan: { input: planInput, output: planOutput },
  run: { input: z.strictObject({ plan: planId.describe('the id that plan gave') }), output: answers },
  answers: { input: z.strictObject({ handle: handle.describe('f_…') }), output: answers },
  release: {
    input: z.strictObject({ handle: handle.describe('f_…') }),
    output: z.strictObject({ handle: z.string(), status: z.literal('released') }),
  },
};

export type PlanInput = z.infer<typeof planInput>;
export type AnswerResult = z.infer<typeof answer>;
export type AnswersResult = z.infer<typeof answers>;
