// A kit in any language as an adapter: a command that reads `{id, input}` lines and writes `{id, got}` lines.
// Called by the runner for --adapter. The command is not trusted to be right: whatever it does (dies, hangs, prints
// rubbish) becomes a sentence at the cases it did not answer, and it is never left running.
import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import type { Adapter, Answer, Answers, Question } from './adapter.js';
import type { Json } from './kind.js';
import { LineReader } from './line-reader.js';

export interface ProcessAdapterOptions {
  /** The command is stopped when it is silent for so long while questions are open. */
  readonly silenceMs: number;
  /** Longest line of an answer. */
  readonly maxLineBytes: number;
}

export const PROCESS_ADAPTER_DEFAULTS: ProcessAdapterOptions = {
  silenceMs: 120_000,
  maxLineBytes: 64 * 1024 * 1024,
};
/** Time to leave after the last answer. */
const LEAVE_MS = 2_000;
const STDERR_KEPT_BYTES = 2_048;

/** All questions are written at once and stdin is closed; answers may come in any order, each id once. */
export function processAdapter(
  words: readonly [string, ...string[]],
  options: ProcessAdapterOptions = PROCESS_ADAPTER_DEFAULTS,
): Adapter {
  return (questions) =>
    new Promise((resolve) => new Conversation(words, questions, options, resolve).start());
}

class Conversation {
  private readonly words: readonly [string, ...string[]];
  private readonly questions: readonly Question[];
  private readonly options: ProcessAdapterOptions;
  private readonly done: (answers: Answers) => void;
  private readonly open: Set<string>;
  private readonly byId = new Map<string, Answer>();
  private child: ChildProcess | undefined;
  private silence: NodeJS.Timeout | undefined;
  private stderr = '';
  private over = false;
  private readonly endWithUs = (): void => {
    this.killGroup();
  };

  constructor(
    words: readonly [string, ...string[]],
    questions: readonly Question[],
    options: ProcessAdapterOptions,
    done: (answers: Answers) => void,
  ) {
    this.words = words;
    this.questions = questions;
    this.options = options;
    this.done = done;
    this.open = new Set(questions.map(({ id }) => id));
  }

  start(): void {
    if (this.open.size === 0) {
      this.done({ byId: this.byId, breach: null });
      return;
    }
    const [program, ...args] = this.words;
    // A group of its own, so that whatever the command starts ends with it.
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    this.child = child;
    process.once('exit', this.endWithUs);
    this.watch(child);
    this.rearm();
    child.stdin.on('error', () => undefined);
    Readable.from(questionLines(this.questions)).pipe(child.stdin);
  }

  private watch(child: ChildProcess): void {
    child.on('error', (error: NodeJS.ErrnoException) => {
      this.finish(`the adapter could not be started (${error.code ?? 'unknown error'})`);
    });
    child.on('close', (status, signal) => {
      const how = signal === null ? `with status ${String(status)}` : `by ${signal}`;
      this.finish(`the adapter ended ${how} before it answered${this.lastWords()}`);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString('utf8')).slice(-STDERR_KEPT_BYTES);
    });
    const reader = new LineReader(
      this.options.maxLineBytes,
      (line) => {
        this.take(line);
      },
      () => {
        this.finish('the adapter wrote a line that is too long', true);
      },
    );
    child.stdout?.on('data', (chunk: Buffer) => {
      reader.push(chunk);
    });
    child.stdout?.on('end', () => {
      reader.end();
    });
  }

  private take(line: string): void {
    if (this.over || line.trim() === '') return;
    const answer = parseAnswer(line);
    if (answer === undefined) {
      this.finish('the adapter wrote a line that is not a JSON object with an id', true);
    } else if (!this.open.delete(answer.id)) {
      const twice = this.byId.has(answer.id);
      this.finish(`the adapter answered a case ${twice ? 'twice' : 'that was not asked'}`, true);
    } else {
      this.byId.set(answer.id, answer.answer);
      this.rearm();
    }
  }

  /** Starts the clock of silence anew, or the short one of leaving once everything is answered. */
  private rearm(): void {
    clearTimeout(this.silence);
    if (this.over) return;
    const left = this.open.size > 0;
    const ms = left ? this.options.silenceMs : LEAVE_MS;
    this.silence = setTimeout(() => {
      this.finish(`the adapter was silent for ${String(ms / 1000)} s`);
    }, ms);
  }

  /** Ends the conversation once. A breach of the protocol counts even where every case was answered. */
  private finish(reason: string, breach = false): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.silence);
    process.off('exit', this.endWithUs);
    this.killGroup();
    const answeredAll = this.open.size === 0;
    for (const id of this.open) this.byId.set(id, { kind: 'failure', reason });
    this.done({ byId: this.byId, breach: breach && answeredAll ? reason : null });
  }

  private killGroup(): void {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group is gone already.
    }
    this.child?.stdout?.destroy();
    this.child?.stderr?.destroy();
    this.child?.stdin?.destroy();
  }

  private lastWords(): string {
    const last = this.stderr.trim().split('\n').at(-1) ?? '';
    return last === '' ? '' : `; its last words: ${JSON.stringify(last.slice(0, 200))}`;
  }
}

function* questionLines(questions: readonly Question[]): Generator<string> {
  for (const { id, input } of questions) yield `${JSON.stringify({ id, input })}\n`;
}

function parseAnswer(line: string): { readonly id: string; readonly answer: Answer } | undefined {
  const raw = parseJson(line);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  const { id, got, unsupported, error } = raw as Readonly<Record<string, Json | undefined>>;
  if (typeof id !== 'string') return undefined;
  if (unsupported === true) return { id, answer: { kind: 'unsupported' } };
  if (got === undefined) {
    const reason =
      typeof error === 'string' ? `the adapter says: ${error}` : 'the answer of the adapter has no "got"';
    return { id, answer: { kind: 'failure', reason } };
  }
  return { id, answer: { kind: 'got', got } };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
