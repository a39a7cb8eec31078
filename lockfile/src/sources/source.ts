// What a source is to the rest of lockfile: one object opened by its exact key, and read once as a stream. There is
// no listing and no stat. Implemented by local.ts; S3 and SFTP fill the same form.

/** Why an object could not be had. For the audit only: the agent learns E_FETCH_FAILED and nothing else. */
export type FetchCause =
  | 'missing'
  | 'denied'
  | 'not_a_file'
  | 'leaves_root'
  | 'link'
  | 'too_large'
  | 'stalled'
  | 'changed'
  | 'network'
  | 'disk'
  | 'aborted';

/** Thrown by every part of a fetch; the plan turns it into the one refusal and the audit's record. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  override readonly cause: FetchCause;

  constructor(cause: FetchCause) {
    super(cause);
    this.cause = cause;
  }
}

/** An opened object. It is read to its end or closed; never both by two parties. */
export interface OpenObject {
  /** Gives at most `into.length` bytes from where the last read ended; 0 at the end. Throws FetchFailure. */
  readonly read: (into: Uint8Array, signal: AbortSignal) => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface Source {
  /** Throws FetchFailure. The key has passed `checkKey`. */
  readonly open: (key: string, signal: AbortSignal) => Promise<OpenObject>;
  readonly close: () => Promise<void>;
}
