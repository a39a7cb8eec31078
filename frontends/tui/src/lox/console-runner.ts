// The consoles of lox's own account: started as child processes, shown in the window over their private pipe, ended with
// lox. Used by run-lox.ts. A console that breaks the protocol, or that is killed, loses its questions and nothing else.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { untrusted, type Clock } from 'lockkit/approval';
import { openConsolePipe } from '../pipe/console-pipe.js';
import type { Window } from '../window/window.js';
import { keptEnvironment } from './kept-environment.js';
import { rowId, type LockRow } from './lock-list.js';

export interface ConsoleRunnerParts {
  readonly window: Window;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hubUrl: string;
  /** A console signs its tickets with this key from now on. */
  readonly onTicketKey: (row: LockRow, key: string) => void;
  /** The console is gone, with all that it asked. */
  readonly onEnd: (row: LockRow, how: string) => void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** From the end of the pipe to SIGTERM, and from there to SIGKILL. */
const PATIENCE_MS = 5000;
const MAX_STDERR_LINES = 50;

export class ConsoleRunner {
  readonly #parts: ConsoleRunnerParts;
  readonly #running = new Map<string, { readonly child: Child; readonly ended: Promise<void> }>();

  constructor(parts: ConsoleRunnerParts) {
    this.#parts = parts;
  }

  isRunning(row: LockRow): boolean {
    return this.#running.has(rowId(row));
  }

  /** Starts the console; does nothing when it runs. */
  start(row: LockRow, keyFile: string): void {
    const id = rowId(row);
    if (this.#running.has(id)) return;
    const { window, env } = this.#parts;
    window.setSource({ id, name: nameOf(row), state: 'starting' });
    const [program, ...before] = row.command;
    const child = spawn(program, [...before, ...consoleArguments(row, this.#parts.hubUrl, keyFile)], {
      cwd: row.projectDir,
      env: keptEnvironment(env),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const closePipe = this.#connect(row, child);
    this.#readErrors(id, child.stderr);
    const ended = new Promise<void>((resolve) => {
      const end = (why: string): void => {
        if (!this.#running.delete(id)) return;
        closePipe();
        window.removeSource(id, 'its console ended');
        window.setSource({ id, name: nameOf(row), state: `ended: ${why} (:start ${nameOf(row)})` });
        window.note(id, [`the console ended: ${why}`]);
        this.#parts.onEnd(row, why);
        resolve();
      };
      child.once('error', () => end('it cannot be started'));
      child.once('close', (code, signal) => end(howItEnded(code, signal)));
    });
    this.#running.set(id, { child, ended });
  }

  /** Ends all of them: their pipes first, so that they close their sessions; then signals. */
  async stopAll(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { child } of running) this.#end(child);
    await Promise.all(running.map(({ ended }) => ended));
  }

  #connect(row: LockRow, child: Child): () => void {
    const { window, clock, onTicketKey } = this.#parts;
    const { lock, instance, profile } = row;
    const source = rowId(row);
    return openConsolePipe({
      window,
      source,
      name: nameOf(row),
      expected: { lock, instance, profile },
      input: child.stdout,
      output: child.stdin,
      clock,
      onTicketKey: (key) => onTicketKey(row, key),
      onBroken: (why) => {
        window.note(source, [`▲ the console is ended: ${why}`]);
        window.removeSource(source, 'its console broke the protocol');
        this.#end(child);
      },
    });
  }

  #end(child: Child): void {
    const { clock } = this.#parts;
    child.stdin.end();
    const kill = clock.after(2 * PATIENCE_MS, () => child.kill('SIGKILL'));
    const terminate = clock.after(PATIENCE_MS, () => child.kill('SIGTERM'));
    child.once('close', () => {
      terminate();
      kill();
    });
  }

  /** What the program says beside the protocol: a start that was refused explains itself so. */
  #readErrors(id: string, stderr: Readable): void {
    let [left, lines] = ['', 0];
    stderr.setEncoding('utf8');
    stderr.on('data', (chunk: string) => {
      const parts = `${left}${chunk}`.split('\n');
      left = (parts.pop() ?? '').slice(0, 4096);
      for (const line of parts)
        if (line.trim() !== '' && ++lines <= MAX_STDERR_LINES) this.#parts.window.note(id, [untrusted(line)]);
    });
  }
}

/** As the window's commands take it: the profile, with its instance. */
export function nameOf({ profile, instance }: LockRow): string {
  return instance === '' ? profile : `${profile}@${instance}`;
}

/** As the page has it, and the pipe. */
function consoleArguments(row: LockRow, hubUrl: string, keyFile: string): readonly string[] {
  return [...typedArguments(row, hubUrl, keyFile), '--window-pipe'];
}

export function typedArguments(row: LockRow, hubUrl: string, keyFile: string): readonly string[] {
  const { instance, profile, projectDir, allowUnmask, showResults } = row;
  return [
    'console',
    ...['--hub', hubUrl, '--hub-key-file', keyFile],
    ...(instance === '' ? [] : ['--instance', instance]),
    ...['--profile', profile, '--project', projectDir],
    ...(allowUnmask ? ['--allow-unmask'] : []),
    ...(showResults ? ['--show-results'] : []),
  ];
}

/** It ended by itself and well. */
export const CLOSED = 'closed';

function howItEnded(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return signal;
  return code === 0 ? CLOSED : `exit ${String(code)}`;
}
