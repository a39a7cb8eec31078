// One case of a suite: a file of its own, language-neutral (conformance/README.md, "Suites"). Called by the reader.
// A case is written by people: a mistake in it is a mistake of the suite and stops the run with its place.
import { z } from 'zod';

const json = z.json();
const shape = json;
const text = z.string();
const words = z.array(text).min(1);

/** Exit codes by name are those of the lock's facts; `usage` of one is 3, of another 64. */
const exitName = z.enum(['ok', 'failed', 'refused', 'denied', 'no_console', 'usage']);
const exit = z.union([exitName, z.int(), z.strictObject({ one_of: z.array(z.union([exitName, z.int()])) })]);

const file = z.strictObject({
  text: text.optional(),
  base64: text.optional(),
  /** The file is a link to this path. */
  link: text.optional(),
  folder: z.literal(true).optional(),
  fifo: z.literal(true).optional(),
  mode: z
    .string()
    .regex(/^0[0-7]{3}$/)
    .optional(),
  owner: z.enum(['root', 'account']).optional(),
});

const fileExpectation = z.strictObject({
  /** Byte for byte, mode and kind as before the step; and not written anew. */
  same: z.literal(true).optional(),
  absent: z.literal(true).optional(),
  is: z.enum(['file', 'folder', 'link']).optional(),
  text: text.optional(),
  starts_with: text.optional(),
  ends_with: text.optional(),
  contains: z.array(text).optional(),
  contains_not: z.array(text).optional(),
  /** What stood in the file before the step is all still there, in order, blanks and commas aside. */
  keeps_all: z.literal(true).optional(),
  line_ends: z.enum(['crlf', 'lf']).optional(),
  json: shape.optional(),
  toml: shape.optional(),
  not_writable_by: z.enum(['others', 'group']).optional(),
});

const expectation = z.strictObject({
  exit: exit.optional(),
  /** The exit that a member of the JSON output, true or false, must go with. */
  exit_by: z.strictObject({ member: text, when_true: exitName, when_false: exitName }).optional(),
  /** Standard output is exactly one JSON value of this shape. */
  json: shape.optional(),
  stdout: shape.optional(),
  stderr: shape.optional(),
  /** Something in standard output or standard error, so that a person learns which key it was. */
  says: z.array(text).optional(),
  /** In no output at all. */
  never: z.array(text).optional(),
  /** In no file of the home and the project after the step. */
  never_in_files: z.array(text).optional(),
  files: z.record(text, fileExpectation).optional(),
  /** Nothing in these folders was made, changed, replaced or removed by the step. */
  untouched: z.array(text).optional(),
});

const line = z.union([
  z.strictObject({ send: json }),
  z.strictObject({ send_text: text, times: z.int().min(1).max(4_000_000).optional() }),
  z.strictObject({ send_hex: z.string().regex(/^([0-9a-f]{2})*$/) }),
  z.strictObject({ end_line: z.literal(true) }),
  z.strictObject({ expect: shape }),
  z.strictObject({ expect_closed: z.literal(true) }),
  z.strictObject({ expect_silence_ms: z.int().min(1).max(2_000) }),
  z.strictObject({ close_input: z.literal(true) }),
  z.strictObject({ expect_exit: exit }),
]);

/** What the suite answers when it plays a console: for each request in turn. */
const consoleReply = z.strictObject({
  request: shape.optional(),
  reply: json.optional(),
  reply_text: text.optional(),
  /** How often `reply_text` is sent. */
  times: z.int().min(1).max(32_000_000).optional(),
  close: z.literal(true).optional(),
});

/** The suite listens where a console of this profile would, and answers each request in turn; none: no byte may come. */
const consoleScript = z.strictObject({ profile: text, replies: z.array(consoleReply) });

const command = z.strictObject({
  run: words,
  stdin: z.union([z.enum(['none', 'open']), z.strictObject({ text })]).optional(),
  env: z.record(text, text).optional(),
  cwd: text.optional(),
  /** `plain`: as an account that is not root. */
  as: z.literal('plain').optional(),
  console: consoleScript.optional(),
  expect: expectation,
});

const together = z.strictObject({
  together: z.array(words).min(2).max(16),
  expect: z.strictObject({
    /** Of each. */
    each: expectation.optional(),
    /** How often the member `key` of the outputs has which value. */
    tally: z.strictObject({ key: text, counts: z.record(text, z.int()) }).optional(),
    files: z.record(text, fileExpectation).optional(),
  }),
});

const talk = z.strictObject({
  talk: z.enum(['console', 'mcp']),
  env: z.record(text, text).optional(),
  console: consoleScript.optional(),
  lines: z.array(line).min(1),
  /** Of everything that came, and of standard error. */
  never: z.array(text).optional(),
});

/** Many at once on the console's socket. */
const crowd = z.strictObject({
  /** Connections that say hello and stay; no more than `at_most` may be answered. */
  crowd: z.int().min(2).max(100),
  at_most: z.int(),
});
const flood = z.strictObject({
  /** Requests in one write on one connection; each is answered, no more than `at_most` are served. */
  flood: z.int().min(2).max(200),
  at_most: z.int(),
});
const socketFile = z.strictObject({
  /** The socket and its folder: who may reach it. */
  socket_file: z.literal('closed to others'),
});

export const suiteCaseShape = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  area: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  title: text.min(10),
  /** The name of what is tried, where somebody hostile would try it. */
  attack: text.optional(),
  requirements: z.array(text).min(1),
  needs: z.array(z.enum(['root', 'plain account', 'mount'])).optional(),
  /** Only for locks of these names. */
  locks: z.array(text).optional(),
  given: z
    .strictObject({
      files: z.record(text, file).optional(),
      read_only: z.array(text).optional(),
      full_disk: text.optional(),
    })
    .optional(),
  steps: z.array(z.union([command, together, talk, crowd, flood, socketFile])).min(1),
});

export type SuiteCase = z.infer<typeof suiteCaseShape>;
export type Step = SuiteCase['steps'][number];
export type CommandStep = z.infer<typeof command>;
export type TogetherStep = z.infer<typeof together>;
export type TalkStep = z.infer<typeof talk>;
export type CrowdStep = z.infer<typeof crowd>;
export type FloodStep = z.infer<typeof flood>;
export type ConsoleScript = z.infer<typeof consoleScript>;
export type Line = z.infer<typeof line>;
export type Expectation = z.infer<typeof expectation>;
export type FileExpectation = z.infer<typeof fileExpectation>;
export type ExitExpectation = z.infer<typeof exit>;
export type GivenFile = z.infer<typeof file>;
export type ConsoleReply = z.infer<typeof consoleReply>;
