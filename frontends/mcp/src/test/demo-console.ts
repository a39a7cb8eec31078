// The other end of the socket for the tests' lock: it speaks the real wire and does what a test tells it.
import { createServer, type Socket } from 'node:net';
import { encodeReply, LineCutter, parseRequest, type Reply, socketPath, WIRE_LIMITS } from 'lockkit/rpc';
import { demoContract } from './demo-contract.js';

export interface SeenCall {
  readonly method: string;
  readonly params: unknown;
  /** Resolves when the client left before it was answered. */
  readonly left: Promise<void>;
}

export type Reaction =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'refusal'; readonly code: string }
  | { readonly kind: 'silence' };

export interface DemoConsole {
  readonly calls: SeenCall[];
  /** What the next calls get. */
  react: (method: string, params: unknown) => Reaction;
  readonly close: () => Promise<void>;
}

export async function openDemoConsole(socketDir: string, projectRoot: string): Promise<DemoConsole> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    serve(socket, demo);
  });
  const demo: DemoConsole = {
    calls: [],
    react: (_method, params) => ({ kind: 'result', result: { status: 'done', received: params } }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  const path = socketPath({ socketDir, projectRoot, profile: 'web' });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return demo;
}

function serve(socket: Socket, demo: DemoConsole): void {
  const left = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const cutter = new LineCutter(
    WIRE_LIMITS.requestBytes,
    (line) => {
      const request = parseRequest(line);
      if (typeof request === 'string') return socket.destroy();
      const { id, method, params } = request;
      const send = (reply: Reply): void => void socket.write(encodeReply(reply));
      if (method === 'hello') return send({ kind: 'result', id, result: { protocol_major: 1 } });
      demo.calls.push({ method, params, left });
      const reaction = demo.react(method, params);
      if (reaction.kind === 'result') send({ kind: 'result', id, result: reaction.result });
      if (reaction.kind === 'refusal') send(refusal(id, reaction.code));
      return undefined;
    },
    () => socket.destroy(),
  );
  socket.on('data', (chunk: Buffer) => cutter.push(chunk));
}

function refusal(id: number | string, code: string): Reply {
  const row = demoContract.refusals[code];
  if (row === undefined) throw new Error('no such code');
  const { number, meaning, hint, retry } = row;
  return { kind: 'error', id, number, message: meaning, data: { code, hint, retry } };
}
