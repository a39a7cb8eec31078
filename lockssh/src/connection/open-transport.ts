// The one place that speaks SSH to a server before a login: it always passes a host verifier and explicit algorithms.
// Called by open-connection. A verdict other than ok is never followed by a word of authentication.

import ssh2, { type AuthenticationType, type Client } from 'ssh2';
import type { Socket } from 'node:net';
import { CIPHERS, KEX_ALGORITHMS, MACS, type HostKeyAlgorithm } from './algorithms.js';
import type { NextStep } from './authentication.js';
import { ConnectionFault, printable, type ConnectionCause } from './connection-fault.js';
import type { ConnectionLimits } from './limits.js';

export interface TransportOptions {
  readonly socket: Socket;
  readonly user: string;
  readonly hostKeyAlgorithms: readonly HostKeyAlgorithm[];
  /** null accepts the key; a cause ends the connection. An exception in it ends the connection too. */
  readonly checkHostKey: (blob: Buffer) => ConnectionCause | null;
  /** null: only the handshake, whose signature proves that the server holds the key. */
  readonly authenticate: AuthenticateWith | null;
  readonly limits: ConnectionLimits;
  readonly signal: AbortSignal | null;
}

/** Makes the login's steps; `fail` is for a question of the server that nobody can answer. */
export type AuthenticateWith = (
  fail: (cause: ConnectionCause) => void,
) => (offered: readonly AuthenticationType[] | null, isPartial: boolean | null) => NextStep;

/**
 * Runs the handshake and, where wanted, the login. Resolves with the client that is ready, or with one that is
 * already closed when only the handshake was wanted. Throws ConnectionFault. The socket belongs to it from here on.
 */
export function openTransport(options: TransportOptions): Promise<Client> {
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    const attempt = new Attempt(client, options, reject);
    const onReady = (): void => {
      if (attempt.finish()) resolve(client);
    };
    client.on('error', (error) => {
      attempt.fail(causeOf(error));
    });
    client.on('close', () => {
      attempt.fail({ kind: 'lost', serverSaid: 'closed during the login' });
    });
    client.on('change password', () => {
      attempt.fail({ kind: 'password_expired' });
    });
    client.on('handshake', () => {
      if (options.authenticate !== null) return;
      onReady();
      client.destroy();
    });
    client.on('ready', onReady);
    attempt.start();
  });
}

class Attempt {
  readonly #client: Client;
  readonly #options: TransportOptions;
  readonly #reject: (fault: ConnectionFault) => void;
  #pinned: Buffer | null = null;
  #isOver = false;

  constructor(client: Client, options: TransportOptions, reject: (fault: ConnectionFault) => void) {
    this.#client = client;
    this.#options = options;
    this.#reject = reject;
  }

  start(): void {
    const { options } = { options: this.#options };
    if (options.signal?.aborted === true) {
      this.#onAbort();
      return;
    }
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    const step = options.authenticate?.((cause) => {
      this.fail(cause);
    });
    this.#client.connect({
      sock: options.socket,
      username: options.user,
      hostVerifier: (blob: Buffer) => this.#verify(blob),
      authHandler: (offered, isPartial, next) => {
        this.#authenticate(step?.(offered, isPartial) ?? null, next);
      },
      algorithms: {
        kex: [...KEX_ALGORITHMS],
        cipher: [...CIPHERS],
        hmac: [...MACS],
        serverHostKey: [...options.hostKeyAlgorithms],
        compress: ['none'],
      },
      readyTimeout: options.limits.readyTimeoutMs,
      keepaliveInterval: options.limits.keepaliveIntervalMs,
      keepaliveCountMax: options.limits.keepaliveCount,
    });
  }

  /** True the first time: nothing that comes later may change the outcome. */
  finish(): boolean {
    const isFirst = !this.#isOver;
    this.#isOver = true;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    return isFirst;
  }

  fail(cause: ConnectionCause): void {
    if (!this.finish()) return;
    this.#client.destroy();
    this.#options.socket.destroy();
    this.#reject(new ConnectionFault(cause));
  }

  readonly #onAbort = (): void => {
    this.fail({ kind: 'aborted' });
  };

  // The library takes anything but false for a yes. A new key exchange must bring the key that was accepted.
  #verify(blob: Buffer): boolean {
    if (this.#pinned !== null) return this.#pinned.equals(blob);
    const cause = this.#checkQuietly(blob);
    if (cause === null) this.#pinned = Buffer.from(blob);
    else this.fail(cause);
    return cause === null;
  }

  #checkQuietly(blob: Buffer): ConnectionCause | null {
    try {
      return this.#options.checkHostKey(blob);
    } catch {
      return { kind: 'handshake_failed', serverSaid: 'the host key could not be checked' };
    }
  }

  #authenticate(step: NextStep | null, next: (method: never) => void): void {
    if (this.#isOver || step === null) return;
    if (step.kind === 'fail') this.fail(step.cause);
    else next(step.method as never);
  }
}

function causeOf(error: Error & { readonly level?: string; readonly code?: unknown }): ConnectionCause {
  const serverSaid = printable(error.message);
  if (error.level === 'client-timeout') return { kind: 'login_timed_out' };
  if (error.level === 'client-authentication') return { kind: 'auth_failed' };
  return error.level === 'client-socket'
    ? { kind: 'lost', serverSaid }
    : { kind: 'handshake_failed', serverSaid };
}
