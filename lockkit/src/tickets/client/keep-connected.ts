// Connecting to a hub, and connecting again for as long as this end lives: shared by the lock's and the decider's
// client. The waits grow up to five seconds, so that a hub that comes back is not run down by those who wait for it.

export interface ConnectionParts {
  /** Calls `onOpen` once everything is in place; resolves when this end left, rejects with how it was lost. */
  readonly connect: (onOpen: () => void) => Promise<void>;
  /** Aborted when this end leaves. */
  readonly signal: AbortSignal;
  readonly later: (ms: number, call: () => void) => () => void;
  readonly onLost: (error: unknown) => void;
  readonly onBack: () => void;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;

/** Resolves when the first connection is open, rejects when it cannot be; later losses are told and mended. */
export function keepConnected(parts: ConnectionParts): Promise<void> {
  let isOpen = false;
  return new Promise((resolve, reject) => {
    const opened = (): void => {
      isOpen = true;
      resolve();
    };
    void parts
      .connect(opened)
      .catch((error: unknown) => (isOpen ? connectAgain(parts, error) : reject(error)));
  });
}

async function connectAgain(parts: ConnectionParts, first: unknown): Promise<void> {
  let error = first;
  for (let waitMs = FIRST_WAIT_MS; !parts.signal.aborted;) {
    parts.onLost(error);
    await pause(waitMs, parts);
    if (parts.signal.aborted) return;
    waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs);
    try {
      await parts.connect(() => {
        waitMs = FIRST_WAIT_MS;
        parts.onBack();
      });
    } catch (next) {
      error = next;
    }
  }
}

/** Ends early when the signal is aborted. */
export function pause(
  ms: number,
  { later, signal }: Pick<ConnectionParts, 'later' | 'signal'>,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = later(ms, end);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
