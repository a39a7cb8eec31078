// The public keys that consoles signed their tickets with: of this run, to show and decide; of earlier runs, to verify
// what `lox history` lists. Kept in lox's own folder. Used by run-lox.ts; holds no secret.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { rowId, type LockRow } from './lock-list.js';

const lineSchema = z.strictObject({ id: z.string(), key: z.string(), at: z.string() });

type Of = Pick<LockRow, 'lock' | 'profile' | 'instance'>;

export class ConsoleKeys {
  readonly #path: string;
  readonly #now: () => Date;
  /** By key: whose it was. */
  readonly #known = new Map<string, string>();
  readonly #current = new Map<string, LockRow>();

  constructor(path: string, now: () => Date) {
    this.#path = path;
    this.#now = now;
    for (const { id, key } of readLines(path)) this.#known.set(key, id);
  }

  add(row: LockRow, key: string): void {
    this.#current.set(key, row);
    if (this.#known.has(key)) return;
    this.#known.set(key, rowId(row));
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const line = { id: rowId(row), key, at: this.#now().toISOString() };
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  /** The console ended: its key signs nothing that can still run. */
  retire(row: LockRow): void {
    for (const [key, other] of this.#current) if (rowId(other) === rowId(row)) this.#current.delete(key);
  }

  isKnown(key: string, of: Of): boolean {
    return this.#known.get(key) === rowId(of);
  }

  /** The console that runs now and signs with this key. */
  rowOf(key: string): LockRow | undefined {
    return this.#current.get(key);
  }
}

/** A line that was cut by a crash is left out: its console's tickets are then counted as unverified. */
function readLines(path: string): readonly z.infer<typeof lineSchema>[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      const parsed = lineSchema.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}
