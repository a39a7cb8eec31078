// The secret-free client: one connection to one console, hello, requests, replies. Called by call-action.ts.
// The server's account is checked before the first byte is sent; a reply that is none closes the connection.
import { createConnection, type Socket } from 'node:net';
import { peerOf } from '../native/kernel.js';
import { LineCutter } from '../rpc/frames.js';
import { WIRE_LIMITS } from '../rpc/limits.js';
import { encodeRequest, parseReply, type Reply } from '../rpc/messages.js';

/**
 * `no_console`: nobody listens there. `stranger`: the socket is not the console account's. `lost`: it broke off.
 * `silent`: somebody listens and does not answer what needs no thought.
 */
export type ClientFailure = 'no_console' | 'stranger' | 'no_access' | 'lost' | 'silent';

export type ClientReply = Reply | { readonly kind: 'failed'; readonly failure: ClientFailure };

/** Calls later; gives how to call that off. */
export type After = (ms: number, call: () => void) => () => void;

export interface RequestLimits {
  readonly signal?: AbortSignal;
  /** How long the console may take; without it, as long as it likes: a human may be thinking. */
  readonly answerMs?: number;
}

export interface Client {
  readonly request: (method: string, params: unknown, limits?: RequestLimits) => Promise<ClientReply>;
  readonly close: () => void;
}

function connect(path: string): Promise<Socket | ClientFailure> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EACCES' || error.code === 'EPERM' ? 'no_access' : 'no_console'),
    );
  });
}

function serverUid(socket: Socket): number | null {
  const fd = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle?.fd;
  try {
    return peerOf(fd ?? -1).uid;
  } catch {
    return null;
  }
}

/** Connects and says who must be there; the caller says hello. */
export async function openClient(
  path: string,
  consoleUid: number,
  after: After,
): Promise<Client | ClientFailure> {
  const socket = await connect(path);
  if (typeof socket === 'string') return socket;
  if (serverUid(socket) !== consoleUid) {
    socket.destroy();
    return 'stranger';
  }
  return makeClient(socket, after);
}

function makeClient(socket: Socket, after: After): Client {
  const waiting = new Map<number, (reply: ClientReply) => void>();
  let nextId = 1;
  const fail = (failure: ClientFailure): void => {
    for (const settle of waiting.values()) settle({ kind: 'failed', failure });
    waiting.clear();
    socket.destroy();
  };
  const cutter = new LineCutter(
    WIRE_LIMITS.replyBytes,
    (line) => {
      const reply = parseReply(line);
      if (reply === null || typeof reply.id !== 'number') return fail('lost');
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
      return undefined;
    },
    () => fail('lost'),
  );
  socket.on('data', (chunk: Buffer) => cutter.push(chunk));
  socket.on('error', () => fail('lost'));
  socket.on('close', () => fail('lost'));
  return {
    request: (method, params, { signal, answerMs } = {}) =>
      new Promise((resolve) => {
        if (socket.destroyed || signal?.aborted) return resolve({ kind: 'failed', failure: 'lost' });
        const id = nextId++;
        const callOff = answerMs === undefined ? undefined : after(answerMs, () => fail('silent'));
        waiting.set(id, (reply) => {
          callOff?.();
          resolve(reply);
        });
        // The console withdraws the question of a client that leaves, so leaving is how a request is cancelled.
        signal?.addEventListener('abort', () => fail('lost'), { once: true });
        socket.write(encodeRequest({ id, method, params }));
        return undefined;
      }),
    close: () => socket.end(),
  };
}
