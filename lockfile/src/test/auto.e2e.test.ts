// The auto rule of plans: what it decides alone, and what stays a human's whatever it says.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Screen } from 'lockkit/approval';
import { openTestConsole, type TestConsole } from './test-console.js';

let lock: TestConsole;

beforeAll(async () => {
  lock = await openTestConsole({
    config: 'auto = "full-auto"\n[profiles.samples.limits]\nanswer_quantum = "250ms"\n',
    desktopLevel: 1,
    showResults: true,
  });
  lock.put('a.txt', 'word\n');
  lock.human.screens.length = 0;
});
afterAll(() => lock?.stop());

const asked = (): readonly Screen[] => lock.human.screens.filter(({ question }) => question !== undefined);

test('a plan of official questions runs without a human', async () => {
  const { exit } = await lock.cli('plan', '--key', 'a.txt', '--plugin', 'file.non-empty', '--run', '--json');
  expect([exit, asked().length]).toStrictEqual([0, 0]);
});

test('typed inputs are never decided by a rule; below level 3 the prompt says who may read it', async () => {
  lock.human.decide = (screen) =>
    screen.question?.kind === 'secret' ? { kind: 'secret', value: Buffer.from('word') } : { kind: 'yes' };
  const { json } = await lock.cli(
    ...[
      'plan',
      '--key',
      'a.txt',
      '--plugin',
      'text.contains',
      '--input',
      'text.contains.needle=${w}',
      '--run',
      '--json',
    ],
  );
  expect(json.answers[0].result).toBe(1);
  const [approval, value] = asked();
  expect([approval?.question?.kind, value?.question?.kind]).toStrictEqual(['yes_no', 'secret']);
  expect(value?.warnings).toHaveLength(1);
});

test('no detail is shown at level 1, whatever was asked for at the start', () => {
  expect(lock.human.screens.filter(({ question }) => question === undefined)).toStrictEqual([]);
});
