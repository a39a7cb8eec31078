// Prompt safety, measured: 10,000 trials of bytes that were typed ahead, pasted, or sent by a terminal. None of them may
// approve. The bytes go through the real window, key by key, on a clock that the trial moves.
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openTestWindow, screenOf, yesNo } from '../test/test-window.js';

const TRIALS = 10_000;
const at = openTestWindow();

afterAll(() => at.window.close());

/** What a person who wants to approve would type, in every spelling of Enter. */
const approval = fc.constantFrom(
  'y\r',
  'Y\r',
  'y\n',
  'y\r\n',
  'yy\x7f\r',
  'x\x15y\r',
  '\ry\r',
  'y\r\ry\r',
  'web\r',
);

/** Replies, reports and keys that a terminal sends, with an approval inside where the form can hold one. */
const reply = approval.chain((inside) =>
  fc.constantFrom(
    '\x1b[24;80R',
    '\x1b[?62;4c',
    '\x1b[>0;276;0c',
    '\x1b[0n',
    '\x1b[I',
    '\x1b[O',
    '\x1b[M !!',
    '\x1b[<0;10;10M',
    '\x1b[8;24;80t',
    '\x1b[1;5A',
    '\x1b[15~',
    '\x1b[?2004;1$y',
    '\x1b[?1;2y',
    `\x1b]52;c;${Buffer.from(inside).toString('base64')}\x07`,
    `\x1b]11;rgb:0000/0000/0000\x1b\\`,
    `\x1b]l${inside}\x1b\\`,
    `\x1bP1$r${inside}\x1b\\`,
    `\x1bP>|${inside}\x1b\\`,
    `\x1b_G${inside}\x1b\\`,
    `\x1bX${inside}\x1b\\`,
    '\x05',
    '\x1b',
  ),
);
const paste = fc
  .tuple(fc.constantFrom('', 'a', '\r', '\x1b[200~'), approval)
  .map(([before, inside]) => `\x1b[200~${before}${inside}\x1b[201~`);

/** Cuts a text at any places: a terminal hands over what it has. */
const cut = (text: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.tuple(text, fc.array(fc.nat(40), { maxLength: 3 })).map(([whole, places]) => {
    const ends = [...new Set(places.filter((place) => place < whole.length)), whole.length].sort(
      (a, b) => a - b,
    );
    return ends.map((end, index) => whole.slice(index === 0 ? 0 : ends[index - 1], end));
  });

interface Trial {
  readonly kind: string;
  /** Bytes before the question comes. */
  readonly before: readonly string[];
  /** From the question to the bytes behind it. */
  readonly waitMs: number;
  readonly behind: readonly string[];
  /** Between the pieces. */
  readonly gapMs: number;
}

const early: fc.Arbitrary<Trial> = fc.record({
  kind: fc.constant('typed ahead'),
  before: cut(approval),
  waitMs: fc.integer({ min: 0, max: 290 }),
  behind: cut(approval),
  gapMs: fc.constant(0),
});
const pasted: fc.Arbitrary<Trial> = fc.record({
  kind: fc.constant('pasted'),
  before: fc.constant([]),
  waitMs: fc.integer({ min: 0, max: 5000 }),
  behind: cut(paste),
  gapMs: fc.integer({ min: 0, max: 90 }),
});
const replied: fc.Arbitrary<Trial> = fc.record({
  kind: fc.constant('a reply'),
  before: fc.constant([]),
  waitMs: fc.integer({ min: 0, max: 5000 }),
  behind: cut(reply),
  gapMs: fc.integer({ min: 0, max: 90 }),
});
/** Keys that a human might have typed, but a paste or a reply is right before, within or right behind them. */
const mixed: fc.Arbitrary<Trial> = fc.record({
  kind: fc.constant('among replies'),
  before: fc.constant([]),
  waitMs: fc.integer({ min: 0, max: 5000 }),
  behind: fc.oneof(
    fc.tuple(fc.oneof(reply, paste), approval).map(([foreign, typed]) => [foreign, typed]),
    fc.oneof(reply, paste).map((foreign) => ['y', foreign, '\r']),
    fc.tuple(approval, fc.oneof(reply, paste)).map(([typed, foreign]) => [typed, foreign]),
  ),
  gapMs: fc.integer({ min: 0, max: 90 }),
});

const counted = new Map<string, number>();
let trials = 0;

async function play(trial: Trial): Promise<void> {
  const id = `t${trials++}`;
  for (const piece of trial.before) await at.type(piece);
  at.ask(id, screenOf('trial', yesNo));
  at.clock.forward(trial.waitMs);
  for (const piece of trial.behind) {
    await at.type(piece);
    at.clock.forward(trial.gapMs);
  }
  // Long past every silence that a line needs.
  at.clock.forward(2500);
  if (at.answers[id]?.kind === 'yes') throw new Error(`approved by ${JSON.stringify(trial)}`);
  counted.set(trial.kind, (counted.get(trial.kind) ?? 0) + 1);
  at.window.withdraw(id, 'the trial is over');
  delete at.answers[id];
  // Silence first, so that nothing of the trial is left; then Enter, as a person goes on.
  at.clock.forward(2500);
  await at.type('\r');
  at.clock.forward(2500);
}

test(`${TRIALS} trials of bytes that nobody typed as an answer give no approval`, async () => {
  await fc.assert(fc.asyncProperty(fc.oneof(early, pasted, replied, mixed), play), { numRuns: TRIALS });
  expect(trials).toBe(TRIALS);
  expect([...counted.values()].reduce((sum, count) => sum + count, 0)).toBe(TRIALS);
  console.info(`no approval in ${TRIALS} trials: ${JSON.stringify(Object.fromEntries(counted))}`);
}, 300_000);

test('the trials would see an approval: the same keys, typed by a person, give one', async () => {
  at.ask('person', screenOf('trial', yesNo));
  at.clock.forward(1500);
  await at.type('y');
  at.clock.forward(200);
  await at.type('\r');
  at.clock.forward(500);
  expect(at.answers['person']).toEqual({ kind: 'yes' });
});
