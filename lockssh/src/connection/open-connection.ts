// Opens the only connection of a console: host key, login, login shell, known answer, account ("The console").
// Called by the console when a human started it or allowed a new connect. Nothing of an agent is sent from here, and
// the credential that was handed in is wiped whatever happens.

import { randomBytes } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import type { Client } from 'ssh2';
import { orderHostKeyAlgorithms } from './algorithms.js';
import { createAuthentication, type Credential } from './authentication.js';
import { systemClock, type Clock } from './clock.js';
import { ConnectionFault, type ConnectionCause } from './connection-fault.js';
import { LiveConnection, type Connection } from './connection.js';
import { parseHostKey, renderFingerprint, type HostKey } from './host-key.js';
import { checkKnownHosts, encodeKnownHostsLine, recordedKeyTypes } from './known-hosts.js';
import { CONNECTION_LIMITS, type ConnectionLimits } from './limits.js';
import { openSocket } from './open-socket.js';
import { openTransport, type AuthenticateWith } from './open-transport.js';
import { parsePrivateKey } from './private-key.js';

/** What proves who we are. The buffers are wiped by openConnection: hand in copies of what is needed again. */
export type Auth =
  | { readonly kind: 'key'; readonly privateKey: Buffer; readonly passphrase?: Buffer }
  | { readonly kind: 'password'; readonly password: Buffer };

/** A key that known_hosts does not hold, as the human is shown it. */
export interface PresentedHostKey {
  readonly host: string;
  readonly port: number;
  readonly type: string;
  /** `SHA256:…` as OpenSSH prints it. */
  readonly fingerprint: string;
}

/** `file-only`: a key that the text does not hold is refused. `learn`: the human is asked, and a yes is recorded. */
export type KnownHosts =
  | { readonly kind: 'file-only'; readonly text: string }
  | {
      readonly kind: 'learn';
      readonly text: string;
      /** True only for the human's exact yes; no answer is no. No connection is open while it is asked. */
      readonly askHostKey: (presented: PresentedHostKey) => Promise<boolean>;
      /** Puts one line at the end of the file (appendKnownHost). */
      readonly record: (line: string) => Promise<void>;
    };

export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly auth: Auth;
  readonly knownHosts: KnownHosts;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly limits?: Partial<ConnectionLimits>;
  readonly lookup?: LookupFunction;
  /** Fresh for every login and unknown to the server: 32 hex digits. */
  readonly createNonce?: () => string;
}

/** Throws ConnectionFault (E_CONNECTION) with the cause for the human. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const limits = { ...CONNECTION_LIMITS, ...options.limits };
  try {
    const credential = prepareCredential(options.auth);
    const text = await settleHostKey(options, limits);
    const client = await openClient(options, limits, text, (fail) =>
      createAuthentication(options.user, credential, fail),
    );
    const nonce = (options.createNonce ?? createNonce)();
    return await LiveConnection.open(
      client,
      options.user,
      nonce,
      options.clock ?? systemClock,
      limits,
      options.signal ?? null,
    );
  } finally {
    wipe(options.auth);
  }
}

/**
 * The known_hosts text that the login is checked against. Where the human may be asked and the host is new, a first
 * handshake fetches the key (its signature proves that the server holds it), is closed, and the question waits with
 * nothing open; the login then accepts that key alone.
 */
async function settleHostKey(options: ConnectionOptions, limits: ConnectionLimits): Promise<string> {
  const { knownHosts, host, port } = options;
  if (knownHosts.kind === 'file-only') return knownHosts.text;
  if (recordedKeyTypes(knownHosts.text, host, port).length > 0) return knownHosts.text;
  const key = await fetchNewHostKey(options, limits);
  if (key === null) return knownHosts.text;
  const facts = { type: key.type, fingerprint: renderFingerprint(key) };
  if (!(await knownHosts.askHostKey({ host, port, ...facts }))) {
    throw new ConnectionFault({ kind: 'host_key_declined', ...facts });
  }
  const line = encodeKnownHostsLine(host, port, key);
  await knownHosts.record(line);
  return `${knownHosts.text}\n${line}`;
}

/** The key of a host that known_hosts does not know, or null when it does know the key after all. */
async function fetchNewHostKey(
  options: ConnectionOptions,
  limits: ConnectionLimits,
): Promise<HostKey | null> {
  const { knownHosts, host, port } = options;
  let presented: HostKey | null = null;
  const check = (blob: Buffer): ConnectionCause | null => {
    const cause = decideHostKey(knownHosts.text, host, port, blob);
    if (cause?.kind !== 'host_key_unknown') return cause;
    presented = parseHostKey(Buffer.from(blob));
    return null;
  };
  await openClient(options, limits, knownHosts.text, null, check);
  return presented;
}

async function openClient(
  options: ConnectionOptions,
  limits: ConnectionLimits,
  text: string,
  authenticate: AuthenticateWith | null,
  checkHostKey = (blob: Buffer): ConnectionCause | null =>
    decideHostKey(text, options.host, options.port, blob),
): Promise<Client> {
  const signal = options.signal ?? null;
  const socket = await openSocket({
    host: options.host,
    port: options.port,
    addressTimeoutMs: limits.addressTimeoutMs,
    timeoutMs: limits.readyTimeoutMs,
    lookup: options.lookup ?? null,
    signal,
  });
  const hostKeyAlgorithms = orderHostKeyAlgorithms(recordedKeyTypes(text, options.host, options.port));
  return await openTransport({
    socket,
    user: options.user,
    hostKeyAlgorithms,
    checkHostKey,
    authenticate,
    limits,
    signal,
  });
}

function decideHostKey(text: string, host: string, port: number, blob: Buffer): ConnectionCause | null {
  const key = parseHostKey(blob);
  if (key === null) return { kind: 'handshake_failed', serverSaid: 'the host key is malformed' };
  const facts = { type: key.type, fingerprint: renderFingerprint(key) };
  const verdict = checkKnownHosts(text, host, port, blob);
  switch (verdict.kind) {
    case 'ok':
      return null;
    case 'unknown':
      return { kind: verdict.certAuthority ? 'host_key_authority' : 'host_key_unknown', ...facts };
    case 'changed':
      return { kind: 'host_key_changed', ...facts, recordedTypes: verdict.recordedTypes };
    case 'revoked':
      return { kind: 'host_key_revoked', ...facts };
  }
}

function prepareCredential(auth: Auth): Credential {
  if (auth.kind === 'password') return { kind: 'password', password: auth.password };
  return { kind: 'key', key: parsePrivateKey(auth.privateKey, auth.passphrase ?? null) };
}

function wipe(auth: Auth): void {
  if (auth.kind === 'password') auth.password.fill(0);
  else {
    auth.privateKey.fill(0);
    auth.passphrase?.fill(0);
  }
}

function createNonce(): string {
  return randomBytes(16).toString('hex');
}
