// docs/refusals.md is made from the tables of both locks: it cannot say anything else. `npx vitest run test/refusals
// -u` writes it anew.
import { expect, test } from 'vitest';
import { COMMON_REFUSALS, type LockContract, type RefusalTable } from 'lockkit/contract';
import { lockfileContract } from '../lockfile/src/contract/lockfile-contract.js';
import { locksshContract } from '../lockssh/src/contract/lockssh-contract.js';

const RETRY = { rewrite: 'rewrite the request', ask_user: 'ask the user', stop: 'stop' } as const;

function rowsOf(table: RefusalTable): string {
  const rows = Object.entries(table).map(
    ([code, { meaning, hint, retry, number }]) =>
      `| \`${code}\` | ${number} | ${meaning} | ${hint} | ${RETRY[retry]} |`,
  );
  return ['| code | number | meaning | hint | retry |', '| --- | --- | --- | --- | --- |', ...rows, ''].join(
    '\n',
  );
}

function ownOf({ refusals }: LockContract): RefusalTable {
  return Object.fromEntries(Object.entries(refusals).filter(([code]) => !(code in COMMON_REFUSALS)));
}

test('docs/refusals.md says what the tables say', async () => {
  const text = [
    '# Refusals',
    '',
    'What an agent gets instead of a result: a code, a static hint and a retry rule. Nothing of the request is in it.',
    '',
    '## Of every lock',
    '',
    rowsOf(COMMON_REFUSALS),
    '## lockssh',
    '',
    rowsOf(ownOf(locksshContract)),
    '## lockfile',
    '',
    rowsOf(ownOf(lockfileContract)),
  ].join('\n');
  await expect(text).toMatchFileSnapshot('../docs/refusals.md');
});

test('every refusal has a sentence that says what to do', () => {
  for (const { refusals } of [locksshContract, lockfileContract])
    for (const [code, { meaning, hint }] of Object.entries(refusals)) {
      expect(code).toMatch(/^E_[A-Z_]+$/);
      expect(meaning.length > 10 && hint.length > 3, code).toBe(true);
    }
});
