// A small real console on the terminal it is started in: `:review` asks, `:status` asks a little later, `:unmask` asks for a secret, `:reopen` throws.
// Answers are appended to the file named by the first argument.
import { appendFileSync } from 'node:fs';
import { openTerminalHuman } from '../terminal-human.js';
import { processClock } from '../terminal.js';
import type { Question } from '../question.js';
import { argvText, untrusted } from '../untrusted.js';

const answers = process.argv[2] ?? '';
const human = openTerminalHuman({
  input: process.stdin,
  output: process.stdout,
  clock: processClock,
  colour: true,
});

async function ask(question: Question): Promise<void> {
  const answer = await human.ask({
    title: ['web', ' · run'],
    origin: [['agent: ', untrusted('\u001b[2Jcheck │ it')]],
    sections: [{ kind: 'facts', facts: [{ label: 'argv', value: [argvText(['df', '-h', ''])] }] }],
    warnings: [],
    question,
  });
  appendFileSync(
    answers,
    `${answer.kind === 'secret' ? Buffer.from(answer.value).toString() : answer.kind}\n`,
  );
}

human.onCommand(':review', () => ask({ kind: 'yes_no' }));
human.onCommand(':status', () => {
  human.note(['a question comes']);
  setTimeout(() => void ask({ kind: 'yes_no' }), 700);
});
human.onCommand(':unmask', () => ask({ kind: 'secret', prompt: ['Passphrase:'], maxBytes: 64 }));
human.onCommand(':reopen', () => {
  throw new Error('a bug');
});
human.note(['ready']);
human.gone.addEventListener('abort', () => void human.close());
