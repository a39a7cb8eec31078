// How the suite asks a kit: one input in, one answer out. Two adapters exist: our own kits in this process, and
// any command that speaks JSON lines. An adapter never sees what is expected.
import type { Json, JsonObject } from './kind.js';

export interface Question {
  readonly id: string;
  readonly input: JsonObject;
}

/** `unsupported`: the kit cannot run this kind. `failure`: no answer, and why, in one sentence. */
export type Answer =
  | { readonly kind: 'got'; readonly got: Json }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'failure'; readonly reason: string };

export interface Answers {
  /** One for every question. */
  readonly byId: ReadonlyMap<string, Answer>;
  /** What the adapter did against the protocol, where no question could be blamed for it. */
  readonly breach: string | null;
}

export type Adapter = (questions: readonly Question[]) => Promise<Answers>;
