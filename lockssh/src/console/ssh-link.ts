// The session's one connection: opened at the start with the human present, opened anew after it was lost.
// Called by the session only. It asks about host keys and root logins, and never sends a word of an agent by itself.
import type { Human } from 'lockkit/approval';
import { Fault, UserMistake } from 'lockkit/contract';
import { appendKnownHost } from '../connection/append-known-host.js';
import type { Connection } from '../connection/connection.js';
import { openConnection, type KnownHosts } from '../connection/open-connection.js';
import { MAX_KNOWN_HOSTS_BYTES, readGuardedFile } from '../connection/read-guarded-file.js';
import type { RunEnd } from '../connection/run-line.js';
import type { SshPolicy } from '../contract/profile.js';
import { hostKeyScreen, rootLoginScreen } from './run-screens.js';
import type { SshSecret } from './ssh-secret.js';

/** Detection reads so far past the cut (docs/decisions.md, "lockssh"). */
const LOOK_AHEAD_BYTES = 64 * 1024;

export interface LinkParts {
  readonly human: Human;
  readonly profile: string;
  readonly policy: SshPolicy;
  readonly secret: SshSecret;
  /** Absolute; where a trusted host key is recorded, or the file that must hold it. */
  readonly knownHostsPath: string;
  readonly uid: number;
  readonly audit: (event: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly signal: AbortSignal;
}

export class SshLink {
  readonly #parts: LinkParts;
  #connection: Promise<Connection> | undefined;
  #rootAccepted = false;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  /** The open connection; made anew where there is none. Throws Fault E_CONNECTION. */
  open(): Promise<Connection> {
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  async run(argv: readonly string[], policy: SshPolicy, signal: AbortSignal): Promise<RunEnd> {
    const connection = await this.open();
    const { request_timeout: timeoutMs, max_output_bytes: maxOutputBytes } = policy.limits;
    return connection.run(argv, { timeoutMs, maxOutputBytes, lookAheadBytes: LOOK_AHEAD_BYTES, signal });
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  async #connect(): Promise<Connection> {
    const { policy, secret, audit, signal } = this.#parts;
    const { host, port, user } = policy;
    const connection = await openConnection({
      host,
      port,
      user,
      auth: secret.copy(),
      knownHosts: await this.#knownHosts(),
      signal,
    });
    try {
      await this.#checkAccount(connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
    await audit('ssh.open', {
      account_uid: connection.account.uid,
      shell: connection.shellName,
      can_end_processes: connection.canEndProcesses,
    });
    void connection.lost.then(({ kind }) => this.#forget(kind));
    return connection;
  }

  #forget(why: string): void {
    this.#connection = undefined;
    if (this.#parts.signal.aborted) return;
    void this.#parts.audit('ssh.lost', { why }).catch(() => undefined);
    this.#parts.human.note(['the SSH connection ended; the next request opens it anew']);
  }

  /** A root login is refused on production and needs a typed `continue` elsewhere, once a console run. */
  async #checkAccount(connection: Connection): Promise<void> {
    const { policy, profile, human } = this.#parts;
    if (policy.production && !connection.canEndProcesses)
      throw new UserMistake(
        'production is refused: commands on this server cannot be ended when they run too long',
      );
    if (connection.account.uid !== 0 || this.#rootAccepted) return;
    if (policy.production)
      throw new UserMistake('production is refused: this login is root; use an account of its own');
    const answer = await human.ask(rootLoginScreen(profile, policy));
    if (answer.kind !== 'yes')
      throw new UserMistake('the root login was not confirmed: the console does not go on');
    this.#rootAccepted = true;
  }

  async #knownHosts(): Promise<KnownHosts> {
    const { knownHostsPath: path, uid, policy, profile, human, audit } = this.#parts;
    const bytes = await readGuardedFile({
      path,
      maxBytes: MAX_KNOWN_HOSTS_BYTES,
      isSecret: false,
      ownUid: uid,
    }).catch(explainKnownHosts);
    if (bytes === null && policy.known_hosts !== '')
      throw new UserMistake('the known_hosts file of the profile does not exist in this account');
    const text = bytes?.toString('latin1') ?? '';
    if (policy.known_hosts !== '') return { kind: 'file-only', text };
    return {
      kind: 'learn',
      text,
      askHostKey: async ({ type, fingerprint }) => {
        const answer = await human.ask(hostKeyScreen(profile, policy, type, fingerprint));
        await audit('ssh.host_key', { type, fingerprint, trusted: answer.kind === 'yes' });
        return answer.kind === 'yes';
      },
      record: (line) => appendKnownHost(path, line),
    };
  }
}

function explainKnownHosts(error: unknown): never {
  if (error instanceof Fault) throw new UserMistake(`known_hosts cannot be used: ${error.message}`);
  throw error;
}
