// A running console, from start to end: harden, place, audit, policy, session, socket, commands, shutdown.
// Called by a lock's `console` command and by the demo. Reads as the table of contents of what a console is.
import { Fault, UserMistake } from '../contract/fault.js';
import { hardenProcess } from '../native/kernel.js';
import { openPolicyStore } from '../policy/store.js';
import { auditFolder } from '../setting/audit-folder.js';
import { openConsoleAudit } from './console-audit.js';
import { checkHub, openConsoleHub, type HubDecider } from './console-hub.js';
import type { ConsoleParts, ConsoleWish } from './console-parts.js';
import { findConsolePlace } from './console-place.js';
import { Ending, type ConsoleEnd } from './ending.js';
import type { LockType, SessionStart } from './lock-type.js';
import { PolicyDesk } from './policy-desk.js';
import { serveSession, type Started } from './serve-session.js';

/** Runs until the session ends; throws UserMistake or Fault when it cannot start. */
export async function runConsole<P>(
  lock: LockType<P>,
  wish: ConsoleWish,
  parts: ConsoleParts,
): Promise<ConsoleEnd> {
  hardenProcess();
  checkHub(lock, wish);
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
