// lockfile as an agent sees it: seven actions, flags, exit codes, refusals (how lockfile works, "Two sides").
// Loaded by the command and the MCP server; it must never reach a source, a plugin, the sandbox or the console.
import { defineLock, type Action } from 'lockkit/contract';
import { LOCKFILE_REFUSALS } from './refusals.js';
import {
  renderAnswers,
  renderPlan,
  renderPlugins,
  renderReleased,
  renderSources,
  renderStatus,
} from './render-results.js';

const LOCKFILE_VERSION = '0.1.0';

/** What every action of lockfile has unless it says otherwise. */
const plain = { flags: [], operands: { kind: 'none' }, mcp: true, waits: false, readOnly: true } as const;

const status: Action = {
  ...plain,
  name: 'status',
  words: ['status'],
  summary: 'the console of each profile',
  description: 'Lists the configured profiles and whether a console runs for each.',
  everyProfile: true,
  renderResult: renderStatus,
};

const sources: Action = {
  ...plain,
  name: 'sources',
  words: ['sources'],
  summary: 'what the profile’s source is, the prefix of its keys, its limits',
  description:
    'Tells the kind of source, the prefix and the limits. There is no listing and no stat: the exact key comes from\n' +
    'the user or from a ticket.',
  renderResult: renderSources,
};

const plugins: Action = {
  ...plain,
  name: 'plugins',
  words: ['plugins'],
  summary: 'the installed plugins: each one’s question and what 1 and 0 mean',
  description:
    'Lists the installed, verified plugins: question, meaning of 1 and 0, and the inputs a human types.\n' +
    'Only these questions can be asked.',
  renderResult: renderPlugins,
};

const plan: Action = {
  ...plain,
  name: 'plan',
  words: ['plan'],
  summary: 'submit questions about one file',
  description:
    'Names a key (or the handle of an earlier run) and the plugins to ask. Nothing is touched yet: the plan is checked\n' +
    'and gets an id. With --run the human is asked now, and the answers come back in the same call (up to 5 minutes).\n' +
    'Inputs take placeholders like ${email}, never values: the human types the value.\n' +
    'Each answer is 1, 0, or null with plugin_error, which is not a 0.',
  flags: [
    { name: 'key', param: 'key', kind: 'text', placeholder: 'K', summary: 'the exact key of the file' },
    {
      name: 'handle',
      param: 'handle',
      kind: 'text',
      placeholder: 'H',
      summary: 'more questions on a fetched file',
    },
    {
      name: 'plugin',
      param: 'plugins',
      kind: 'list',
      placeholder: 'X',
      summary: 'a question; repeat for more',
    },
    {
      name: 'input',
      param: 'inputs',
      kind: 'pairs',
      placeholder: "X.NAME='${email}'",
      summary: 'a placeholder for an input of a plugin',
    },
    {
      name: 'intent',
      param: 'intent',
      kind: 'text',
      placeholder: 'T',
      summary: 'why, in one sentence; shown to the human',
    },
    { name: 'run', param: 'run', kind: 'boolean', summary: 'ask for approval and run it now' },
  ],
  waits: true,
  readOnly: false,
  renderResult: renderPlan,
};

const run: Action = {
  ...plain,
  name: 'run',
  words: ['run'],
  summary: 'run a submitted plan once it is approved',
  description:
    'Asks the human for the plan and runs it, once, within 10 minutes and with the policy unchanged.\n' +
    'Waits up to 5 minutes for the human. The answers come back together.',
  operands: { kind: 'one', param: 'plan', name: 'PLAN' },
  waits: true,
  readOnly: false,
  renderResult: renderAnswers,
};

const answers: Action = {
  ...plain,
  name: 'answers',
  words: ['answers'],
  summary: 'what was already answered on a handle',
  description: 'Repeats the answers that the handle has given. Asks nothing new.',
  operands: { kind: 'one', param: 'handle', name: 'HANDLE' },
  renderResult: renderAnswers,
};

const release: Action = {
  ...plain,
  name: 'release',
  words: ['release'],
  summary: 'delete the fetched file now',
  description: 'Deletes the file behind a handle. Do it as soon as no question is left.',
  operands: { kind: 'one', param: 'handle', name: 'HANDLE' },
  readOnly: false,
  renderResult: renderReleased,
};

export const lockfileContract = defineLock({
  name: 'lockfile',
  version: LOCKFILE_VERSION,
  protocolMajor: 1,
  summary: 'yes/no answers about a file that never leaves',
  instructions: [
    'Use lockfile only when the user asked for something about that file.',
    'Call plugins first: only those questions exist. The exact key comes from the user; there is no listing.',
    'An answer is 1 or 0 and means what the plugin says. null with plugin_error is no answer; it is not a 0.',
    'Inputs take placeholders like ${email}; never put a value there.',
    'A human approves each plan: ask for the few questions you need, with an intent. Never retry after a denial.',
    'Release a handle when you are done.',
  ],
  actions: [status, sources, plugins, plan, run, answers, release],
  refusals: LOCKFILE_REFUSALS,
  exitCodes: { ok: 0, pending: 3, refused: 2, denied: 3, noAnswer: 3, noConsole: 1, failed: 1, usage: 64 },
  loadShapes: async () => (await import('../later/shapes.js')).LOCKFILE_SHAPES,
});
