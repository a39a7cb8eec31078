// lox's private socket: 0600 in a folder of this account, and only a process of the same account is answered. One
// request a connection. Opened by run-lox.ts, after the hub's record was locked: no other lox runs then.
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { peerOf } from 'lockkit/native';
import { LineCutter } from 'lockkit/rpc';
import { parseRequest, type ControlReply, type ControlRequest } from './control-messages.js';

export interface ControlServerOptions {
  readonly path: string;
  readonly ownUid: number;
  readonly answer: (request: ControlRequest) => Promise<ControlReply>;
}

const MAX_REQUEST_BYTES = 8192;
const IDLE_MS = 10_000;
const MAX_CONNECTIONS = 16;

export function openControlServer(options: ControlServerOptions): Promise<() => void> {
  const { path } = options;
  const server = createServer((socket) => serve(socket, options));
  server.maxConnections = MAX_CONNECTIONS;
  rmSync(path, { force: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(0o177);
    server.listen(path, () => {
      process.umask(before);
      chmodSync(path, 0o600);
      resolve(() => void server.close());
    });
  });
}

function serve(socket: Socket, { ownUid, answer }: ControlServerOptions): void {
  socket.on('error', () => socket.destroy());
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  if (!isOwn(socket, ownUid)) return void socket.destroy();
  const reply = async (line: Buffer): Promise<void> => {
    cutter.close();
    const request = parseRequest(line);
    const said: ControlReply =
      request === null ? { kind: 'refused', code: 'E_BAD_REQUEST' } : await answer(request);
    socket.end(`${JSON.stringify(said)}\n`);
  };
  const failed = (): void => void socket.end('{"kind":"refused","code":"E_INTERNAL"}\n');
  const cutter = new LineCutter(
    MAX_REQUEST_BYTES,
    (line) => void reply(line).catch(failed),
    () => socket.destroy(),
  );
  socket.on('data', (chunk: Buffer) => cutter.push(chunk));
}

function isOwn(socket: Socket, ownUid: number): boolean {
  const { fd } = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle ?? {};
  return typeof fd === 'number' && fd >= 0 && peerOf(fd).uid === ownUid;
}
