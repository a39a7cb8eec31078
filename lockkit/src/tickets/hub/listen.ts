// Where a hub listens (docs/hub-protocol.md, section 7): a Unix socket, or TCP with TLS and nothing else.
// Called by the hub server. A dead socket is replaced, a live one means that a hub runs, any other file is never touched.
import { chmodSync, lstatSync, statSync, unlinkSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createConnection, type AddressInfo } from 'node:net';
import { UserMistake } from '../../contract/fault.js';

export type HubListen =
  /** `mode` of the socket, default 0600; 0666 where locks of other accounts come in (tokens and accounts are checked). */
  | { readonly kind: 'unix'; readonly path: string; readonly mode?: 0o600 | 0o660 | 0o666 }
  | {
      readonly kind: 'tls';
      readonly host: string;
      readonly port: number;
      readonly cert: string;
      readonly key: string;
    };

export interface Listening {
  readonly url: string;
  readonly server: Server;
  /** Takes the socket's file away, if it is still ours. */
  readonly remove: () => void;
}

export function listenServer(
  listen: HubListen,
  options: ServerOptions,
  onRequest: RequestListener,
): Promise<Listening> {
  if (listen.kind === 'unix') return listenUnix(listen, createServer(options, onRequest));
  const { cert, key } = listen;
  const server = createTlsServer({ ...options, cert, key, minVersion: 'TLSv1.3' }, onRequest);
  return listenTls(listen, server as unknown as Server);
}

async function listenTls(
  { host, port }: HubListen & { readonly kind: 'tls' },
  server: Server,
): Promise<Listening> {
  await started(server, () => server.listen(port, host));
  const { port: bound } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `https://${name}:${bound}`, server, remove: () => undefined };
}

async function listenUnix(
  { path, mode = 0o600 }: HubListen & { readonly kind: 'unix' },
  server: Server,
): Promise<Listening> {
  await makeRoom(path);
  const before = process.umask(0o177);
  try {
    await started(server, () => server.listen(path));
  } finally {
    process.umask(before);
  }
  chmodSync(path, mode);
  const mine = statSync(path);
  const remove = (): void => {
    const now = lstatSync(path, { throwIfNoEntry: false });
    if (now && now.ino === mine.ino && now.dev === mine.dev) unlinkSync(path);
  };
  return { url: `unix:${path}`, server, remove };
}

function started(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    listen();
  });
}

async function makeRoom(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isSocket())
    throw new UserMistake(`${path}: a file that is no socket stands where the hub’s socket belongs`);
  if (await isAlive(path)) throw new UserMistake(`${path}: a hub already runs there`);
  unlinkSync(path);
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
}
