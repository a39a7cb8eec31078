// A running console, from start to end: harden, place, audit, policy, session, socket, commands, shutdown.
// Called by a lock's `console` command and by the demo. Reads as the table of contents of what a console is.
import { randomBytes } from 'node:crypto';
import type { Human } from '../approval/human.js';
import { untrusted } from '../approval/untrusted.js';
import type { Screen } from '../approval/screen.js';
import { openConsoleAudit, type ConsoleAudit } from './console-audit.js';
import { Fault, UserMistake } from '../contract/fault.js';
import { hardenProcess } from '../native/kernel.js';
import { openPolicyStore } from '../policy/store.js';
import { socketPath } from '../rpc/socket-path.js';
import { TicketLedger } from '../tickets/ledger.js';
import { auditFolder } from '../setting/audit-folder.js';
import { findConsolePlace, type ConsolePlace, type DemoFolder } from './console-place.js';
import { registerCommands } from './console-commands.js';
import { makeDispatcher } from './dispatcher.js';
import { EffectDesk } from './effect-desk.js';
import { openConsoleHub, type HubDecider } from './console-hub.js';
import type { LockSession, LockType, SessionStart } from './lock-type.js';
import { PolicyDesk } from './policy-desk.js';
import { openServer } from './server.js';
import { SessionClock } from './session-clock.js';
import { decideByHuman } from './ticket-decider.js';

export interface ConsoleWish {
  readonly profile: string;
  readonly projectDir: string;
  readonly instance?: string;
  readonly allowUnmask: boolean;
  readonly showResults: boolean;
  readonly allowedUids: readonly number[];
  readonly demo: DemoFolder | null;
  /** Tickets are decided through this hub and nowhere else. */
  readonly hub?: { readonly url: string; readonly keyFile: string };
}

export interface ConsoleParts {
  readonly human: Human;
  readonly uid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly after: (ms: number, call: () => void) => () => void;
  /** Aborted by SIGINT, SIGTERM, SIGHUP. */
  readonly signal: AbortSignal;
  readonly desktopLevel: 1 | 2 | 3;
  /** Sentences: why this console must not serve a production profile. Empty or absent: it may. */
  readonly whyNoProduction?: readonly string[];
  /** The public key that signs this run's tickets, for whoever started the console on a private pipe. */
  readonly onTicketKey?: (key: string) => void;
  /** Called once, when agents may ask. */
  readonly onReady?: () => void;
}

export type ConsoleEnd =
  'quit' | 'signal' | 'logout' | 'idle' | 'maximum' | 'lost' | 'target_changed' | 'failed';

/** Runs until the session ends; throws UserMistake or Fault when it cannot start. */
export async function runConsole<P>(
  lock: LockType<P>,
  wish: ConsoleWish,
  parts: ConsoleParts,
): Promise<ConsoleEnd> {
  hardenProcess();
  const place = findConsolePlace({ ...wish, lock: lock.contract.name, uid: parts.uid, env: parts.env });
  const { human } = parts;
  const store = openPolicyStore({
    folder: place.stateDir,
    definition: lock.policy.definition,
    uid: parts.uid,
  });
  const instance = wish.instance ?? '';
  const folder = auditFolder(place.stateDir, place.policy.projectRoot, wish.profile, instance);
  const audit = await openConsoleAudit({
    folder,
    profile: wish.profile,
    now: () => new Date(parts.nowMs()),
    after: parts.after,
  });
  for (const line of audit.news) human.note([line]);
  let hub: HubDecider | null = null;
  try {
    const policy = new PolicyDesk({
      policy: lock.policy,
      production: lock.production,
      profile: wish.profile,
      place: place.policy,
      store,
      human,
      demo: wish.demo !== null,
      audit: audit.append,
      now: () => new Date(parts.nowMs()),
      checkServed: (policyAsked) => checkProduction(lock, parts, policyAsked),
    });
    await audit.append('console.start', {
      lock: lock.contract.name,
      version: lock.contract.version,
      desktop_level: parts.desktopLevel,
    });
    hub = await openConsoleHub(lock.contract, wish, parts, place.admission, audit.append);
    const source = await policy.start();
    checkProduction(lock, parts, policy.latest());
    const end = await runSession(lock, wish, parts, {
      place,
      audit,
      policy,
      projectRoot: source === 'project' ? place.policy.projectRoot : null,
      hub,
    });
    await audit.close('console.end', { why: end });
    return end;
  } catch (error) {
    await audit.close('console.failed', { cause: causeOf(error) });
    throw error;
  } finally {
    hub?.shutDown();
  }
}

function checkProduction<P>(lock: LockType<P>, { whyNoProduction = [] }: ConsoleParts, policy: P): void {
  if (whyNoProduction.length === 0 || !lock.production(policy)) return;
  throw new UserMistake(`this production profile is not served here:\n  ${whyNoProduction.join('\n  ')}`);
}

function causeOf(error: unknown): string {
  return error instanceof UserMistake || error instanceof Fault ? error.message : 'bug';
}

interface Started<P> {
  readonly place: ConsolePlace;
  readonly audit: ConsoleAudit;
  readonly policy: PolicyDesk<P>;
  readonly projectRoot: string | null;
  /** Who decides tickets instead of this terminal. */
  readonly hub: HubDecider | null;
}

/** Why the session ends, once; everything that waits hangs on its signal. */
class Ending {
  readonly #abort = new AbortController();
  why: ConsoleEnd = 'failed';

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  readonly finish = (why: ConsoleEnd): void => {
    if (this.signal.aborted) return;
    this.why = why;
    this.#abort.abort();
  };

  onAbort(signal: AbortSignal, why: ConsoleEnd): void {
    if (signal.aborted) this.finish(why);
    signal.addEventListener('abort', () => this.finish(why), { once: true });
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      if (this.signal.aborted) return resolve();
      this.signal.addEventListener('abort', () => resolve(), { once: true });
      return undefined;
    });
  }
}

async function runSession<P>(
  lock: LockType<P>,
  wish: ConsoleWish,
  parts: ConsoleParts,
  started: Started<P>,
): Promise<ConsoleEnd> {
  const ending = new Ending();
  ending.onAbort(parts.signal, 'signal');
  ending.onAbort(parts.human.gone, 'quit');
  ending.onAbort(started.audit.failed, 'failed');
  const session = await lock.openSession(sessionStart(lock, wish, parts, started, ending));
  try {
    await serveSession(lock, wish, parts, started, ending, session);
  } finally {
    await session.close();
  }
  return ending.why;
}

function sessionStart<P>(
  lock: LockType<P>,
  wish: ConsoleWish,
  parts: ConsoleParts,
  started: Started<P>,
  ending: Ending,
): SessionStart<P> {
  const { place, audit, policy, projectRoot } = started;
  const { human, uid, desktopLevel } = parts;
  const inForce = policy.current();
  if (!inForce.ok) throw new UserMistake('no policy is in force: mend the policy file and start again');
  return {
    policy: inForce.value,
    profile: wish.profile,
    human,
    audit: audit.append,
    stateDir: place.stateDir,
    home: place.policy.home,
    uid,
    projectRoot,
    demo: wish.demo !== null,
    signal: ending.signal,
    desktopLevel,
    // Clear output needs a terminal that the agent's account cannot read.
    allowUnmask: wish.allowUnmask && desktopLevel === 3,
    addAgentRule: (pattern, peerUid) => policy.addAgentRule(pattern, peerUid),
    requestChange: (text) => policy.requestChange(text),
    logout: () => ending.finish('logout'),
  };
}

async function serveSession<P>(
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
