// One file of a plan: what it is for, what would happen to it, and its whole new text. Made by the planners,
// carried out by apply. A plan is complete before the first byte is written.
import type { AgentName } from './agent-name.js';

/** What is there before: `other` is a folder, a socket, or a text that cannot be read; it is never written. */
export type FileState =
  | { readonly kind: 'missing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'other'; readonly reason: string };

export type Purpose = 'mcp' | 'instructions' | 'permissions';

/**
 * - `create`, `update`: `text` is the whole new file.
 * - `unchanged`: ours is there already. `kept`: an entry of this name is there and differs; it stays as it is.
 * - `refused`: the file cannot be changed safely; `reason` is one sentence without the file's text.
 */
export type Edit =
  | { readonly status: 'create' | 'update'; readonly text: string }
  | { readonly status: 'unchanged' | 'kept' }
  | { readonly status: 'refused'; readonly reason: string };

export type Change = Edit & {
  readonly agent: AgentName;
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly purpose: Purpose;
};

export function refusedEdit(reason: string): Edit {
  return { status: 'refused', reason };
}
