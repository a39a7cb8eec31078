// The source `local`: a directory of the console's account. A key is a path beneath it.
// Called by the plan after the human approved. It opens each object once and reads that one descriptor.
import { close, closeSync, fstatSync, read, type BigIntStats } from 'node:fs';
import { promisify } from 'node:util';
import { openBeneath } from './open-beneath.js';
import { FetchFailure, type OpenObject, type Source } from './source.js';

const readFd = promisify(read);
const closeFd = promisify(close);

/** `root` is absolute. Nothing is opened until a key is asked for. */
export function openLocalSource(root: string): Source {
  return {
    open: (key) => Promise.resolve().then(() => new LocalObject(openBeneath(root, key.split('/')))),
    close: () => Promise.resolve(),
  };
}

class LocalObject implements OpenObject {
  readonly #fd: number;
  readonly #before: BigIntStats;
  #reading: Promise<unknown> | null = null;

  constructor(fd: number) {
    this.#fd = fd;
    this.#before = fstatSync(fd, { bigint: true });
  }

  async read(into: Uint8Array): Promise<number> {
    const reading = readFd(this.#fd, into, 0, into.byteLength, null);
    this.#reading = reading;
    try {
      const { bytesRead } = await reading;
      if (bytesRead === 0) this.#checkUnchanged();
      return bytesRead;
    } catch (error) {
      throw error instanceof FetchFailure ? error : new FetchFailure('disk');
    } finally {
      this.#reading = null;
    }
  }

  /** A file that changed while it was read would be neither its old nor its new self. */
  #checkUnchanged(): void {
    const now = fstatSync(this.#fd, { bigint: true });
    if (now.mtimeNs !== this.#before.mtimeNs || now.size !== this.#before.size)
      throw new FetchFailure('changed');
  }

  /** A read that hangs (a network file system) keeps its descriptor: closing it could give its number to another file. */
  async close(): Promise<void> {
    if (this.#reading === null) return closeFd(this.#fd);
    const closeLater = (): void => closeSync(this.#fd);
    void this.#reading.then(closeLater, closeLater);
    return undefined;
  }
}
