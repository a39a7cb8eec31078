// `init <agent>…`: wires agents into a project. Called by the init verb of every lock; doctor calls checkWiring.
// Everything is computed before the first write, and where one file stands in the way nothing is written at all.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_MARKS, AGENT_NAMES, type AgentName } from './agent-name.js';
import { applyChanges } from './apply-changes.js';
import type { Change, FileState, Purpose } from './change.js';
import { planWiring, wiringPaths } from './plan-wiring.js';
import { readProjectFile } from './project-files.js';
import type { WiredLock } from './wired-lock.js';

/**
 * - `created`, `updated`: written. `unchanged`: was there already. `kept`: an entry of that name differs, and stays.
 * - `refused`: cannot be changed safely, see `reason`. `failed`: the write failed, see `reason`.
 * - `skipped`: would have been written, but another file was refused or failed.
 */
export type WiredStatus = 'created' | 'updated' | 'unchanged' | 'kept' | 'refused' | 'failed' | 'skipped';

export interface WiredFile {
  readonly agent: AgentName;
  readonly path: string;
  readonly purpose: Purpose;
  readonly status: WiredStatus;
  readonly reason?: string;
}

/** The verb's JSON. `ok` is false when anything was refused or failed; then nothing was written. */
export interface WiringResult {
  readonly ok: boolean;
  readonly agents: readonly AgentName[];
  readonly files: readonly WiredFile[];
  /** Sentences for the human: what this agent cannot be told by a file. */
  readonly notes: readonly string[];
}

export interface WiringTask {
  /** The project's root, absolute. */
  readonly root: string;
  readonly agents: readonly AgentName[];
  readonly lock: WiredLock;
}

export function runWiring(task: WiringTask): WiringResult {
  const { plan, before } = readPlan(task);
  if (plan.some(({ status }) => status === 'refused')) return resultOf(task, plan.map(skippedFile), false);
  const writes = plan.flatMap((change) =>
    change.status === 'create' || change.status === 'update'
      ? [{ path: change.path, before: before.get(change.path) ?? MISSING, text: change.text }]
      : [],
  );
  const failure = applyChanges(task.root, writes);
  if (failure === null) return resultOf(task, plan.map(writtenFile), true);
  const files = plan.map((change): WiredFile => {
    const file = skippedFile(change);
    return change.path === failure.path ? { ...file, status: 'failed', reason: failure.reason } : file;
  });
  return resultOf(task, files, false);
}

/** What `runWiring` would do, without doing it: `create` and `update` read as `skipped`. */
export function checkWiring(task: WiringTask): WiringResult {
  const { plan } = readPlan(task);
  return resultOf(task, plan.map(skippedFile), !plan.some(({ status }) => status === 'refused'));
}

/** The agents that a project shows signs of. */
export function detectAgents(root: string): readonly AgentName[] {
  return AGENT_NAMES.filter((agent) =>
    AGENT_MARKS[agent].some((mark) => lstatSync(join(root, mark), { throwIfNoEntry: false }) !== undefined),
  );
}

const MISSING: FileState = { kind: 'missing' };

function readPlan({ root, agents, lock }: WiringTask) {
  const names = [...new Set(agents)];
  const paths = names.flatMap((agent) => wiringPaths(agent, lock));
  const before = new Map(paths.map((path) => [path, readProjectFile(root, path)]));
  return { before, plan: names.flatMap((agent) => planWiring({ agent, lock, files: before })) };
}

function writtenFile(change: Change): WiredFile {
  if (change.status === 'create') return fileOf(change, 'created');
  return change.status === 'update' ? fileOf(change, 'updated') : skippedFile(change);
}

function skippedFile(change: Change): WiredFile {
  if (change.status === 'refused') return { ...fileOf(change, 'refused'), reason: change.reason };
  return fileOf(change, change.status === 'create' || change.status === 'update' ? 'skipped' : change.status);
}

function fileOf({ agent, path, purpose }: Change, status: WiredStatus): WiredFile {
  return { agent, path, purpose, status };
}

const NOTES: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ['Claude Code asks once whether it may use the servers of .mcp.json.'],
  codex: ['Codex reads .codex/config.toml only in a project that it trusts.'],
  cursor: [
    'Cursor has no setting for how long a tool may take: prefer requests that do not wait for a human.',
  ],
  gemini: [],
};

function resultOf({ agents }: WiringTask, files: readonly WiredFile[], ok: boolean): WiringResult {
  const names = [...new Set(agents)];
  return { ok, agents: names, files, notes: names.flatMap((agent) => NOTES[agent]) };
}
