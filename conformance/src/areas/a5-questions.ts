// Asks the terminal form of the human a yes-no question and types keys. Used by the kind `answer` and by the tests of
// what is typed too early.
import { PassThrough } from 'node:stream';
import { openTerminalHuman } from 'lockkit/approval';
import { HandClock, readEverything } from './hand-clock.js';

export interface Typing {
  readonly beforePrompt?: string;
  readonly afterPrompt?: string;
}

/** Whether the keys were a yes. What is typed behind the prompt is typed a second after it appeared. */
export async function isApproved({ beforePrompt = '', afterPrompt = '' }: Typing): Promise<boolean> {
  const clock = new HandClock();
  const input = new PassThrough();
  const output = new PassThrough();
  output.resume();
  const human = openTerminalHuman({ input, output, clock, colour: false });
  input.write(beforePrompt);
  await readEverything();
  const question = { kind: 'yes_no' } as const;
  const answer = human.ask({ title: ['a command'], origin: [], sections: [], warnings: [], question });
  await clock.forward(1000);
  input.write(afterPrompt);
  // Past the end of the question: what is no answer by then is none.
  await clock.forward(400_000);
  await human.close();
  return (await answer).kind === 'yes';
}
