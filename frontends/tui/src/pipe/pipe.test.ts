import { PassThrough } from 'node:stream';
import type { Answer, CommandHandler, Screen } from 'lockkit/approval';
import { describe, expect, test } from 'vitest';
import { HandClock } from '../test/hand-clock.js';
import { openConsolePipe } from './console-pipe.js';
import { openPipeHuman } from './pipe-human.js';

const screen = (question?: Screen['question']): Screen => ({
  title: ['x'],
  origin: [],
  sections: [],
  warnings: [],
  ...(question === undefined ? {} : { question }),
});
const yesNo = screen({ kind: 'yes_no' });

/** Both ends of a pipe, and a window that only remembers. */
function openBoth() {
  const clock = new HandClock();
  const [toWindow, toConsole] = [new PassThrough(), new PassThrough()];
  const asked = new Map<string, (answer: Answer) => void>();
  const commands = new Map<string, CommandHandler>();
  const seen: string[] = [];
  const broken: string[] = [];
  const window = {
    ask: (item: { id: string }, settle: (answer: Answer) => void) => void asked.set(item.id, settle),
    show: (item: { id: string }) => void seen.push(`show ${item.id}`),
    note: (_source: string, line: unknown) => void seen.push(JSON.stringify(line)),
    withdraw: (id: string, why: string) => void (asked.delete(id), seen.push(`${id}: ${why}`)),
    setSource: ({ state }: { state: string }) => void seen.push(state),
    onCommand: (_source: string, name: string, handler: CommandHandler) => {
      commands.set(name, handler);
      return () => void commands.delete(name);
    },
  };
  const who = { lock: 'lockssh', instance: '', profile: 'web' };
  const close = openConsolePipe({
    window,
    source: 'c1',
    name: 'web',
    expected: who,
    input: toWindow,
    output: toConsole,
    clock,
    onTicketKey: (key) => void seen.push(`key ${key}`),
    onBroken: (why) => void broken.push(why),
  });
  const open = (me = who) => openPipeHuman({ input: toConsole, output: toWindow, clock, ...me });
  return { clock, toWindow, toConsole, asked, commands, seen, broken, close, open };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('openPipeHuman and openConsolePipe', () => {
  test('carry a question and its answer', async () => {
    const { open, asked } = openBoth();
    const answer = open().ask(yesNo);
    await settled();
    asked.get('c1 1')?.({ kind: 'no', reason: 'not now' });
    expect(await answer).toEqual({ kind: 'no', reason: 'not now' });
  });

  test('carry a secret, and wipe the window’s copy', async () => {
    const { open, asked } = openBoth();
    const answer = open().ask(screen({ kind: 'secret', prompt: ['p'], maxBytes: 64 }));
    await settled();
    const value = Uint8Array.from([0, 255, 10]);
    asked.get('c1 1')?.({ kind: 'secret', value });
    expect(await answer).toEqual({ kind: 'secret', value: Uint8Array.from([0, 255, 10]) });
    expect([...value]).toEqual([0, 0, 0]);
  });

  test('take a question back when it was withdrawn, and when no answer came in time', async () => {
    const { open, seen, clock } = openBoth();
    const human = open();
    const stop = new AbortController();
    const first = human.ask(yesNo, { signal: stop.signal });
    const second = human.ask(yesNo, { timeoutMs: 1000 });
    stop.abort();
    clock.forward(1000);
    await settled();
    expect([(await first).kind, (await second).kind]).toEqual(['withdrawn', 'no_answer']);
    expect(seen).toEqual(['c1 1: this question was withdrawn', 'c1 2: no answer came in time']);
  });

  test('ignore an answer that came after the question was taken back', async () => {
    const { open, asked, clock } = openBoth();
    const human = open();
    const first = human.ask(yesNo, { timeoutMs: 1000 });
    await settled();
    const late = asked.get('c1 1');
    clock.forward(1000);
    late?.({ kind: 'yes' });
    await settled();
    expect((await first).kind).toBe('no_answer');
    expect(human.gone.aborted).toBe(false);
  });

  test('carry the key that signs the console’s tickets', async () => {
    const { open, seen } = openBoth();
    open().tellTicketKey('k'.repeat(43));
    await settled();
    expect(seen).toEqual([`key ${'k'.repeat(43)}`]);
  });

  test('offer the commands of the console, and take them off', async () => {
    const { open, commands } = openBoth();
    const human = open();
    const typed: string[] = [];
    const off = human.onCommand(':review', (argument) => void typed.push(argument));
    await settled();
    void commands.get(':review')?.('now');
    await settled();
    expect(typed).toEqual(['now']);
    off();
    await settled();
    expect(commands.size).toBe(0);
  });

  test.each([
    ['the pipe ends', (end: PassThrough) => void end.end()],
    ['the window says what is no message', (end: PassThrough) => void end.write('yes\n')],
    ['the window greets twice', (end: PassThrough) => void end.write('{"kind":"hello","v":1}\n')],
    [
      'the window answers what was never asked',
      (end: PassThrough) => void end.write('{"kind":"answer","id":9,"answer":{"kind":"yes"}}\n'),
    ],
    [
      'the window answers a typed question with a secret',
      (end: PassThrough) =>
        void end.write('{"kind":"answer","id":1,"answer":{"kind":"secret","value":""}}\n'),
    ],
    ['a line is too long', (end: PassThrough) => void end.write('x'.repeat(1024 * 1024 + 1))],
  ])('withdraw everything and leave when %s', async (_name, spoil) => {
    const { open, toConsole } = openBoth();
    const human = open();
    const answer = human.ask(yesNo);
    await settled();
    spoil(toConsole);
    expect((await answer).kind).toBe('withdrawn');
    expect(human.gone.aborted).toBe(true);
  });

  test.each([
    ['no message', 'x\n', 'not the window protocol'],
    [
      'a second hello',
      '{"kind":"hello","v":1,"lock":"lockssh","instance":"","profile":"web"}\n',
      'not the window protocol',
    ],
    [
      'an id that was used',
      `${JSON.stringify({ kind: 'show', id: 1, screen: screen() })}\n`.repeat(2),
      'not the window protocol',
    ],
    ['a line without an end', 'x'.repeat(1024 * 1024 + 1), 'not the window protocol'],
  ])('end a console that says %s', async (_name, line, why) => {
    const { open, toWindow, broken } = openBoth();
    open();
    toWindow.write(line);
    await settled();
    expect(broken).toEqual([why]);
  });

  test('end a console that is another than was started, and one of another version', async () => {
    const one = openBoth();
    one.open({ lock: 'lockssh', instance: '', profile: 'db' });
    await settled();
    expect(one.broken).toEqual(['another console than was started']);
    const two = openBoth();
    two.toWindow.write('{"kind":"hello","v":2,"lock":"lockssh","instance":"","profile":"web"}\n');
    await settled();
    expect(two.broken).toEqual(['not the window protocol']);
  });

  test('end a console that asks without measure', async () => {
    const { open, broken, asked } = openBoth();
    const human = open();
    for (let i = 0; i < 600; i++) void human.ask(yesNo);
    await settled();
    await expect.poll(() => broken).toEqual(['too much at once']);
    expect(asked.size).toBe(512);
  });
});
