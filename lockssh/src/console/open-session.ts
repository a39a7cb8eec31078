// lockssh's session: the secret asked, the login made, the handlers of its actions. Called by lockkit's console
// once the policy is approved. Everything that is not special about SSH is lockkit's.
import { join } from 'node:path';
import type { Line } from 'lockkit/approval';
import type { Handler, LockSession, SessionStart } from 'lockkit/console';
import { accepted, Fault, refused, UserMistake } from 'lockkit/contract';
import type { AllowLanguage } from 'lockkit/policy';
import { resolveHome } from 'lockkit/setting';
import type { SshPolicy } from '../contract/profile.js';
import { makeRunHandler } from './handle-run.js';
import { openMaskers } from './open-maskers.js';
import { checkMaskPattern } from '../later/check-mask-pattern.js';
import { parseRuleSets, type RuleSets } from './rule-sets.js';
import { targetText } from './run-screens.js';
import { SshLink } from './ssh-link.js';
import { openSshSecret } from './ssh-secret.js';

function openLink(
  start: SessionStart<SshPolicy>,
  secret: Awaited<ReturnType<typeof openSshSecret>>,
): SshLink {
  const { value: policy } = start.policy;
  const { human, profile, uid, audit, signal, home } = start;
  const knownHostsPath =
    policy.known_hosts === '' ? join(home, '.ssh/known_hosts') : resolveHome(policy.known_hosts, home);
  return new SshLink({ human, profile, policy, secret, knownHostsPath, uid, audit, signal });
}

/** Parsed once for each list in force; a policy's value is a new object only when it changed. */
function cacheRuleSets(): (policy: SshPolicy) => RuleSets {
  let last: { readonly policy: SshPolicy; readonly sets: RuleSets } | undefined;
  return (policy) => {
    if (last?.policy !== policy) last = { policy, sets: parseRuleSets(policy.allow) };
    return last.sets;
  };
}

function handlersOfPii(start: SessionStart<SshPolicy>): Readonly<Record<string, Handler<SshPolicy>>> {
  return {
    'pii.list': (_input, { policy }) => {
      const { reviewed, added } = policy.maskRules;
      const mask = [
        ...reviewed.map((pattern) => ({ pattern, from: 'file' })),
        ...added.map(({ pattern }) => ({ pattern, from: 'agent' })),
      ];
      return accepted({ kind: 'answer', result: { mask, allow: policy.value.pii.allow } });
    },
    'pii.add': async ({ pattern }: { readonly pattern: string }, { peer }) => {
      if (checkMaskPattern(pattern) !== null) return refused('E_BAD_PATTERN');
      const status = await start.addAgentRule(pattern, peer.uid);
      if (status === 'full') return refused('E_BUSY');
      return accepted({ kind: 'answer', result: { status, pattern } });
    },
  };
}

function otherHandlers(start: SessionStart<SshPolicy>): Readonly<Record<string, Handler<SshPolicy>>> {
  return {
    request: ({ change }: { readonly change: string }) => {
      const waiting = start.requestChange(change);
      if (waiting === null) return refused('E_BUSY');
      return accepted({
        kind: 'answer',
        result: { status: 'queued', waiting },
        record: { bytes: Buffer.byteLength(change) },
      });
    },
    logout: () => {
      start.logout();
      return accepted({ kind: 'answer', result: { status: 'closed' }, record: {} });
    },
  };
}

/** While a change waits an argv must be allowed by every set: rules that stand in all of them, else the first's. */
function shownRules(allow: AllowLanguage): readonly string[] {
  const [first = [], ...others] = allow;
  return others.length === 0 ? first : first.filter((rule) => others.every((rules) => rules.includes(rule)));
}

/** Asks the secret, logs in; throws UserMistake with the reason when that fails. */
export async function openSshSession(start: SessionStart<SshPolicy>): Promise<LockSession<SshPolicy>> {
  const { value: policy } = start.policy;
  const { human, profile, desktopLevel, home, uid } = start;
  const secret = await openSshSecret({
    human,
    profile,
    policy,
    desktopLevel,
    keyPath: resolveHome(policy.key, home),
    uid,
  });
  const link = openLink(start, secret);
  let account: string;
  try {
    const connection = await link.open();
    account = `${connection.account.user} (uid ${connection.account.uid})`;
  } catch (error) {
    secret.wipe();
    if (error instanceof Fault) throw new UserMistake(error.message);
    throw error;
  }
  const state = { connectGranted: false, unmaskAllowed: start.allowUnmask };
  const run = makeRunHandler({
    profile,
    state: () => state,
    ruleSets: cacheRuleSets(),
    masker: openMaskers(),
    run: (argv, inForce, signal) => link.run(argv, inForce, signal),
    grantConnect: () => (state.connectGranted = true),
  });
  const line: Line = ['server  ', ...targetText(policy)];
  return {
    handlers: { run, ...handlersOfPii(start), ...otherHandlers(start) },
    status: ({ exec, allow }) => ({ account, exec, allow: shownRules(allow), unmask: state.unmaskAllowed }),
    statusLines: () => [line],
    policyApproved: () => (state.connectGranted = false),
    setUnmask: (allowed) => (state.unmaskAllowed = allowed),
    lost: new Promise<string>(() => undefined),
    close: async () => {
      await link.close();
      secret.wipe();
    },
  };
}
