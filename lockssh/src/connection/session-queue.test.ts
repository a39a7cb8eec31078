import { expect, it } from 'vitest';
import { SessionQueue } from './session-queue.js';

const never = new AbortController().signal;

it('SessionQueue: the next in order starts when one is released, once', async () => {
  const queue = new SessionQueue(1);
  const started: string[] = [];
  const first = await queue.take(never);
  const second = queue.take(never).then((turn) => (started.push('second'), turn));
  const third = queue.take(never).then((turn) => (started.push('third'), turn));
  first.release();
  first.release();
  (await second).release();
  await third;
  expect(started).toEqual(['second', 'third']);
  expect(queue.active).toBe(1);
});

it('SessionQueue: one that gives up leaves the queue', async () => {
  const queue = new SessionQueue(1);
  const turn = await queue.take(never);
  const abort = new AbortController();
  const gone = queue.take(abort.signal);
  abort.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  turn.release();
  expect(queue.active).toBe(0);
  await expect(queue.take(abort.signal)).rejects.toThrow('gone');
});

it('SessionQueue: shrinks to the others that are open, and not below one', async () => {
  const queue = new SessionQueue(10);
  const turns = [await queue.take(never), await queue.take(never), await queue.take(never)];
  expect(queue.shrink()).toBe(true);
  turns[2]?.release();
  let isWaiting = true;
  const waiting = queue.take(never).then((turn) => ((isWaiting = false), turn));
  await Promise.resolve();
  expect(isWaiting).toBe(true);
  turns[0]?.release();
  (await waiting).release();
  turns[1]?.release();
  await queue.take(never);
  expect(queue.shrink()).toBe(false);
});
