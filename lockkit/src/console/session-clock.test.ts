import { expect, test } from 'vitest';
import { SessionClock } from './session-clock.js';

function openClock(limits: { idleTimeoutMs: number; maxSessionMs: number }) {
  let nowMs = 0;
  let timer: { atMs: number; call: () => void } | undefined;
  const ended: string[] = [];
  const parts = {
    nowMs: () => nowMs,
    after: (ms: number, call: () => void) => {
      timer = { atMs: nowMs + ms, call };
      return () => (timer = undefined);
    },
  };
  const clock = new SessionClock(
    parts,
    () => limits,
    (reason) => ended.push(reason),
  );
  const advance = (ms: number): void => {
    const untilMs = nowMs + ms;
    while (timer && timer.atMs <= untilMs) {
      const { atMs, call } = timer;
      nowMs = atMs;
      timer = undefined;
      call();
    }
    nowMs = untilMs;
  };
  return { clock, advance, ended };
}

test('SessionClock: ends when idle for the limit, counted from the end of the last use', () => {
  const { clock, advance, ended } = openClock({ idleTimeoutMs: 60_000, maxSessionMs: 3_600_000 });
  advance(50_000);
  const done = clock.use();
  advance(120_000);
  expect(ended).toEqual([]);
  done();
  advance(59_000);
  expect(ended).toEqual([]);
  advance(1_001);
  expect(ended).toEqual(['idle']);
});

test('SessionClock: ends at the maximum, used or not', () => {
  const { clock, advance, ended } = openClock({ idleTimeoutMs: 60_000, maxSessionMs: 100_000 });
  clock.use();
  advance(100_001);
  expect(ended).toEqual(['maximum']);
});

test('SessionClock: a tightened limit counts at once, within its step', () => {
  const limits = { idleTimeoutMs: 600_000, maxSessionMs: 3_600_000 };
  const { advance, ended } = openClock(limits);
  advance(30_000);
  limits.idleTimeoutMs = 20_000;
  advance(5_000);
  expect(ended).toEqual(['idle']);
});
