// The locks that lox knows: its own file, replaced as a whole, one writer at a time. Called by `lox add` and `lox run`.
// It holds no secret. What it names is started later, so only its own account may write it.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { holdFile, readGuardedFile, renderRefusal, replaceFile } from 'lockkit/config';
import { UserMistake } from 'lockkit/contract';
import { z } from 'zod';

const absolute = z.string().regex(/^\/[^\u0000]{0,4095}$/);
const name = z.string().min(1).max(64);

const rowSchema = z.strictObject({
  lock: z.string().regex(/^[a-z][a-z0-9]{1,31}$/),
  /** The program as an absolute path, and what stands before its verbs. */
  command: z.tuple([absolute], z.string().max(4096)),
  profile: name,
  instance: z.string().max(64),
  projectDir: absolute,
  allowUnmask: z.boolean(),
  showResults: z.boolean(),
});

const listSchema = z.strictObject({ v: z.literal(1), locks: z.array(rowSchema).max(256) });

/** One console that lox starts, or whose command it prints. */
export type LockRow = Readonly<z.infer<typeof rowSchema>>;

const MAX_BYTES = 1024 * 1024;

/** Names the row among all: in the window, in the hub, as a file's name. */
export function rowId({ lock, profile, instance }: Pick<LockRow, 'lock' | 'profile' | 'instance'>): string {
  return `${lock}-${profile}${instance === '' ? '' : `@${instance}`}`;
}

/** No file is an empty list. Throws UserMistake for a file that is not lox's, or that others may write. */
export function readLockList(path: string, uid: number): readonly LockRow[] {
  const guard = { owners: [uid], trustedGids: [], maxBytes: MAX_BYTES };
  const read = readGuardedFile(dirname(path), 'locks.json', guard);
  if (read.kind === 'absent') return [];
  if (read.kind === 'refused') throw new UserMistake(`${path}: ${renderRefusal(read)}`);
  const parsed = listSchema.safeParse(parseJson(read.bytes));
  if (!parsed.success) throw new UserMistake(`${path} is not lox's list of locks: mend or remove it`);
  return parsed.data.locks;
}

/** Adds the row, or replaces the one of the same lock, profile and instance. */
export function addToLockList(path: string, uid: number, row: LockRow): 'added' | 'replaced' {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return holdFile(path, () => {
    const rows = readLockList(path, uid);
    const others = rows.filter((other) => rowId(other) !== rowId(row));
    const text = `${JSON.stringify({ v: 1, locks: [...others, row] }, null, 2)}\n`;
    replaceFile(path, Buffer.from(text), 0o600);
    return others.length === rows.length ? 'added' : 'replaced';
  });
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
