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
import { auditFolder, findConsolePlace, type ConsolePlace, type DemoFolder } from './console-place.js';
import { registerCommands } from './console-commands.js';
import { makeDispatcher } from './dispatcher.js';
import { EffectDesk } from './effect-desk.js';
import type { LockSession, LockType } from './lock-type.js';
import { PolicyDesk } from './policy-desk.js';
import { openServer } from './server.js';
import { SessionClock } from './session-clock.js';

export interface ConsoleWish {
  readonly profile: string;
  readonly projectDir: string;
  readonly instance?: string;
  readonly allowUnmask: boolean;
  readonly showResults: boolean;
  readonly allowedUids: readonly number[];
  readonly demo: DemoFolder | null;
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
}

export type ConsoleEnd = 'quit' | 'signal' | 'logout' | 'idle' | 'maximum' | 'lost' | 'target_changed' | 'failed';

/** Runs until the session ends; throws UserMistake or Fault when it cannot start. */
export async function runConsole<P>(lock: LockType<P>, wish: ConsoleWish, parts: ConsoleParts): Promise<ConsoleEnd> {
  hardenProcess();
  const place = findConsolePlace({ ...wish, lock: lock.contract.name, uid: parts.uid, env: parts.env });
  const { human } = parts;
  const store = openPolicyStore({ folder: place.stateDir, definition: lock.policy.definition, uid: parts.uid });
  const instance = wish.instance ?? '';
  const folder = auditFolder(place.stateDir, place.policy.projectRoot, wish.profile, instance);
  const audit = await openConsoleAudit({ folder, profile: wish.profile, now: () => new Date(parts.nowMs()) });
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
    });
    await audit.append('console.start', { lock: lock.contract.name, version: lock.contract.version, desktop_level: parts.desktopLevel });
    const source = await policy.start();
    const end = await runSession(lock, wish, parts, { place, audit, policy, projectRoot: source === 'project' ? place.policy.projectRoot : null });
    await audit.append('console.end', { why: end });
    return end;
  } catch (error) {
    await audit.append('console.failed', { cause: error instanceof UserMistake || error instanceof Fault ? error.message : 'bug' });
    throw error;
  } finally {
    await audit.close();
  }
}

interface Started<P> {
  readonly place: ConsolePlace;
  readonly audit: ConsoleAudit;
  readonly policy: PolicyDesk<P>;
  readonly projectRoot: string | null;
}

async function runSession<P>(lock: LockType<P>, wish: ConsoleWish, parts: ConsoleParts, started: Started<P>): Promise<ConsoleEnd> {
  const { place, audit, policy, projectRoot } = started;
  const { human } = parts;
  const ending = new AbortController();
  let end: ConsoleEnd | undefined;
  const finish = (why: ConsoleEnd): void => {
    end ??= why;
    ending.abort();
  };
  parts.signal.addEventListener('abort', () => finish('signal'), { once: true });
  human.gone.addEventListener('abort', () => finish('quit'), { once: true });
  audit.failed.addEventListener('abort', () => finish('failed'), { once: true });
  const inForce = policy.current();
  if (!inForce.ok) throw new UserMistake('no policy is in force');
  let latest = inForce.value.value;
  const session: LockSession<P> = await lock.openSession({
    policy: inForce.value,
    profile: wish.profile,
    human,
    audit: audit.append,
    stateDir: place.stateDir,
    home: place.policy.home,
    uid: parts.uid,
    projectRoot,
    demo: wish.demo !== null,
    signal: ending.signal,
    desktopLevel: parts.desktopLevel,
    allowUnmask: wish.allowUnmask,
    addAgentRule: (pattern, uid) => policy.addAgentRule(pattern, uid),
    requestChange: (text) => policy.requestChange(text),
    logout: () => finish('logout'),
  });
  void session.lost.then((why) => {
    human.note(['the session is lost: ', untrusted(why)]);
    finish('lost');
  });
  const clock = new SessionClock(parts, () => lock.limits(latest), finish);
  const results = { shown: wish.showResults && parts.desktopLevel === 3 };
  const ledger = new TicketLedger({ nowMs: parts.nowMs, randomBytes });
  const desk = new EffectDesk<P>({
    lock: lock.contract.name,
    profile: wish.profile,
    instance: wish.instance ?? '',
    production: lock.production,
    demo: wish.demo !== null,
    human,
    ledger,
    policy,
    audit: audit.append,
    auditHead: audit.head,
    nowMs: parts.nowMs,
    use: () => clock.use(),
    onClearResult: (screen: Screen) => {
      if (results.shown) void human.show(screen);
    },
  });
  const shapes = await lock.contract.loadShapes();
  const statusOf = (): Record<string, unknown> => {
    const { idleTimeoutInMs, sessionEndsInMs } = clock.times();
    return {
      production: lock.production(latest),
      desktop_level: parts.desktopLevel,
      idle_timeout_in_s: Math.ceil(idleTimeoutInMs / 1000),
      session_ends_in_s: Math.ceil(sessionEndsInMs / 1000),
      policy: policy.isPending() ? 'pending' : 'approved',
      audit: audit.checkpoint(),
    };
  };
  const dispatcher = makeDispatcher({
    contract: lock.contract,
    profile: wish.profile,
    shapes,
    session,
    desk,
    policy,
    statusOf,
    onPolicy: (value) => (latest = value),
    audit,
    onBug: () => finish('failed'),
  });
  const unregister = registerCommands({ human, policy, session, results, desktopLevel: parts.desktopLevel, profile: wish.profile, statusOf, ledger, finish, audit: audit.append });
  const path = socketPath({ socketDir: place.socketDir, projectRoot, profile: wish.profile, ...(wish.instance === undefined ? {} : { instance: wish.instance }) });
  try {
    const server = await openServer({
      path,
      admission: place.admission,
      nowMs: parts.nowMs,
      dispatcher,
      onStranger: (uid) => audit.refusal('stranger', uid),
    });
    human.note([`ready: agents of ${place.policy.projectRoot === projectRoot ? 'this project' : 'this account'} may ask now`]);
    if (!ending.signal.aborted) await new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve(), { once: true }));
    await server.close();
  } finally {
    clock.stop();
    unregister();
    await session.close();
  }
  return end ?? 'failed';
}
