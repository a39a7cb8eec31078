// The bodies of `audit verify` and `audit show` of any lock: the first of the folders that holds a log is read.
import { readFileSync } from 'node:fs';
import { UserMistake } from 'lockkit/contract';
import type { CommandIo } from './command.js';
import { printJson } from './print.js';

export interface AuditWish {
  readonly verb: 'verify' | 'show';
  /** Where the log may be, in order. */
  readonly folders: readonly string[];
  readonly json: boolean;
  /** A file with an earlier checkpoint. */
  readonly checkpoint: string | undefined;
}

const MAX_CHECKPOINT_BYTES = 4096;

function readCheckpoint(path: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length <= MAX_CHECKPOINT_BYTES) return bytes.toString('utf8');
  } catch {
    throw new UserMistake('the checkpoint file cannot be read');
  }
  throw new UserMistake('the checkpoint file is too large to be one');
}

/** Exit 0: intact (or shown). Exit 1: broken or torn. Throws UserMistake when there is no log. */
export async function runAuditCommand(wish: AuditWish, io: CommandIo): Promise<number> {
  const { renderVerdict, showAudit, verifyAudit } = await import('lockkit/audit');
  const options = wish.checkpoint === undefined ? {} : { earlierCheckpoint: readCheckpoint(wish.checkpoint) };
  for (const folder of wish.folders) {
    const verdict = await verifyAudit(folder, options);
    if (verdict.verdict === 'missing') continue;
    if (wish.verb === 'show') await showAudit(folder, { json: wish.json }, (line) => io.out(`${line}\n`));
    else if (wish.json) printJson(io, verdict);
    else for (const line of renderVerdict(verdict)) io.out(`${line}\n`);
    return verdict.verdict === 'intact' ? 0 : 1;
  }
  throw new UserMistake('no audit log of this profile is in this account');
}
