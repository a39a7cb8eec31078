import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  APPEARANCE_GUARD_MS,
  decideKey,
  decideQuiet,
  distrust,
  openGuard,
  QUIET_MS,
  type KeyClass,
} from './answer-guard.js';

interface Event {
  readonly key: KeyClass;
  readonly atMs: number;
}

/** The times at which a line counted, each with the keys of that line. */
function play(
  events: readonly Event[],
  guardMs = APPEARANCE_GUARD_MS,
): { from: number; to: number; keys: number }[] {
  let guard = openGuard(0, guardMs);
  const lines: { from: number; to: number; keys: number }[] = [];
  let taken: number[] = [];
  for (const [index, event] of events.entries()) {
    const decided = decideKey(guard, event.key, event.atMs);
    guard = decided.guard;
    if (decided.effect === 'take' || decided.effect === 'enter') taken.push(event.atMs);
    else taken = [];
    const nextMs = events[index + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    if (decideQuiet(guard, nextMs)) {
      lines.push({ from: taken[0] ?? event.atMs, to: event.atMs, keys: taken.length });
      guard = openGuard(event.atMs, 0);
      taken = [];
    }
  }
  return lines;
}

const y = (atMs: number): Event => ({ key: 'text', atMs });
const enter = (atMs: number): Event => ({ key: 'enter', atMs });
const foreign = (atMs: number): Event => ({ key: 'foreign', atMs });

describe('decideKey', () => {
  test.each<[string, Event[], number]>([
    ['y and Enter after the guard', [y(400), enter(450)], 1],
    ['Enter alone after the guard', [enter(400)], 1],
    ['keys before the question', [y(-50), enter(-40)], 0],
    ['keys within 300 ms', [y(100), enter(200)], 0],
    ['a letter too early and its Enter in time', [y(200), enter(450)], 0],
    ['a stream of typing that runs into the question', [y(100), y(200), y(320), enter(420)], 0],
    ['typing that goes on behind the Enter', [y(500), enter(550), y(600)], 0],
    ['a terminal reply just before', [foreign(390), y(400), enter(450)], 0],
    ['a terminal reply in the line', [y(400), foreign(420), enter(450)], 0],
    ['a terminal reply just behind', [y(400), enter(450), foreign(500)], 0],
    ['a reply long before', [foreign(310), y(500), enter(600)], 1],
    ['an answer again, after one that was spoiled and ended', [y(200), enter(450), y(700), enter(800)], 1],
    ['an answer again, a second after one that was spoiled', [y(400), foreign(420), y(1500), enter(1600)], 1],
  ])('%s', (_name, events, lines) => {
    expect(play(events)).toHaveLength(lines);
  });

  test('never lets a line count that began too early or stood among other keys', () => {
    const step = fc.record({
      key: fc.constantFrom<KeyClass>('text', 'edit', 'enter', 'foreign'),
      gapMs: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 1500 })),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        let atMs = -200;
        const events = steps.map(({ key, gapMs }) => ({ key, atMs: (atMs += gapMs) }));
        for (const line of play(events)) {
          expect(line.from).toBeGreaterThanOrEqual(APPEARANCE_GUARD_MS);
          const outside = events.filter((event) => event.atMs > line.to);
          expect(outside.every((event) => event.atMs - line.to >= QUIET_MS)).toBe(true);
          const inside = events.filter((event) => event.atMs > line.from && event.atMs < line.to);
          expect(inside.every((event) => event.key !== 'foreign')).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('distrust', () => {
  test('spoils a line that was begun before the process slept', () => {
    const begun = decideKey(openGuard(0, 300), 'text', 400).guard;
    expect(decideKey(distrust(begun, 5000), 'enter', 5001).effect).toBe('spoil');
  });
});
