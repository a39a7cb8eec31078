// The console's socket: accepts, asks the kernel who is there, and hands admitted clients on.
// Called by the running console. An account that may not connect gets nothing, not even a byte.
import { createServer, type Server, type Socket } from 'node:net';
import { peerOf } from '../native/kernel.js';
import { serveConnection, type Dispatcher, type ServedConnection } from './connection.js';
import { mayConnect, PeerGate, type Admission } from './peer-gate.js';
import { describePeer } from './peer-info.js';
import { checkSocketFolder, listenAt } from './socket-file.js';

/** How long answers may take to leave when the console ends. */
const CLOSING_MS = 3000;

export interface ServerParts {
  readonly path: string;
  readonly admission: Admission;
  readonly nowMs: () => number;
  readonly dispatcher: Omit<Dispatcher, 'admit'>;
  readonly onStranger: (uid: number) => void;
}

export interface ConsoleServer {
  readonly close: () => Promise<void>;
}

function descriptorOf(socket: Socket): number {
  const fd = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle?.fd;
  if (typeof fd !== 'number' || fd < 0) throw new Error('this Node.js does not tell a socket’s descriptor');
  return fd;
}

export async function openServer(parts: ServerParts): Promise<ConsoleServer> {
  checkSocketFolder(parts.path, parts.admission.ownUid);
  const gate = new PeerGate(parts.nowMs);
  const open = new Map<Socket, ServedConnection>();
  const server: Server = createServer((socket) => {
    let peer;
    try {
      peer = peerOf(descriptorOf(socket));
    } catch {
      return socket.destroy();
    }
    if (!mayConnect(peer, parts.admission)) {
      parts.onStranger(peer.uid);
      return socket.destroy();
    }
    const { uid } = peer;
    if (!gate.enter(uid)) return socket.destroy();
    socket.once('close', () => {
      open.delete(socket);
      gate.leave(uid);
    });
    const served = serveConnection(socket, describePeer(peer), {
      ...parts.dispatcher,
      admit: (id) => gate.request(id),
    });
    open.set(socket, served);
    return undefined;
  });
  const removeSocket = await listenAt(server, parts.path);
  return {
    close: async () => {
      removeSocket();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A client that does not read, or an effect that does not end, is not waited for.
      const late = setTimeout(() => [...open.keys()].forEach((socket) => socket.destroy()), CLOSING_MS);
      await Promise.race([Promise.all([...open.values()].map((served) => served.finish())), closed]);
      await closed;
      clearTimeout(late);
    },
  };
}
