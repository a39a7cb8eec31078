// What a lock author fills in for the agent's side: the contract. The command, the MCP server, the console and
// the conformance suite are all made from it. It is loaded by the agent: it must never reach a console, a
// secret, a connection or the sandbox. Schemas load lazily, so that a plain command starts without them.
import type { ZodObject, ZodType } from 'zod';
import { COMMON_REFUSALS, type RefusalRow, type RefusalTable } from './refusals.js';

/** One flag of an action on the command line, and the parameter that it fills. */
export interface Flag {
  /** Without dashes, as typed: `dry-run`. */
  readonly name: string;
  readonly param: string;
  /** `pairs`: NAME=VALUE, repeated, into an object. `number`: a whole number. */
  readonly kind: 'boolean' | 'text' | 'number' | 'list' | 'pairs';
  /** Shown for the value in `--help`: `T`, `KEY`. */
  readonly placeholder?: string;
  readonly summary: string;
}

/** What stands behind the flags. `argv` takes everything from the first operand on, untouched. */
export type Operands =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly param: string; readonly name: string; readonly optional?: boolean }
  | { readonly kind: 'argv'; readonly param: string; readonly name: string };

export interface Action {
  /** The method on the socket: `run`, `pii.add`. */
  readonly name: string;
  /** The words on the command line: `["pii", "add"]`. */
  readonly words: readonly string[];
  readonly summary: string;
  /** Two to eight lines for `--help` and for the MCP tool's description. */
  readonly description: string;
  readonly flags: readonly Flag[];
  readonly operands: Operands;
  /** Offered as the MCP tool `<lock>_<name with dots as _>`, or as `tool`; false: command line only. */
  readonly mcp: boolean;
  /** The tool's last part where the page names another than the action's: `request_change`. */
  readonly tool?: string;
  /** May wait for a human: the client shows progress and waits up to 5 minutes. */
  readonly waits: boolean;
  /**
   * Tells what is already known: it has no effect and waits for nobody (the console holds it to that). Coding agents may be
   * told to run it without asking, and its client waits a few seconds only.
   */
  readonly readOnly: boolean;
  /** Done for every configured profile when none is named (status). */
  readonly everyProfile?: boolean;
  /** A result that is no success of its own (pending, no match): the exit code's key. Never looks at an answer. */
  readonly outcomeOf?: (result: unknown) => keyof ExitCodes;
  /** What the client does in its own account with a result that the console gave; may add to the result. */
  readonly afterResult?: (result: unknown, projectRoot: string) => Promise<unknown>;
  /** Plain text of a result for a person; without it, JSON is printed. Strings come from outside: escape them. */
  readonly renderResult?: (result: unknown) => RenderedResult;
}

/** What goes to standard output and what beside it. */
export interface RenderedResult {
  readonly out: string;
  readonly err?: string;
}

/** Process exit codes by outcome. */
export interface ExitCodes {
  readonly ok: number;
  readonly pending: number;
  readonly refused: number;
  readonly denied: number;
  readonly noAnswer: number;
  readonly noConsole: number;
  readonly failed: number;
  readonly usage: number;
}

export interface Shapes {
  readonly input: ZodObject;
  readonly output: ZodType;
}

export interface LockContract {
  /** `lockssh`: names the command, the socket folder, the config folder, the MCP tools. */
  readonly name: string;
  readonly version: string;
  readonly protocolMajor: number;
  readonly summary: string;
  /** What an agent must know before it uses the lock (MCP instructions, skills). */
  readonly instructions: readonly string[];
  readonly actions: readonly Action[];
  /** COMMON_REFUSALS and the lock's own rows. */
  readonly refusals: RefusalTable;
  readonly exitCodes: ExitCodes;
  readonly loadShapes: () => Promise<Readonly<Record<string, Shapes>>>;
}

export type LockDefinition = Omit<LockContract, 'refusals'> & { readonly refusals: RefusalTable };

const NAME = /^[a-z][a-z0-9]{1,31}$/;
const METHOD = /^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*$/;

/**
 * Checks a lock's contract and adds the refusals that all locks share.
 * Throws a plain Error on a mistake of the author: it is found by the first test that loads the contract.
 */
export function defineLock(definition: LockDefinition): LockContract {
  if (!NAME.test(definition.name)) throw new Error('a lock’s name is 2 to 32 of a-z and 0-9');
  const seen = new Set<string>();
  for (const action of definition.actions) {
    if (!METHOD.test(action.name)) throw new Error(`action ${action.name}: words of a-z, joined by dots`);
    if (action.name === 'hello' || seen.has(action.name)) throw new Error(`action ${action.name} is taken`);
    seen.add(action.name);
  }
  return { ...definition, refusals: { ...COMMON_REFUSALS, ...definition.refusals } };
}

/** The row of a code; a code that is in no table is a bug and reads as E_INTERNAL. */
export function refusalRow(contract: Pick<LockContract, 'refusals'>, code: string): RefusalRow {
  return Object.hasOwn(contract.refusals, code)
    ? (contract.refusals[code] as RefusalRow)
    : COMMON_REFUSALS.E_INTERNAL;
}

/** The MCP tool's name: `lockssh_pii_add`. */
export function toolName(contract: Pick<LockContract, 'name'>, action: Action): string {
  return `${contract.name}_${action.tool ?? action.name.replaceAll('.', '_')}`;
}

/** Which exit code a refusal ends with. */
export function outcomeOfRefusal(row: RefusalRow, code: string): keyof ExitCodes {
  if (code === 'E_NO_CONSOLE') return 'noConsole';
  if (row.number === -32002) return 'denied';
  if (row.number === -32003) return 'noAnswer';
  if (row.number === -32005) return 'failed';
  return 'refused';
}
