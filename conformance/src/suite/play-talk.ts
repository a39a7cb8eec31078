// Plays a conversation line by line: with a running console over its socket, or with the lock's MCP server.
// Called by run-case. Whatever the other side does, the conversation ends in bounded time, and so does its process.
import type { ChildProcess } from 'node:child_process';
import { createConnection, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { Json } from '../kind.js';
import { LineReader } from '../line-reader.js';
import { checkExit, parseJson } from './check-expectation.js';
import { fillText, fillValue } from './fill-words.js';
import { listenAsConsole } from './play-console.js';
import { endGroup, spawnInGroup } from './run-command.js';
import { checkShape, isObject } from './shape.js';
import type { Line, TalkStep } from './suite-case.js';
import type { CaseRun } from './suite-run.js';

const MAX_LINE_BYTES = 20 * 1024 * 1024;
const MAX_HELD_BYTES = 32 * 1024 * 1024;
/** A console takes 20 requests in a second of one account: the suite stays below. */
const PACE_MS = 60;

interface Other {
  readonly input: Writable;
  readonly output: Readable;
  readonly child: ChildProcess | null;
  readonly close: () => void;
}

export async function playTalk(run: CaseRun, step: TalkStep): Promise<string | null> {
  const listener = step.console === undefined ? null : await listenAsConsole(run, step.console);
  try {
    return (await talkThrough(run, step)) ?? listener?.problem() ?? null;
  } finally {
    await listener?.close();
  }
}

async function talkThrough(run: CaseRun, step: TalkStep): Promise<string | null> {
  const other = step.talk === 'mcp' ? startMcp(run, step) : await connect(run);
  if (typeof other === 'string') return other;
  const talk = new Talk(other, run.setting.timeoutMs);
  try {
    for (const [at, line] of step.lines.entries()) {
      if (step.talk === 'console') await new Promise((done) => setTimeout(done, PACE_MS));
      const wrong = await playLine(run, talk, line);
      if (wrong !== null) return `line ${String(at + 1)}: ${wrong}`;
    }
    return talk.findNever((step.never ?? []).map((text) => fillText(text, run.words)));
  } finally {
    other.close();
  }
}

function startMcp({ setting, home, words, uid }: CaseRun, step: TalkStep): Other {
  const pointed = step.console === undefined ? {} : setting.clientEnv;
  const child = spawnInGroup({
    words: [...setting.lock, 'mcp'],
    cwd: home.project,
    env: { ...home.env, ...fillValue({ ...pointed, ...step.env }, words, setting.facts) },
    stdin: 'open',
    timeoutMs: setting.timeoutMs,
    ...(uid === undefined ? {} : { uid }),
  });
  child.once('error', () => child.stdout?.destroy());
  const close = (): void => endGroup(child);
  return { input: child.stdin as Writable, output: child.stdout as Readable, child, close };
}

function connect({ setting }: CaseRun): Promise<Other | string> {
  return new Promise((resolve) => {
    const socket: Socket = createConnection(setting.socketPath ?? '');
    const close = (): void => void socket.destroy();
    socket.once('connect', () => resolve({ input: socket, output: socket, child: null, close }));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(`the console’s socket cannot be reached (${error.code ?? 'error'})`),
    );
  });
}

/** Lines that came and are not looked at yet, and whether the other side is gone. */
class Talk {
  readonly #other: Other;
  readonly #timeoutMs: number;
  readonly #lines: string[] = [];
  #heard = '';
  #ended = false;
  #exit: { readonly exit: number | null; readonly problem: string | null } | null = null;
  #wake: () => void = () => undefined;

  constructor(other: Other, timeoutMs: number) {
    this.#other = other;
    this.#timeoutMs = timeoutMs;
    const reader = new LineReader(
      MAX_LINE_BYTES,
      (line) => this.#hear(() => this.#lines.push(line)),
      () => this.#hear(() => (this.#ended = true)),
    );
    const end = (): void => this.#hear(() => (this.#ended = true));
    other.output.on('data', (chunk: Buffer) => {
      if (this.#heard.length < MAX_HELD_BYTES) this.#heard += chunk.toString('utf8');
      reader.push(chunk);
    });
    other.output.on('end', end).on('close', end).on('error', end);
    other.input.on('error', () => undefined);
    other.child?.stderr?.on('data', (chunk: Buffer) => {
      if (this.#heard.length < MAX_HELD_BYTES) this.#heard += chunk.toString('utf8');
    });
    other.child?.on('close', (code, signal) =>
      this.#hear(
        () => (this.#exit = { exit: code, problem: signal === null ? null : `was ended by ${signal}` }),
      ),
    );
  }

  #hear(change: () => void): void {
    change();
    this.#wake();
  }

  /** false: it did not come about in time. */
  async #until(ready: () => boolean, ms = this.#timeoutMs): Promise<boolean> {
    const untilMs = performance.now() + ms;
    while (!ready()) {
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return true;
  }

  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.#ended || !this.#other.input.writable) return resolve();
      // A side that reads no more is not waited for: what it does next is what is judged.
      const timer = setTimeout(resolve, this.#timeoutMs);
      this.#other.input.write(bytes, () => {
        clearTimeout(timer);
        resolve();
      });
      return undefined;
    });
  }

  closeInput(): void {
    this.#other.input.end();
  }

  /** The next message that is no notification; undefined: none came. `not_json` where a line is none. */
  async next(): Promise<Json | undefined | 'not_json'> {
    for (;;) {
      await this.#until(() => this.#lines.length > 0 || this.#ended);
      const line = this.#lines.shift();
      if (line === undefined) return undefined;
      const message = parseJson(line);
      if (message === undefined) return 'not_json';
      if (!isObject(message) || !('method' in message) || 'id' in message) return message;
    }
  }

  async closed(): Promise<boolean> {
    await this.#until(() => this.#ended || this.#lines.length > 0);
    return this.#ended && this.#lines.length === 0;
  }

  async silent(ms: number): Promise<boolean> {
    return !(await this.#until(() => this.#lines.length > 0 || this.#ended, ms));
  }

  async exit() {
    await this.#until(() => this.#exit !== null);
    return this.#exit ?? { exit: null, problem: `did not end within ${String(this.#timeoutMs / 1000)} s` };
  }

  findNever(texts: readonly string[]): string | null {
    return texts.some((text) => this.#heard.includes(text))
      ? 'the answers hold what they must never hold'
      : null;
  }
}

async function playLine(run: CaseRun, talk: Talk, line: Line): Promise<string | null> {
  const { words, setting } = run;
  if ('send' in line) await talk.send(`${JSON.stringify(fillValue(line.send, words, setting.facts))}\n`);
  else if ('send_text' in line) await talk.send(fillText(line.send_text, words).repeat(line.times ?? 1));
  else if ('send_hex' in line) await talk.send(Buffer.from(line.send_hex, 'hex'));
  else if ('end_line' in line) await talk.send('\n');
  else if ('close_input' in line) talk.closeInput();
  else if ('expect_closed' in line) return (await talk.closed()) ? null : 'the connection is still open';
  else if ('expect_silence_ms' in line)
    return (await talk.silent(line.expect_silence_ms)) ? null : 'something came where nothing was expected';
  else if ('expect_exit' in line) return checkExit(line.expect_exit, setting.facts.exit, await talk.exit());
  else {
    const got = await talk.next();
    if (got === undefined) return 'no answer came';
    if (got === 'not_json') return 'a line came that is not JSON';
    return checkShape(fillValue(line.expect, words, setting.facts), got, 'answer');
  }
  return null;
}
