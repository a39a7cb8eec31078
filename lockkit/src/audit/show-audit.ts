// The log as lines for a human, or as JSON lines. Called by `audit show`. Fields were given by agents, servers and
// files: to a human they are shown as visible text only. Shows what is whole, and says where it stops being so.
import { maskedText } from '../approval/untrusted.js';
import { renderLine } from '../approval/render-text.js';
import { readChain } from './read-chain.js';
import type { AuditRecord } from './record.js';
import type { AuditVerdict } from './verify-audit.js';

export interface ShowOptions {
  readonly json: boolean;
  /** Only the last so many records; default all. */
  readonly last?: number | undefined;
}

const NAMED = ['v', 'seq', 'time', 'event', 'profile', 'prev', 'hash'];

/** Gives every line to `write`; the last one, when the log is not whole, says so. */
export async function showAudit(
  dir: string,
  options: ShowOptions,
  write: (line: string) => void,
): Promise<void> {
  const kept: string[] = [];
  const { head, fault, torn } = await readChain(dir, (record, _head, line) => {
    const text = options.json ? encodeForTerminal(line.toString()) : renderRecord(record);
    if (options.last === undefined) return write(text);
    kept.push(text);
    if (kept.length > options.last) kept.shift();
  });
  for (const line of kept) write(line);
  const end = fault ?? (torn ? 'torn' : null);
  if (end === null) return;
  write(
    options.json
      ? JSON.stringify({ end, at: head.seq + 1 })
      : `▲ the log is ${torn ? 'unfinished' : 'broken'} at record ${head.seq + 1} (${end})`,
  );
}

/** `#3 TIME EVENT [PROFILE] · field value · …`. */
export function renderRecord(record: AuditRecord): string {
  const fields = Object.entries(record).filter(([name]) => !NAMED.includes(name));
  const shown = fields.flatMap(([name, value]) => [' · ', maskedText(`${name} ${renderValue(value)}`)]);
  const profile = record.profile === '' ? [] : [' [', maskedText(record.profile), ']'];
  return renderLine([
    `#${record.seq} `,
    maskedText(record.time),
    ' ',
    maskedText(record.event),
    ...profile,
    ...shown,
  ]);
}

function renderValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The same JSON value without a character that could act on a terminal. */
function encodeForTerminal(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...character]
      .map((c) =>
        c
          .split('')
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
      )
      .join(''),
  );
}

/** What verify found, as lines for a human, with what it cannot know. */
export function renderVerdict(verdict: AuditVerdict): readonly string[] {
  const { records } = verdict;
  const at = verdict.at === undefined ? '' : ` at record ${verdict.at}`;
  const first = {
    intact: `intact: ${records} records, none changed, missing or out of order`,
    torn: `intact but for an unfinished last line: ${records} records; the next start of the console sets it aside`,
    broken: `▲ broken${at}: ${verdict.reason ?? ''} (${records} records before it are whole)`,
    missing: 'there is no log here',
  }[verdict.verdict];
  if (verdict.verdict === 'missing') return [first];
  const effects = verdict.without_end > 0 ? [`${verdict.without_end} started and have no end recorded`] : [];
  return [first, `signed by its checkpoint up to record ${verdict.signed_to}`, tailLine(verdict), ...effects];
}

function tailLine({ earlier }: AuditVerdict): string {
  if (earlier === 'holds') return 'the earlier checkpoint holds: nothing up to it was cut off or rewritten';
  if (earlier === 'broken')
    return '▲ the earlier checkpoint does not hold: the log is not the one that it signed';
  return 'no earlier checkpoint was given: whether the end was cut off, together with its checkpoint, cannot be seen';
}
