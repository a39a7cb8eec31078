// lockfile's session: the sandbox tried, the plugins verified and sealed, the workspace wiped, the handlers of the
// actions. Called by lockkit's console once the policy is approved. Everything that is not about files is lockkit's.
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { untrusted, type Human, type Line } from 'lockkit/approval';
import type { LockSession, SessionStart } from 'lockkit/console';
import { UserMistake } from 'lockkit/contract';
import { openBinaryStore, requireSandbox, SandboxUnavailable, type UsableKernel } from 'lockkit/sandbox';
import type { FilePolicy } from '../contract/profile.js';
import { AnswerMemory } from '../plan/answer-memory.js';
import { HandleTable } from '../plan/handle-table.js';
import { PlanLedger } from '../plan/plan-ledger.js';
import type { RunParts } from '../plan/run-plan.js';
import { TypedValues } from '../plan/typed-values.js';
import { loadPlugins, type InstalledPlugins } from '../plugin/installed-plugins.js';
import { openLocalSource } from '../sources/local-source.js';
import type { Source } from '../sources/source.js';
import { openWorkspace } from '../sources/workspace.js';
import { makeHandlers } from './handlers.js';
import { statusLines } from './status-lines.js';

/** Throws UserMistake with the reason when this machine, account or profile cannot hold the session. */
export async function openFileSession(
  start: SessionStart<FilePolicy>,
  pluginsDir: string,
): Promise<LockSession<FilePolicy>> {
  const kernel = await openKernel(start);
  const source = openSource(start.policy.value);
  const store = openBinaryStore(kernel);
  const plugins = await loadPlugins(pluginsDir, store);
  notePlugins(start.human, plugins, pluginsDir);
  const workspace = openWorkspace(start.stateDir);
  const parts: RunParts = {
    source,
    workspace,
    handles: new HandleTable(workspace, randomBytes),
    memory: new AnswerMemory(),
    values: new TypedValues(),
    human: start.human,
    desktopLevel: start.desktopLevel,
    monotonicMs: () => performance.now(),
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
  const running = new Set<Promise<unknown>>();
  const ledger = new PlanLedger({ nowMs: Date.now, randomBytes });
  return {
    handlers: makeHandlers({
      profile: start.profile,
      plugins: plugins.usable,
      ledger,
      parts,
      ended: start.signal,
      track: (run) => {
        running.add(run);
        void run.catch(() => undefined).finally(() => running.delete(run));
      },
    }),
    status: (policy) => ({ source: policy.source, prefix: policy.prefix, plugins: plugins.usable.size }),
    statusLines: () => statusLines(parts, plugins),
    policyApproved: () => undefined,
    setUnmask: null,
    lost: new Promise<string>(() => undefined),
    close: async () => {
      await Promise.allSettled(running);
      parts.values.wipe();
      parts.handles.releaseAll();
      workspace.close();
      store.close();
      await source.close();
    },
  };
}

async function openKernel({ demo, uid }: SessionStart<FilePolicy>): Promise<UsableKernel> {
  if (uid === 0 && !demo)
    throw new UserMistake('lockfile’s console does not run as root: the kernel does not bound root’s tasks');
  try {
    return await requireSandbox();
  } catch (error) {
    if (error instanceof SandboxUnavailable) throw new UserMistake(error.message);
    throw error;
  }
}

function openSource(policy: FilePolicy): Source {
  if (policy.source === 'local') return openLocalSource(policy.root);
  throw new UserMistake(`source = "${policy.source}" comes in a later version: use "local" for now`);
}

function notePlugins(human: Human, { usable, unusable }: InstalledPlugins, pluginsDir: string): void {
  if (usable.size === 0)
    human.note([
      'no plugin is installed: `lockfile plugin install --official` puts some into ',
      untrusted(pluginsDir),
    ]);
  else human.note([`${usable.size} plugins verified; their index is not signed`]);
  for (const { name, version, damage } of unusable) {
    const line: Line = ['not offered: ', untrusted(`${name}@${version}`), ` (${damage})`];
    human.note(line);
  }
}
