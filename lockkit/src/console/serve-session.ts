// A console's session while agents may ask: socket, requests, commands, clock, until its end. Called by run-console.ts with
// everything that was opened. What decides tickets is the hub where there is one, and nothing beside it.
import { randomBytes } from 'node:crypto';
import type { Screen } from '../approval/screen.js';
import { untrusted } from '../approval/untrusted.js';
import { socketPath } from '../rpc/socket-path.js';
import { TicketLedger } from '../tickets/ledger.js';
import type { ConsoleAudit } from './console-audit.js';
import { registerCommands } from './console-commands.js';
import type { HubDecider } from './console-hub.js';
import type { ConsoleParts, ConsoleWish } from './console-parts.js';
import type { ConsolePlace } from './console-place.js';
import { makeDispatcher } from './dispatcher.js';
import { EffectDesk } from './effect-desk.js';
import type { Ending } from './ending.js';
import type { LockSession, LockType } from './lock-type.js';
import type { PolicyDesk } from './policy-desk.js';
import { openServer } from './server.js';
import { SessionClock } from './session-clock.js';
import { decideByHuman } from './ticket-decider.js';

export interface Started<P> {
  readonly place: ConsolePlace;
  readonly audit: ConsoleAudit;
  readonly policy: PolicyDesk<P>;
  readonly projectRoot: string | null;
  /** Who decides tickets instead of this terminal. */
  readonly hub: HubDecider | null;
}

export async function serveSession<P>(
  lock: LockType<P>,
  wish: ConsoleWish,
  parts: ConsoleParts,
  started: Started<P>,
  ending: Ending,
  session: LockSession<P>,
): Promise<void> {
  const { place, audit, policy, projectRoot } = started;
  const { human, nowMs, desktopLevel } = parts;
  const { contract } = lock;
  const { profile } = wish;
  void session.lost.then((why) => {
    human.note(['the session is lost: ', untrusted(why)]);
    ending.finish('lost');
  });
  const clock = new SessionClock(parts, () => lock.limits(policy.latest()), ending.finish);
  const results = { shown: wish.showResults && desktopLevel === 3 };
  const ledger = new TicketLedger({ nowMs, randomBytes });
  const desk = new EffectDesk<P>({
    lock: contract.name,
    profile,
    instance: wish.instance ?? '',
    production: lock.production,
    demo: wish.demo !== null,
    decider: started.hub ?? decideByHuman(human, desktopLevel),
    productionLevel: place.settings?.productionLevel ?? 3,
    ledger,
    policy,
    audit: audit.append,
    auditHead: audit.head,
    nowMs,
    after: parts.after,
    makeId: () => `e_${randomBytes(8).toString('hex')}`,
    use: () => clock.use(),
    onClearResult: (screen: Screen) => {
      if (results.shown) void human.show(screen);
    },
  });
  const statusOf = (): Readonly<Record<string, unknown>> => ({
    production: lock.production(policy.latest()),
    desktop_level: desktopLevel,
    ...timesOf(clock),
    policy: policy.isPending() ? 'pending' : 'approved',
    audit: audit.checkpoint(),
  });
  const shapes = await contract.loadShapes();
  const onBug = (): void => ending.finish('failed');
  // A profile that is turned to production while it is served tightens at once: the session ends where it may not be.
  const mayServe = (policyNow: P): boolean => {
    if (!lock.production(policyNow) || (parts.whyNoProduction ?? []).length === 0) return true;
    void audit.append('console.production', { served: false }).catch(() => undefined);
    ending.finish('failed');
    return false;
  };
  const server = await openServer({
    path: socketPath({
      socketDir: place.socketDir,
      projectRoot,
      profile,
      ...(wish.instance === undefined ? {} : { instance: wish.instance }),
    }),
    admission: place.admission,
    nowMs,
    dispatcher: makeDispatcher({
      contract,
      profile,
      shapes,
      session,
      desk,
      policy,
      statusOf,
      audit,
      onBug,
      mayServe,
    }),
    onStranger: (uid) => audit.refusal('stranger', uid),
  });
  const unregister = registerCommands({
    human,
    policy,
    session,
    results,
    desktopLevel,
    profile,
    statusOf,
    ledger,
    finish: ending.finish,
    audit: audit.append,
  });
  human.watch?.(() => ({
    lock: contract.name,
    instance: wish.instance ?? '',
    profile,
    production: lock.production(policy.latest()),
    desktopLevel,
    ...inSeconds(clock),
    policy: policy.isPending() ? 'pending' : 'approved',
  }));
  human.note(['ready: the agent may ask now (:help lists what you can type)']);
  parts.onReady?.();
  await ending.wait();
  unregister();
  clock.stop();
  await server.close();
  desk.close();
}

function inSeconds(clock: SessionClock): { readonly idleInS: number; readonly sessionEndsInS: number } {
  const { idleTimeoutInMs, sessionEndsInMs } = clock.times();
  return {
    idleInS: Math.ceil(idleTimeoutInMs / 1000),
    sessionEndsInS: Math.ceil(sessionEndsInMs / 1000),
  };
}

function timesOf(clock: SessionClock): Readonly<Record<string, number>> {
  const { idleInS, sessionEndsInS } = inSeconds(clock);
  return { idle_timeout_in_s: idleInS, session_ends_in_s: sessionEndsInS };
}
