// Connections to a hub's Unix socket: the account at the other end is asked from the kernel before the first byte.
// Used by hub-wire.ts.
import { Agent } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { peerOf, type Peer } from '../../native/kernel.js';
import { HubLost } from './hub-lost.js';

/** Connects, asks the kernel who listens, and only then hands the socket on. */
export class UnixAgent extends Agent {
  readonly #path: string;
  readonly #mayServe: (peer: Peer) => boolean;

  constructor(path: string, mayServe: (peer: Peer) => boolean) {
    super({ keepAlive: true, maxSockets: 16, timeout: 50_000 });
    this.#path = path;
    this.#mayServe = mayServe;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, socket: Socket) => void,
  ): undefined {
    const give = callback as (error: Error | null, socket?: Socket) => void;
    const socket = createConnection(this.#path);
    const fail = (error: Error): void => give(error);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      if (this.#isServed(socket)) return give(null, socket);
      socket.destroy();
      return give(new HubLost('stranger'));
    });
  }

  #isServed(socket: Socket): boolean {
    const fd = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle?.fd;
    try {
      return this.#mayServe(peerOf(fd ?? -1));
    } catch {
      return false;
    }
  }
}
