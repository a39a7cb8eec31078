// One launcher verb of a lock's command, as a child process (using-lockssh, "Launcher verbs"). Called by `lox add` and for
// `profile rules`. It gets no terminal and no more of the environment than a console would; its output is bounded.
import { spawn } from 'node:child_process';

export interface VerbResult {
  readonly exit: number | null;
  /** Standard output as JSON; undefined when it is none. */
  readonly json: unknown;
  readonly stderr: string;
}

export interface VerbPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

export type RunVerb = (
  command: readonly string[],
  args: readonly string[],
  place: VerbPlace,
) => Promise<VerbResult>;

const MAX_OUTPUT_BYTES = 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** Never rejects: a command that cannot be started has no exit code. */
export const runVerb: RunVerb = ([program = '', ...before], args, { cwd, env, timeoutMs = TIMEOUT_MS }) => {
  const child = spawn(program, [...before, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(kill, timeoutMs);
  const [stdout, stderr] = [collect(child.stdout, kill), collect(child.stderr, kill)];
  return new Promise((resolve) => {
    const end = (exit: number | null): void => {
      clearTimeout(timer);
      resolve({ exit, json: parseJson(stdout()), stderr: stderr() });
    };
    child.once('error', () => end(null));
    child.once('close', end);
  });
};

function collect(stream: NodeJS.ReadableStream, onTooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk);
    else onTooMuch();
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
