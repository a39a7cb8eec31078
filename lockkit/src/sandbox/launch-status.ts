// Reads what the launcher says on the spec socket: nothing before it closes (the program runs), or one failure record.
// Called by run-sandboxed.ts. The program cannot forge it, because the descriptor closes on exec. It must never
// look at an exit status: 125 is a number that any program may choose.

/** The launcher's steps, in its order; the index plus one is the number in a record. */
export const LAUNCH_STAGES = [
  'spec',
  'parent',
  'process',
  'inputs',
  'descriptors',
  'dumps',
  'privileges',
  'tasks',
  'limits',
  'personality',
  'no_new_privileges',
  'landlock',
  'seccomp',
  'exec',
] as const;

/** `spawn`: the launcher itself did not start. `timeout`: it did not finish. `unknown`: its record makes no sense. */
export type LaunchStage = (typeof LAUNCH_STAGES)[number] | 'spawn' | 'timeout' | 'unknown';

export type LaunchStatus =
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly stage: LaunchStage; readonly errno: number };

export const STATUS_BYTES = 12;
const MAGIC = 0x31464b4c;

/** `bytes` is everything that came before the end of the socket. */
export function parseLaunchStatus(bytes: Buffer): LaunchStatus {
  if (bytes.length === 0) return { kind: 'running' };
  const unknown = { kind: 'failed', stage: 'unknown', errno: 0 } as const;
  if (bytes.length !== STATUS_BYTES || bytes.readUInt32LE(0) !== MAGIC) return unknown;
  const stage = LAUNCH_STAGES[bytes.readUInt32LE(4) - 1];
  return stage === undefined ? unknown : { kind: 'failed', stage, errno: bytes.readUInt32LE(8) };
}
