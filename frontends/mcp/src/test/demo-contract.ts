// A lock of the tests: a contract with every kind of action, and nothing behind it but the wire.
// It prints to standard output while it loads, as careless libraries do.
import { type Action, defineLock } from 'lockkit/contract';

const base: Action = {
  name: 'echo',
  words: ['echo'],
  summary: 'gives back what it got',
  description: 'Gives back its parameters.',
  flags: [],
  operands: { kind: 'none' },
  mcp: true,
  waits: false,
  readOnly: false,
};

export const demoContract = defineLock({
  name: 'lockdemo',
  version: '1.2.3',
  protocolMajor: 1,
  summary: 'a lock for tests',
  instructions: ['Send an argv.'],
  actions: [
    base,
    { ...base, name: 'rule.add', words: ['rule', 'add'], summary: 'a name with a dot' },
    { ...base, name: 'facts', words: ['facts'], summary: 'tells what is known', readOnly: true },
    { ...base, name: 'ask', words: ['ask'], summary: 'waits for a human', waits: true },
    { ...base, name: 'text', words: ['text'], summary: 'gives a text', tool: 'text_of' },
    { ...base, name: 'logout', words: ['logout'], summary: 'command line only', mcp: false },
  ],
  refusals: {
    E_DEMO: {
      number: -32001,
      meaning: 'a refusal of the demo',
      hint: 'write it otherwise',
      retry: 'rewrite',
    },
  },
  exitCodes: { ok: 0, pending: 1, refused: 1, denied: 1, noAnswer: 1, noConsole: 2, failed: 1, usage: 3 },
  loadShapes: async () => {
    console.log('a library says hello on standard output');
    process.stdout.write('and so does another\n');
    return (await import('./demo-shapes.js')).DEMO_SHAPES;
  },
});
