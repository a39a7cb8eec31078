// Refusals in the audit, counted: the first of a kind at once, what follows within ten seconds as one record.
// Called by the console's audit; a flood of refused requests can so fill no disk. Time comes in.

export interface RefusalRecord {
  readonly code: string;
  readonly peer_uid: number;
  readonly count: number;
}

const WINDOW_MS = 10_000;

export class RefusalCounter {
  readonly #after: (ms: number, call: () => void) => () => void;
  readonly #write: (record: RefusalRecord) => void;
  readonly #windows = new Map<string, { record: RefusalRecord; readonly cancel: () => void }>();

  constructor(after: (ms: number, call: () => void) => () => void, write: (record: RefusalRecord) => void) {
    this.#after = after;
    this.#write = write;
  }

  count(code: string, uid: number): void {
    const key = `${uid} ${code}`;
    const window = this.#windows.get(key);
    if (window) {
      window.record = { ...window.record, count: window.record.count + 1 };
      return;
    }
    this.#write({ code, peer_uid: uid, count: 1 });
    const cancel = this.#after(WINDOW_MS, () => this.#close(key));
    this.#windows.set(key, { record: { code, peer_uid: uid, count: 0 }, cancel });
  }

  /** Writes what is counted and not yet written. */
  flush(): void {
    for (const key of [...this.#windows.keys()]) this.#close(key);
  }

  #close(key: string): void {
    const window = this.#windows.get(key);
    this.#windows.delete(key);
    window?.cancel();
    if (window && window.record.count > 0) this.#write(window.record);
  }
}
