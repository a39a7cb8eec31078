// The one secret of a session: the key's bytes and passphrase, or the password. Asked, held and wiped here.
// It leaves only as copies for a connection attempt, which wipes them. Never in argv, environment, logs or errors.
import type { Human } from 'lockkit/approval';
import { Fault, UserMistake } from 'lockkit/contract';
import type { Auth } from '../connection/open-connection.js';
import { MAX_KEY_FILE_BYTES, readGuardedFile } from '../connection/read-guarded-file.js';
import type { SshPolicy } from '../contract/profile.js';
import { secretScreen } from './run-screens.js';

export interface SshSecret {
  readonly copy: () => Auth;
  readonly wipe: () => void;
}

async function askSecret(
  human: Human,
  profile: string,
  policy: SshPolicy,
  desktopLevel: 1 | 2 | 3,
): Promise<Buffer> {
  const answer = await human.ask(secretScreen(profile, policy, desktopLevel));
  if (answer.kind !== 'secret') throw new UserMistake('no secret was typed: the console does not start');
  const copy = Buffer.from(answer.value);
  answer.value.fill(0);
  return copy;
}

function refuseLater(policy: SshPolicy): void {
  if (policy.credentials === 'keychain' || policy.credentials === 'vault')
    throw new UserMistake(
      `credentials = "${policy.credentials}" comes in a later version: use "ask" for now`,
    );
}

export interface SecretParts {
  readonly human: Human;
  readonly profile: string;
  readonly policy: SshPolicy;
  readonly desktopLevel: 1 | 2 | 3;
  /** Absolute path of the key's file. */
  readonly keyPath: string;
  readonly uid: number;
}

/** Reads the key and asks for what is typed. Throws UserMistake with what to do. */
export async function openSshSecret({
  human,
  profile,
  policy,
  desktopLevel,
  keyPath,
  uid,
}: SecretParts): Promise<SshSecret> {
  refuseLater(policy);
  const key = policy.auth === 'key' ? await readKey(keyPath, uid) : undefined;
  const typed =
    policy.credentials === 'ask' ? await askSecret(human, profile, policy, desktopLevel) : undefined;
  return {
    copy: () => {
      if (key === undefined) return { kind: 'password', password: Buffer.from(typed as Buffer) };
      const passphrase = typed === undefined ? {} : { passphrase: Buffer.from(typed) };
      return { kind: 'key', privateKey: Buffer.from(key), ...passphrase };
    },
    wipe: () => {
      key?.fill(0);
      typed?.fill(0);
    },
  };
}

async function readKey(path: string, ownUid: number): Promise<Buffer> {
  const key = await readGuardedFile({ path, maxBytes: MAX_KEY_FILE_BYTES, isSecret: true, ownUid }).catch(
    (error: unknown) => {
      if (error instanceof Fault)
        throw new UserMistake(`the key of the profile cannot be used: ${error.message}`);
      throw error;
    },
  );
  if (key === null) throw new UserMistake('the key of the profile does not exist in this account');
  return key;
}
