// Whether a log is whole: every byte of every record, the files without a gap, the checkpoint beside it, and a
// checkpoint that was kept elsewhere. Called by `audit verify`. It only reads, and it reports: nothing that a log holds
// may make it throw.
import { readVerifier } from './audit-key.js';
import { parseCheckpoint } from './checkpoint.js';
import { checkpointPath } from './log-names.js';
import { createOpenEffects } from './open-effects.js';
import { readPrivateFile } from './private-file.js';
import { readChain, type ChainFault, type ChainReading } from './read-chain.js';
import type { AuditHead } from './record.js';

export type BrokenReason =
  | ChainFault
  | 'checkpoint_unreadable'
  | 'shorter_than_checkpoint'
  | 'differs_from_checkpoint'
  | 'earlier_checkpoint_unreadable'
  | 'shorter_than_earlier_checkpoint'
  | 'differs_from_earlier_checkpoint';

export interface AuditVerdict {
  /** `torn`: whole but for an unfinished end, which the next start sets aside. `missing`: there is no log. */
  readonly verdict: 'intact' | 'torn' | 'broken' | 'missing';
  readonly reason?: BrokenReason;
  /** Broken: the place of the first record that is not as it should be, where that can be told. */
  readonly at?: number;
  /** Records that are whole, from the first on. */
  readonly records: number;
  readonly head: AuditHead;
  /** The last record that the checkpoint beside the log covers; 0 when there is none. */
  readonly signed_to: number;
  /** Without an earlier checkpoint nobody can see that the end was cut off together with the checkpoint beside it. */
  readonly earlier: 'not_given' | 'holds' | 'broken';
  /** Effects that started and have no end in the log. */
  readonly without_end: number;
}

export interface VerifyOptions {
  /** The text of a checkpoint of this log that was kept elsewhere. */
  readonly earlierCheckpoint?: string | undefined;
}

/** `own` lies beside the log, `earlier` was kept elsewhere. `head` null: not a checkpoint of this log. */
interface Anchor {
  readonly kind: 'own' | 'earlier';
  readonly head: AuditHead | null;
}

const FAULTS = {
  own: {
    unreadable: 'checkpoint_unreadable',
    shorter: 'shorter_than_checkpoint',
    differs: 'differs_from_checkpoint',
  },
  earlier: {
    unreadable: 'earlier_checkpoint_unreadable',
    shorter: 'shorter_than_earlier_checkpoint',
    differs: 'differs_from_earlier_checkpoint',
  },
} as const;

/** Throws only for a folder that the system does not let us read. */
export async function verifyAudit(dir: string, options: VerifyOptions = {}): Promise<AuditVerdict> {
  const anchors = await readAnchors(dir, options.earlierCheckpoint);
  const met = new Map<Anchor, string>();
  const open = createOpenEffects();
  const reading = await readChain(dir, (record, head) => {
    for (const anchor of anchors) if (anchor.head?.seq === head.seq) met.set(anchor, head.hash);
    open.note(record, head.seq);
  });
  const wrong = anchors.map((anchor) => ({ anchor, fault: findFault(anchor, met.get(anchor), reading) }));
  const ownHead = anchors.find(({ kind }) => kind === 'own')?.head;
  return {
    ...conclude(reading, anchors.length > 0, wrong.find(({ fault }) => fault !== null)?.fault ?? null),
    records: reading.head.seq,
    head: reading.head,
    signed_to: ownHead?.seq ?? 0,
    earlier: earlierState(
      options,
      wrong.some(({ anchor, fault }) => anchor.kind === 'earlier' && fault !== null),
    ),
    without_end: open.list().length,
  };
}

async function readAnchors(dir: string, earlier: string | undefined): Promise<readonly Anchor[]> {
  // A file that is not as it should be says nothing true: it counts as an empty one.
  const verifier = await readVerifier(dir).catch(() => null);
  const own = await readPrivateFile(checkpointPath(dir), 4096).catch(() => '');
  const read = (note: string): AuditHead | null =>
    verifier === null ? null : parseCheckpoint(note, verifier);
  return [
    ...(earlier === undefined ? [] : [{ kind: 'earlier' as const, head: read(earlier) }]),
    ...(own === null ? [] : [{ kind: 'own' as const, head: read(own) }]),
  ];
}

function findFault(anchor: Anchor, metHash: string | undefined, reading: ChainReading): BrokenReason | null {
  const faults = FAULTS[anchor.kind];
  if (anchor.head === null) return faults.unreadable;
  if (anchor.head.seq === 0) return null;
  if (metHash === undefined) return reading.fault === null ? faults.shorter : null;
  return metHash === anchor.head.hash ? null : faults.differs;
}

/** A broken record is the more exact finding and comes before what a checkpoint says. */
function conclude(
  reading: ChainReading,
  hasAnchor: boolean,
  anchorFault: BrokenReason | null,
): Pick<AuditVerdict, 'verdict' | 'reason' | 'at'> {
  const next = reading.head.seq + 1;
  if (reading.fault !== null) return { verdict: 'broken', reason: reading.fault, at: next };
  if (anchorFault !== null) {
    return anchorFault.startsWith('shorter')
      ? { verdict: 'broken', reason: anchorFault, at: next }
      : { verdict: 'broken', reason: anchorFault };
  }
  if (reading.files === 0)
    return hasAnchor ? { verdict: 'broken', reason: 'file_missing', at: 1 } : { verdict: 'missing' };
  return { verdict: reading.torn ? 'torn' : 'intact' };
}

function earlierState(options: VerifyOptions, isBroken: boolean): AuditVerdict['earlier'] {
  if (options.earlierCheckpoint === undefined) return 'not_given';
  return isBroken ? 'broken' : 'holds';
}
