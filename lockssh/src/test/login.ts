// Logs in to a test server the way the console does, with what a test changes.

import { openConnection, type ConnectionOptions } from '../connection/open-connection.js';
import type { Connection } from '../connection/connection.js';
import { ConnectionFault, type ConnectionCause } from '../connection/connection-fault.js';
import type { TestServer } from './sshd.js';

/** A profile's limits on a run, as the page's defaults. */
export const RUN_LIMITS = { timeoutMs: 30_000, maxOutputBytes: 65_536, lookAheadBytes: 65_536 } as const;

export function login(
  server: Pick<TestServer, 'host' | 'port' | 'clientKey' | 'knownHosts'>,
  user: string,
  more: Partial<ConnectionOptions> = {},
): Promise<Connection> {
  return openConnection({
    host: server.host,
    port: server.port,
    user,
    auth: { kind: 'key', privateKey: server.clientKey() },
    knownHosts: { kind: 'file-only', text: server.knownHosts },
    ...more,
  });
}

/** The cause of a login that must fail; a connection that opens is closed and is an error of the test. */
export async function causeOfLogin(opening: Promise<Connection>): Promise<ConnectionCause> {
  const result = await opening.catch((error: unknown) => error);
  if (result instanceof ConnectionFault) return result.cause;
  if (result instanceof Error) throw result;
  await (result as Connection).close();
  throw new Error('the login was expected to fail');
}
