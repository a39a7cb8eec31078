// Runs one command of the lock to its end: bounded output, bounded time, and nothing of it left running.
// Called by the players. The lock is not trusted to end, to be quiet or to leave no children.
import { spawn, type ChildProcess } from 'node:child_process';

export interface CommandSetting {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** `none`: /dev/null. `open`: a pipe that nobody writes to or closes. */
  readonly stdin: 'none' | 'open' | { readonly text: string };
  /** Another account to run it in; only root may say. */
  readonly uid?: number;
  readonly timeoutMs: number;
}

export interface Ran {
  /** null: ended by a signal, did not end in time, or wrote too much; `problem` says which. */
  readonly exit: number | null;
  readonly problem: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const LEAVE_MS = 200;

/** Groups that run; what is left of them ends with us. */
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach(endGroup));

/** A process in a group of its own; the caller ends it with endGroup. */
export function spawnInGroup(setting: CommandSetting): ChildProcess {
  const [program, ...args] = setting.words as [string, ...string[]];
  const { cwd, env, uid, stdin } = setting;
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: [stdin === 'none' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  running.add(child);
  return child;
}

export function endGroup(child: ChildProcess): void {
  running.delete(child);
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}

export function runCommand(setting: CommandSetting): Promise<Ran> {
  const child = spawnInGroup(setting);
  return collect(child, setting).finally(() => {
    endGroup(child);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  });
}

function collect(child: ChildProcess, { stdin, timeoutMs }: CommandSetting): Promise<Ran> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const end = (exit: number | null, problem: string | null): void => {
      clearTimeout(late);
      resolve({ exit, problem, stdout: Buffer.concat(out), stderr: Buffer.concat(err) });
    };
    const late = setTimeout(() => end(null, `did not end within ${String(timeoutMs / 1000)} s`), timeoutMs);
    const take = (to: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) end(null, 'wrote more than 8 MiB');
      else to.push(chunk);
    };
    child.stdout?.on('data', take(out));
    child.stderr?.on('data', take(err));
    child.on('error', (error: NodeJS.ErrnoException) =>
      end(null, `could not be started (${error.code ?? 'error'})`),
    );
    const ended = (code: number | null, signal: NodeJS.Signals | null): void =>
      signal === null ? end(code, null) : end(null, `was ended by ${signal}`);
    child.on('close', ended);
    // A child of the command may hold the pipes open; what the command itself wrote has arrived soon after its exit.
    child.on('exit', (code, signal) => setTimeout(() => ended(code, signal), LEAVE_MS).unref());
    child.stdin?.on('error', () => undefined);
    if (typeof stdin === 'object') child.stdin?.end(stdin.text);
  });
}
