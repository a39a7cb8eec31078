// One command of a lock, as data and a function: made from a contract's action, or written by a product for what
// needs no console (policy check, mask, profile add …). Everything the command line knows comes from here.
import type { Flag, LockContract, Operands } from 'lockkit/contract';

/** What a command may touch of the process; tests pass their own. */
export interface CommandIo {
  readonly out: (text: string) => void;
  /** As `out`, for long output: resolves when more may follow. */
  readonly write: (text: string) => Promise<void>;
  readonly err: (text: string) => void;
  readonly stdin: NodeJS.ReadableStream;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly isTerminal: boolean;
}

/** A switch, a text, a whole number, or a list of texts. */
export type FlagValues = Readonly<Record<string, boolean | string | number | readonly string[]>>;

export interface CommandArguments {
  /** By the flag's `param`. Absent flags are absent. */
  readonly flags: FlagValues;
  readonly operands: readonly string[];
  readonly json: boolean;
}

export interface Command {
  readonly words: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly flags: readonly Flag[];
  readonly operands: Operands | { readonly kind: 'many'; readonly name: string; readonly optional?: boolean };
  /** Shown in `--help`: lines as a person would type them. */
  readonly examples?: readonly string[];
  /** Listed apart: for the person at the console, for the agent, for authors of rules, for set-up. */
  readonly group: 'agent' | 'human' | 'author' | 'setup';
  /** Returns the exit code. UserMistake becomes the usage exit code with its sentence. */
  readonly run: (args: CommandArguments, io: CommandIo) => Promise<number>;
}

export interface Program {
  readonly contract: LockContract;
  readonly commands: readonly Command[];
}
