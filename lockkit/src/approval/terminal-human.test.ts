import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Answer } from './question.js';
import type { Screen } from './screen.js';
import type { Clock } from './terminal.js';
import { openTerminalHuman } from './terminal-human.js';
import { untrusted } from './untrusted.js';

/** A clock that is moved by hand; between its steps everything that waits for I/O runs. */
class HandClock implements Clock {
  private atMs = 0;
  private timers: { readonly dueMs: number; readonly run: () => void }[] = [];
  readonly nowMs = (): number => this.atMs;
  readonly after = (delayMs: number, run: () => void): (() => void) => {
    const timer = { dueMs: this.atMs + delayMs, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  };

  async forward(ms: number): Promise<void> {
    const endMs = this.atMs + ms;
    await drain();
    for (let due = this.next(endMs); due !== undefined; due = this.next(endMs)) {
      this.timers = this.timers.filter((other) => other !== due);
      this.atMs = Math.max(this.atMs, due.dueMs);
      due.run();
      await drain();
    }
    this.atMs = endMs;
  }

  private next(endMs: number): { readonly dueMs: number; readonly run: () => void } | undefined {
    return this.timers.filter((timer) => timer.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0];
  }
}

async function drain(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function seat() {
  const clock = new HandClock();
  const input = new PassThrough();
  const output = new PassThrough();
  const written: string[] = [];
  output.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  const human = openTerminalHuman({ input, output, clock, colour: false });
  const type = async (text: string): Promise<void> => {
    input.write(text);
    await drain();
  };
  return { clock, human, type, input, text: () => written.join('') };
}

function question(title: string, extra: Partial<Screen> = {}): Screen {
  return { title: [title], origin: [], sections: [], warnings: [], question: { kind: 'yes_no' }, ...extra };
}

/** A place that an answer arrives at. */
function watch(answer: Promise<Answer>): { value: Answer | null } {
  const box: { value: Answer | null } = { value: null };
  void answer.then((value) => (box.value = value));
  return box;
}

describe('TerminalHuman.ask', () => {
  test('takes y and Enter as yes, once they were followed by silence', async () => {
    const { clock, human, type, text } = seat();
    const answer = watch(human.ask(question('web · run')));
    await clock.forward(500);
    expect(text()).toContain('╭─ web · run ─────');
    await type('y\n');
    await clock.forward(100);
    expect(answer.value).toBeNull();
    await clock.forward(100);
    expect(answer.value).toEqual({ kind: 'yes' });
    await human.close();
  });

  test('drops what was typed before the question, and in its first moments', async () => {
    const { clock, human, type } = seat();
    await type('y\n');
    const answer = watch(human.ask(question('q')));
    await clock.forward(100);
    await type('y\n');
    await clock.forward(2000);
    expect(answer.value).toBeNull();
    await type('n wrong host\n');
    await clock.forward(200);
    expect(answer.value).toEqual({ kind: 'no', reason: 'wrong host' });
    await human.close();
  });

  test('never takes a paste or a terminal reply, and says that it did not count', async () => {
    const { clock, human, type, text } = seat();
    const answer = watch(human.ask(question('q')));
    await clock.forward(500);
    await type('\u001b[200~y\n\u001b[201~');
    await clock.forward(500);
    await type('y');
    await type('\u001b[1;1R');
    await type('\n');
    await clock.forward(2000);
    expect(answer.value).toBeNull();
    expect(text()).toContain('did not count');
    await human.close();
  });

  test('never takes a line behind whose Enter a reply begins, however slowly it goes on', async () => {
    const { clock, human, type } = seat();
    const answer = watch(human.ask(question('q')));
    await clock.forward(500);
    await type('y\n\u001b');
    await clock.forward(2000);
    await type('[1;1R');
    await clock.forward(2000);
    await type('y\n');
    await clock.forward(100);
    await type('\u001b[200~');
    await clock.forward(5000);
    expect(answer.value).toBeNull();
    await human.close();
  });

  test('answers no_answer in five minutes, and shows the next only after Enter', async () => {
    const { clock, human, type, text } = seat();
    const first = watch(human.ask(question('first')));
    await clock.forward(1000);
    const second = watch(human.ask(question('second')));
    await clock.forward(299_000);
    expect(first.value).toEqual({ kind: 'no_answer' });
    await clock.forward(500);
    expect(text()).not.toContain('second');
    await type('\n');
    await clock.forward(200);
    expect(text()).toContain('second');
    await clock.forward(300_000);
    expect(second.value).toEqual({ kind: 'no_answer' });
    await human.close();
  });

  test('needs Enter after a question was withdrawn under the hand, and its y is not for the next', async () => {
    const { clock, human, type, text } = seat();
    const withdrawal = new AbortController();
    const first = watch(human.ask(question('first'), { signal: withdrawal.signal }));
    const second = watch(human.ask(question('second')));
    await clock.forward(1000);
    withdrawal.abort();
    await clock.forward(10);
    expect(first.value).toEqual({ kind: 'withdrawn' });
    await clock.forward(500);
    await type('y\n');
    await clock.forward(2000);
    expect(text()).toContain('second');
    expect(second.value).toBeNull();
    await type('y\n');
    await clock.forward(200);
    expect(second.value).toEqual({ kind: 'yes' });
    await human.close();
  });

  test('guards a question for a second when the one before it was just answered', async () => {
    const { clock, human, type } = seat();
    const first = watch(human.ask(question('first')));
    const second = watch(human.ask(question('second')));
    await clock.forward(1000);
    await type('y\n');
    await clock.forward(600);
    expect(first.value).toEqual({ kind: 'yes' });
    await type('y\n');
    await clock.forward(3000);
    expect(second.value).toBeNull();
    await human.close();
  });

  test('forgets a question that was withdrawn while it waited', async () => {
    const { clock, human, type, text } = seat();
    const withdrawal = new AbortController();
    const first = watch(human.ask(question('first')));
    const second = watch(human.ask(question('second'), { signal: withdrawal.signal }));
    await clock.forward(500);
    withdrawal.abort();
    await clock.forward(10);
    expect(second.value).toEqual({ kind: 'withdrawn' });
    await type('y\n');
    await clock.forward(500);
    expect(first.value).toEqual({ kind: 'yes' });
    expect(text()).not.toContain('second');
    await human.close();
  });

  test('says how many wait behind a question, and withdraws them all when it is closed', async () => {
    const { clock, human, type, text } = seat();
    const asked = ['a', 'b', 'c', 'd'].map((title) => watch(human.ask(question(title))));
    await clock.forward(500);
    await type('y\n');
    await clock.forward(500);
    expect(text()).toContain('▲ 2 more waiting behind this one');
    await human.close();
    await drain();
    expect(asked.map((answer) => answer.value?.kind)).toEqual(['yes', 'withdrawn', 'withdrawn', 'withdrawn']);
  });

  test('cannot be answered yes while something of the screen is hidden', async () => {
    const { clock, human, type, text } = seat();
    const answer = watch(human.ask(question('q', { origin: [[untrusted('x'.repeat(9000))]] })));
    await clock.forward(500);
    expect(text()).toContain('this cannot be approved');
    await type('y\n');
    await clock.forward(500);
    expect(answer.value).toEqual({ kind: 'no' });
    await human.close();
  });

  test('takes a pasted secret, but only with a typed Enter', async () => {
    const { clock, human, type, text } = seat();
    const screen = question('key', { question: { kind: 'secret', prompt: ['Passphrase:'], maxBytes: 64 } });
    const answer = watch(human.ask(screen));
    await clock.forward(500);
    await type('\u001b[200~hunter2\n\u001b[201~');
    await clock.forward(2000);
    expect(answer.value).toBeNull();
    await type('\n');
    await clock.forward(500);
    expect(answer.value).toEqual({ kind: 'secret', value: new Uint8Array(Buffer.from('hunter2')) });
    expect(text()).not.toContain('hunter2');
    await human.close();
  });

  test('does not trust keys that were read after the process slept', async () => {
    const { clock, human, type } = seat();
    const answer = watch(human.ask(question('q')));
    await clock.forward(500);
    const beat = clock.nowMs;
    Object.defineProperty(clock, 'nowMs', { value: () => beat() + 5000 });
    await clock.forward(150);
    await type('y\n');
    await clock.forward(2000);
    expect(answer.value).toBeNull();
    await human.close();
  });
});

describe('TerminalHuman', () => {
  test('runs commands only while no question waits', async () => {
    const { clock, human, type } = seat();
    const seen: string[] = [];
    human.onCommand(':status', (argument) => void seen.push(`status ${argument}`));
    human.onCommand(':results', () => void seen.push('results'));
    await type(':status now\n');
    await clock.forward(300);
    await type('\u000f');
    expect(seen).toEqual(['status now', 'results']);
    const answer = watch(human.ask(question('q')));
    await clock.forward(1500);
    await type(':status\n');
    await clock.forward(300);
    expect(answer.value).toEqual({ kind: 'no' });
    expect(seen).toHaveLength(2);
    await human.close();
  });

  test('holds notes and screens back while a question is up', async () => {
    const { clock, human, type, text } = seat();
    void human.ask(question('q'));
    await clock.forward(500);
    human.note(['news: ', untrusted('a\u001b[2Jb')]);
    await clock.forward(100);
    expect(text()).not.toContain('news');
    await type('\n');
    await clock.forward(500);
    expect(text()).toContain('news: a\\x1b[2Jb\n');
    await human.close();
  });

  test('is gone, and withdraws what waits, when the input ends or :quit is typed', async () => {
    const ended = seat();
    const answer = watch(ended.human.ask(question('q')));
    await ended.clock.forward(10);
    ended.input.end();
    await drain();
    expect(answer.value).toEqual({ kind: 'withdrawn' });
    expect(ended.human.gone.aborted).toBe(true);
    const quit = seat();
    await quit.type(':quit\n');
    await quit.clock.forward(300);
    expect(quit.human.gone.aborted).toBe(true);
  });
});
