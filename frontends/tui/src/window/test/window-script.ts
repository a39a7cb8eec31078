// A small console in a real window: `:review` asks, `:status` asks a little later, `:unmask` asks for a secret, `:results`
// asks for a typed name, `:reopen` throws. Answers are appended to the file named by the first argument; the second
// names a file of screens (JSON, one a line) that are asked at the start.
import { appendFileSync, readFileSync } from 'node:fs';
import { argvText, processClock, untrusted, type Question, type Screen } from 'lockkit/approval';
import { openWindowHuman } from '../window-human.js';

const [answers = '', screens] = process.argv.slice(2);
const human = openWindowHuman({
  input: process.stdin,
  output: process.stdout,
  clock: processClock,
  colour: !process.env['NO_COLOR'],
  name: 'test',
  now: () => new Date(0),
});

async function ask(screen: Screen): Promise<void> {
  const answer = await human.ask(screen, {
    about: { ticket: 't_0123456789ABCDEF', kind: 'exec', risk: 'write' },
  });
  const value = answer.kind === 'secret' ? Buffer.from(answer.value).toString() : answer.kind;
  appendFileSync(answers, `${value}\n`);
}

const screenOf = (question: Question): Screen => ({
  title: ['web', ' · run'],
  origin: [['agent: ', untrusted('\u001b[2Jcheck │ it')]],
  sections: [{ kind: 'facts', facts: [{ label: 'argv', value: [argvText(['df', '-h', ''])] }] }],
  warnings: [],
  question,
});

human.onCommand(':review', () => ask(screenOf({ kind: 'yes_no' })));
human.onCommand(':status', () => {
  human.note(['a question comes']);
  setTimeout(() => void ask(screenOf({ kind: 'yes_no' })), 700);
});
human.onCommand(':unmask', () => ask(screenOf({ kind: 'secret', prompt: ['Passphrase:'], maxBytes: 64 })));
human.onCommand(':results', () =>
  ask(screenOf({ kind: 'typed', prompt: ['type the name'], expected: 'web' })),
);
human.onCommand(':reopen', () => {
  throw new Error('a bug');
});
human.watch?.(() => ({
  lock: 'test',
  instance: '',
  profile: 'web',
  production: false,
  desktopLevel: 3,
  idleInS: 1200,
  sessionEndsInS: 14_400,
  policy: 'approved',
}));
human.note(['ready']);
if (screens !== undefined)
  for (const line of readFileSync(screens, 'utf8').trim().split('\n')) void ask(JSON.parse(line) as Screen);
human.gone.addEventListener('abort', () => void human.close());
