// No interleaving of asks, decisions, expiry, policy changes, retries and crashes runs a ticket twice, runs other bytes
// than the screen showed, or runs under another policy: every reachable state to a depth, and random orders of the
// single steps inside.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TICKET_LIMITS } from '../tickets/ticket.js';
import { DeskWorld } from './test/desk-world.js';

const [A, B] = [['id'], ['id', 'x']] as const;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What can happen in one step. The ticket is always the latest that was shown: older ones are reached by replays. */
const STEPS: Readonly<Record<string, (world: DeskWorld) => unknown>> = {
  'ask A': (world) => world.ask(A, 1000),
  'ask B': (world) => world.ask(B, 1000),
  'retry A': (world) => world.ask(A, 1000, world.shown.at(-1)?.id ?? 'none'),
  'retry A with the first ticket': (world) => world.ask(A, 1000, world.shown[0]?.id ?? 'none'),
  'retry B': (world) => world.ask(B, 1000, world.shown.at(-1)?.id ?? 'none'),
  'another account’s retry': (world) => world.ask(A, 1001, world.shown.at(-1)?.id ?? 'none'),
  approve: (world) => decide(world, 'human'),
  deny: (world) => decide(world, 'denial'),
  'approve by rule': (world) => decide(world, 'auto'),
  forge: (world) => decide(world, 'stranger'),
  replay: (world) => world.replayAll(),
  withdraw: (world) => world.withdraw(world.shown.at(-1)?.id ?? 'none'),
  'wait six minutes': (world) => (world.nowMs += 6 * 60_000),
  'change the policy': (world) => (world.policy = world.policy === 'f' ? 'g' : 'f'),
  crash: (world) => world.crash(),
};

function decide(world: DeskWorld, as: Parameters<DeskWorld['sign']>[1]): void {
  const ticket = world.shown.at(-1);
  if (ticket) world.deliver(ticket.id, world.sign(ticket, as));
}

async function replay(steps: readonly string[]): Promise<DeskWorld> {
  const world = new DeskWorld();
  for (const step of steps) {
    void STEPS[step]?.(world);
    await settled();
  }
  return world;
}

describe('EffectDesk: every state', () => {
  test('breadth first: nothing runs twice, other than shown, under another policy, unsigned or unrecorded', async () => {
    const DEPTH = 5;
    const seen = new Set<string>();
    let front: (readonly string[])[] = [[]];
    let runs = 0;
    for (let depth = 0; depth < DEPTH; depth++) {
      const next: (readonly string[])[] = [];
      for (const steps of front)
        for (const step of Object.keys(STEPS)) {
          const path = [...steps, step];
          const world = await replay(path);
          if (world.broken.length > 0) throw new Error(`${world.broken.join('; ')} after ${path.join(', ')}`);
          runs += world.ran.length;
          const key = world.key();
          // More than two tickets or one run say nothing that two and one do not.
          if (seen.has(key) || world.shown.length > 2) continue;
          seen.add(key);
          next.push(path);
        }
      front = next;
    }
    // The exploration reached what it is about: things ran, in many states.
    expect(seen.size).toBeGreaterThan(100);
    expect(runs).toBeGreaterThan(10);
  });

  test('an approved request does run once, and its retry does not', async () => {
    const world = await replay(['ask A', 'approve', 'retry A', 'retry A']);
    expect(world.ran).toEqual([{ ticket: world.shown[0]?.id, argv: A }]);
  });

  test('time: an approval is usable for ten minutes, and not longer', async () => {
    expect((await replay(['ask A', 'approve', 'wait six minutes', 'retry A'])).ran).toHaveLength(1);
    const late = ['ask A', 'approve', 'wait six minutes', 'wait six minutes', 'retry A'];
    expect((await replay(late)).ran).toHaveLength(0);
    expect(TICKET_LIMITS.useMs).toBe(10 * 60_000);
  });
});

describe('EffectDesk: every order of the single steps', () => {
  const step = fc.constantFrom(...Object.keys(STEPS));

  test('whatever happens between two records of one request, the same holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(step, { minLength: 3, maxLength: 10 }),
        async (order, steps) => {
          const world = new DeskWorld((what) =>
            order.schedule(Promise.resolve(), what).then(() => undefined),
          );
          // The first two are what most orders need: something that was asked and approved.
          for (const one of ['ask A', 'approve', ...steps]) {
            void Promise.resolve(STEPS[one]?.(world)).catch(() => undefined);
            if (order.count() > 0) await order.waitOne();
            await settled();
          }
          while (order.count() > 0) {
            await order.waitOne();
            await settled();
          }
          expect(world.broken).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('two retries at once with one approved ticket: exactly one runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (order) => {
        let isLate = false;
        const world = new DeskWorld((what) =>
          isLate ? order.schedule(Promise.resolve(), what).then(() => undefined) : Promise.resolve(),
        );
        await world.ask(A, 1000);
        decide(world, 'human');
        await settled();
        isLate = true;
        const id = world.shown[0]?.id ?? '';
        const retries = Promise.all([world.ask(A, 1000, id), world.ask(A, 1000, id)]);
        await order.waitFor(retries);
        expect(world.ran).toHaveLength(1);
        expect((await retries).filter(({ ok }) => ok)).toHaveLength(1);
        expect(world.broken).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
