// Why there is no connection, as a closed union: for the human's console and the audit, never for an agent.
// Thrown by everything here. A cause must never hold a secret; what a server said is kept apart and made printable.

import { Fault } from 'lockkit/contract';

export type ConnectionCause =
  | { readonly kind: 'bad_host' }
  | { readonly kind: 'host_unreachable'; readonly systemCode: string }
  | { readonly kind: 'login_timed_out' }
  | { readonly kind: 'handshake_failed'; readonly serverSaid: string }
  | { readonly kind: 'host_key_unknown'; readonly type: string; readonly fingerprint: string }
  | { readonly kind: 'host_key_declined'; readonly type: string; readonly fingerprint: string }
  | {
      readonly kind: 'host_key_changed';
      readonly type: string;
      readonly fingerprint: string;
      readonly recordedTypes: readonly string[];
    }
  | { readonly kind: 'host_key_revoked'; readonly type: string; readonly fingerprint: string }
  | { readonly kind: 'host_key_authority'; readonly type: string; readonly fingerprint: string }
  | { readonly kind: 'key_file'; readonly problem: KeyFileProblem }
  | { readonly kind: 'passphrase_needed' }
  | { readonly kind: 'wrong_passphrase' }
  | { readonly kind: 'key_unsupported'; readonly format: KeyFormat }
  | { readonly kind: 'auth_failed' }
  | { readonly kind: 'auth_not_offered'; readonly offered: readonly string[] }
  | { readonly kind: 'auth_two_step' }
  | { readonly kind: 'auth_prompt' }
  | { readonly kind: 'password_expired' }
  | { readonly kind: 'shell_refused'; readonly shell: string; readonly reason: string }
  | { readonly kind: 'known_answer_wrong'; readonly shell: string }
  | { readonly kind: 'account_unknown' }
  | { readonly kind: 'no_session' }
  | { readonly kind: 'line_refused' }
  | { readonly kind: 'end_unknown' }
  | { readonly kind: 'lost'; readonly serverSaid: string }
  | { readonly kind: 'closed' }
  | { readonly kind: 'aborted' };

export type KeyFileProblem =
  'missing' | 'not_a_file' | 'too_large' | 'open_to_others' | 'other_owner' | 'unreadable';
export type KeyFormat = 'pkcs8' | 'putty' | 'dsa' | 'cipher' | 'other';

/** There is no connection: `code` is E_CONNECTION, `cause` says why, the message is a sentence for the human. */
export class ConnectionFault extends Fault {
  override readonly cause: ConnectionCause;

  constructor(cause: ConnectionCause) {
    super('E_CONNECTION', renderConnectionCause(cause));
    this.cause = cause;
  }
}

/** One sentence for the human that says what happened and, where it can, what to do. */
export function renderConnectionCause(cause: ConnectionCause): string {
  switch (cause.kind) {
    case 'host_unreachable':
      return `The host could not be reached (${cause.systemCode}).`;
    case 'handshake_failed':
      return `The server and this client could not agree on a connection (${cause.serverSaid}).`;
    case 'lost':
      return `The connection was lost (${cause.serverSaid}).`;
    case 'host_key_unknown':
      return `known_hosts does not hold the host's key (${cause.type} ${cause.fingerprint}); add it to the file.`;
    case 'host_key_declined':
      return `The host's key was not trusted (${cause.type} ${cause.fingerprint}).`;
    case 'host_key_changed':
      return `THE HOST'S KEY HAS CHANGED: ${cause.type} ${cause.fingerprint} is not what known_hosts records (${cause.recordedTypes.join(', ')}). Somebody may be between you and the host.`;
    case 'host_key_revoked':
      return `The host's key is marked as revoked in known_hosts (${cause.type} ${cause.fingerprint}).`;
    case 'host_key_authority':
      return `known_hosts names a certificate authority for this host, which is not supported; add the host's own key (${cause.type} ${cause.fingerprint}).`;
    case 'key_file':
      return KEY_FILE_SENTENCES[cause.problem];
    case 'key_unsupported':
      return KEY_FORMAT_SENTENCES[cause.format];
    case 'auth_not_offered':
      return `The server does not offer this way to log in (it offers ${cause.offered.join(', ') || 'none'}).`;
    case 'shell_refused':
      return `The login shell ${cause.shell} is refused: ${cause.reason}.`;
    case 'known_answer_wrong':
      return `The login shell ${cause.shell} changed a line whose answer is known, so no command can be sent.`;
    default:
      return PLAIN_SENTENCES[cause.kind];
  }
}

type PlainKind = Exclude<
  ConnectionCause['kind'],
  | 'host_unreachable'
  | 'handshake_failed'
  | 'lost'
  | 'key_file'
  | 'key_unsupported'
  | 'auth_not_offered'
  | 'shell_refused'
  | 'known_answer_wrong'
  | `host_key_${string}`
>;

const PLAIN_SENTENCES: Readonly<Record<PlainKind, string>> = {
  bad_host: 'The host is no name and no address.',
  login_timed_out: 'The server did not finish the login in time.',
  passphrase_needed: 'The key needs a passphrase: set credentials = "ask" (or keychain, vault).',
  wrong_passphrase: 'The passphrase does not open the key.',
  auth_failed: 'The server refused the login.',
  auth_two_step: 'The server wants a second step after the first login, which is not supported.',
  auth_prompt: 'The server asks something other than one hidden password, which is not supported.',
  password_expired: 'The password has expired; change it on the server first.',
  account_unknown: 'id -u gave no number: a forced command or a restricted account.',
  no_session: 'The server opens no session on this connection.',
  line_refused: 'The server refused the command line; nothing ran. It may be too long for this server.',
  end_unknown: 'A command did not end when it was told to, so the connection was dropped.',
  closed: 'The connection was closed.',
  aborted: 'The connection was given up before it was made.',
};

const KEY_FILE_SENTENCES: Readonly<Record<KeyFileProblem, string>> = {
  missing: 'The file does not exist.',
  not_a_file: 'The file is not a regular file.',
  too_large: 'The file is too large to be what it should be.',
  open_to_others: 'The file can be read or written by other accounts: chmod 600 it.',
  other_owner: 'The file or a folder on its way belongs to another account.',
  unreadable: 'The file could not be read.',
};

const KEY_FORMAT_SENTENCES: Readonly<Record<KeyFormat, string>> = {
  pkcs8: 'The key is in PKCS#8 form; convert a copy of it with: ssh-keygen -p -f COPY',
  putty: "The key is in PuTTY's form; convert it with: puttygen KEY -O private-openssh-new -o NEW",
  dsa: 'DSA keys are not supported; make a new key with: ssh-keygen -t ed25519',
  cipher:
    'The key is encrypted with a cipher that is not supported; convert a copy with: ssh-keygen -p -Z aes256-ctr -f COPY',
  other: 'The file is no private key that can be read; make one with: ssh-keygen -t ed25519',
};

/** What a server or the system said, cut and with every character that is not printable ASCII made visible. */
export function printable(text: string): string {
  return [...text.slice(0, 200)]
    .map((char) => (/^[\x20-\x7e]$/u.test(char) ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`))
    .join('');
}
