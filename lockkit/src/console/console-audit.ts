// The audit as the console uses it: one append that names an event, refusals counted, the head for tickets.
// Called by everything in the console that decides or acts. A record that cannot be written ends the console.
import { openAuditLog } from '../audit/audit-log.js';
import { lockFile } from '../native/kernel.js';
import { createRefusalTally } from '../audit/refusal-tally.js';

export type Append = (event: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;

export interface ConsoleAudit {
  /** On disk when it resolves; rejects with a Fault, and then nothing may follow. */
  readonly append: Append;
  /** A refused request; never waits. */
  readonly refusal: (code: string, uid: number) => void;
  /** `<number>:<hash>` of the last record, for tickets. */
  readonly head: () => string;
  /** The signed checkpoint, for `status`. */
  readonly checkpoint: () => string;
  readonly failed: AbortSignal;
  /** What opening found, in sentences for the human. */
  readonly news: readonly string[];
  /** The last record, with the reason, and the end of the log. */
  readonly close: (event: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
}

export interface ConsoleAuditParts {
  readonly folder: string;
  readonly profile: string;
  readonly now: () => Date;
  readonly after: (ms: number, call: () => void) => () => void;
}

export async function openConsoleAudit({
  folder,
  profile,
  now,
  after,
}: ConsoleAuditParts): Promise<ConsoleAudit> {
  const log = await openAuditLog({ dir: folder, profile, now, lock: lockFile });
  const append: Append = async (event, fields) => {
    await log.append({ ...fields, event, profile });
  };
  // Failures show through `failed`, which ends the console.
  const refusals = createRefusalTally({ append: (event) => log.append({ ...event, profile }), now, after });
  return {
    append,
    refusal: (code, uid) => void refusals.note(code, { peer_uid: uid }).catch(() => undefined),
    head: () => `${log.head().seq}:${log.head().hash}`,
    checkpoint: log.checkpoint,
    failed: log.failed,
    news: newsOf(log.news),
    close: async (event, fields) => {
      await refusals.flush().catch(() => undefined);
      // A log that cannot be written may be what ended the console: then there is no last record.
      await append(event, fields).catch(() => undefined);
      await log.close();
    },
  };
}

function newsOf(news: Awaited<ReturnType<typeof openAuditLog>>['news']): readonly string[] {
  return [
    news.created ? 'a new audit log begins' : '',
    news.tornTail === null
      ? ''
      : 'the audit log had an unfinished last line (a crash): it was set aside beside the log',
    news.unknownEnds === 0
      ? ''
      : `${news.unknownEnds} commands were started and their end is unknown (a crash): see \`audit show\``,
  ].filter((line) => line !== '');
}
