import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import type { LockContract } from '../contract/lock.js';
import { COMMON_REFUSALS } from '../contract/refusals.js';
import { accepted } from '../contract/outcome.js';
import { makeDispatcher, type DispatcherParts } from './dispatcher.js';
import type { Step } from './lock-type.js';

const effect: Step = {
  kind: 'effect',
  subject: {},
  needs: [],
  risk: 'read',
  record: {},
  screen: () => ({ title: [], origin: [], sections: [], warnings: [] }),
  run: () => Promise.resolve({ result: {}, record: {} }),
};

function dispatcherOf(readOnly: boolean, step: Step) {
  const ran: string[] = [];
  const action = { name: 'look', words: ['look'], readOnly, waits: false };
  const contract = {
    name: 'sample',
    actions: [action],
    refusals: COMMON_REFUSALS,
  } as unknown as LockContract;
  const parts = {
    contract,
    profile: 'web',
    shapes: { look: { input: z.strictObject({}), output: z.strictObject({}) } },
    session: { handlers: { look: () => accepted(step) } },
    desk: { handle: () => Promise.resolve(accepted(void ran.push('effect'))) },
    policy: { refresh: () => Promise.resolve(accepted({ value: {}, fingerprint: 'f' })) },
    statusOf: () => ({}),
    audit: { refusal: () => undefined, append: () => Promise.resolve() },
    mayServe: () => true,
    onBug: () => undefined,
  } as unknown as DispatcherParts<object>;
  const { dispatch } = makeDispatcher(parts);
  const peer = { uid: 1, gid: 1, pid: 1, exe: null } as never;
  return { ran, look: () => dispatch('look', {}, peer, new AbortController().signal) };
}

describe('makeDispatcher', () => {
  test('an effect of a read-only action is a bug of the lock: it never starts', async () => {
    const { ran, look } = dispatcherOf(true, effect);
    await expect(look()).rejects.toThrow(Error);
    expect(ran).toEqual([]);
  });

  test.each<[string, boolean, Step, readonly string[]]>([
    ['an effect of another action goes to the desk', false, effect, ['effect']],
    ['an answer of a read-only action needs no desk', true, { kind: 'answer', result: {} }, []],
  ])('%s', async (_title, readOnly, step, expected) => {
    const { ran, look } = dispatcherOf(readOnly, step);
    expect(await look()).toMatchObject({ ok: true });
    expect(ran).toEqual(expected);
  });
});
