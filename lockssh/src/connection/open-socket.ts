// Opens the TCP connection to a host, address by address, and nothing more.
// Called by the place that connects. A host that reads as an option or holds more than a name never gets here.

import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { ConnectionFault, printable } from './connection-fault.js';

export interface SocketOptions {
  /** A name or an address; `[::1]` for IPv6 is fine. */
  readonly host: string;
  readonly port: number;
  readonly addressTimeoutMs: number;
  readonly timeoutMs: number;
  readonly lookup: LookupFunction | null;
  readonly signal: AbortSignal | null;
}

/** A connected socket without Nagle's delay. Throws ConnectionFault: bad_host, host_unreachable or aborted. */
export async function openSocket(options: SocketOptions): Promise<Socket> {
  const host = parseHost(options.host);
  if (host === null || !isPort(options.port)) throw new ConnectionFault({ kind: 'bad_host' });
  if (options.signal?.aborted === true) throw new ConnectionFault({ kind: 'aborted' });
  const socket = connect({
    host,
    port: options.port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: options.addressTimeoutMs,
    ...(options.lookup === null ? {} : { lookup: options.lookup }),
  });
  return await settle(socket, options);
}

/** The bare host, or null: no user, port, scheme, option, space or control character. */
export function parseHost(host: string): string | null {
  const bare = /^\[(.*)\]$/u.exec(host)?.[1];
  if (bare !== undefined) return isIP(bare) === 6 ? bare : null;
  if (isIP(host) !== 0) return host;
  return host.length <= 253 && /^(?!-)[A-Za-z0-9_.-]+$/u.test(host) ? host : null;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

function settle(socket: Socket, options: SocketOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      fail({ kind: 'aborted' });
    };
    const onTimeout = (): void => {
      fail({ kind: 'host_unreachable', systemCode: 'ETIMEDOUT' });
    };
    const onError = (
      error: Error & { readonly code?: string; readonly errors?: readonly { code?: string }[] },
    ): void => {
      fail({
        kind: 'host_unreachable',
        systemCode: printable(error.code ?? error.errors?.[0]?.code ?? 'unknown'),
      });
    };
    const done = (): void => {
      options.signal?.removeEventListener('abort', onAbort);
      socket.off('timeout', onTimeout).off('error', onError).off('connect', onConnect).setTimeout(0);
    };
    const onConnect = (): void => {
      done();
      resolve(socket);
    };
    const fail = (cause: ConnectionFault['cause']): void => {
      done();
      socket.on('error', () => undefined);
      socket.destroy();
      reject(new ConnectionFault(cause));
    };
    socket.setTimeout(options.timeoutMs);
    socket.on('timeout', onTimeout).on('error', onError).on('connect', onConnect);
    options.signal?.addEventListener('abort', onAbort, { once: true });
  });
}
