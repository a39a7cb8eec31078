// Refusals in the audit without a flood of records: the first of a kind is recorded when it happens, its repetitions
// are counted and recorded together. Called by the console for every refused request. Never drops one uncounted.
import type { AuditEvent } from './record.js';

export interface RefusalTallyParts {
  readonly append: (event: AuditEvent) => Promise<unknown>;
  readonly now: () => Date;
  /** Calls `run` once after `delayMs`; gives what cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** How long repetitions are gathered; default one minute. */
  readonly windowMs?: number;
}

export interface RefusalTally {
  /** `subject` tells kinds of refusals apart: a peer's uid and an action, never text of a request. */
  readonly note: (code: string, subject: Readonly<Record<string, string | number>>) => Promise<void>;
  /** Records what is counted so far. Call it before the log is closed. */
  readonly flush: () => Promise<void>;
}

interface Count {
  readonly fields: Readonly<Record<string, string | number>>;
  count: number;
  readonly since: Date;
}

const WINDOW_MS = 60_000;
/** Kinds told apart at once; what comes beyond is counted as one kind. */
const MAX_KINDS = 256;
const OTHER_KINDS = 'other_kinds';

export function createRefusalTally(parts: RefusalTallyParts): RefusalTally {
  const counts = new Map<string, Count>();
  let cancel: (() => void) | null = null;
  const flush = async (): Promise<void> => {
    cancel?.();
    cancel = null;
    const repeated = [...counts.values()].filter(({ count }) => count > 0);
    counts.clear();
    for (const { fields, count, since } of repeated) {
      await parts.append({ event: 'refused.repeated', ...fields, count, since });
    }
  };
  const start = (fields: Count['fields'], count: number): Count => {
    cancel ??= parts.after(parts.windowMs ?? WINDOW_MS, () => void flush().catch(() => undefined));
    return { fields, count, since: parts.now() };
  };
  return {
    note: async (code, subject) => {
      const fields = { ...subject, code };
      const kind = JSON.stringify(fields);
      const known = counts.get(counts.has(kind) || counts.size < MAX_KINDS ? kind : OTHER_KINDS);
      if (known !== undefined) {
        known.count += 1;
      } else if (counts.size < MAX_KINDS) {
        counts.set(kind, start(fields, 0));
        await parts.append({ event: 'refused', ...fields });
      } else {
        counts.set(OTHER_KINDS, start({ code: OTHER_KINDS }, 1));
      }
    },
    flush,
  };
}
