// The console's socket: accepts, asks the kernel who is there, and hands admitted clients on.
// Called by the running console. An account that may not connect gets nothing, not even a byte.
import { createServer, type Server, type Socket } from 'node:net';
import { peerOf } from '../native/kernel.js';
import { serveConnection, type Dispatcher } from './connection.js';
import { mayConnect, PeerGate, type Admission } from './peer-gate.js';
import { describePeer } from './peer-info.js';
import { checkSocketFolder, listenAt } from './socket-file.js';

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
  const open = new Set<Socket>();
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
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      gate.leave(uid);
    });
    serveConnection(socket, describePeer(peer), { ...parts.dispatcher, admit: (id) => gate.request(id) });
    return undefined;
  });
  const removeSocket = await listenAt(server, parts.path);
  return {
    close: async () => {
      removeSocket();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Answers that were written still leave; a client that does not read them is not waited for.
      for (const socket of open) socket.end();
      const late = setTimeout(() => open.forEach((socket) => socket.destroy()), 500);
      await closed;
      clearTimeout(late);
    },
  };
}
