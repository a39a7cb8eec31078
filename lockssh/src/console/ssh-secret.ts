// The one secret of a session: the key's bytes and passphrase, or the password. Asked, held and wiped here.
// It leaves only as copies for a connection attempt, which wipes them. Never in argv, environment, logs or errors.
import type { Human } from 'lockkit/approval';
import { Fault, UserMistake } from 'lockkit/contract';
import type { SshAuth } from '../connection/open-connection.js';
import { readGuardedFile } from '../connection/read-guarded-file.js';
import type { SshPolicy } from '../contract/profile.js';
import { secretScreen } from './run-screens.js';

export interface SshSecret {
  readonly copy: () => SshAuth;
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

/** `expand` turns `~/` into the console account's home. */
export async function openSshSecret(
  human: Human,
  profile: string,
  policy: SshPolicy,
  desktopLevel: 1 | 2 | 3,
  expand: (path: string) => string,
): Promise<SshSecret> {
  refuseLater(policy);
  const key = policy.auth === 'key' ? readKey(expand(policy.key)) : undefined;
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

function readKey(path: string): Buffer {
  try {
    return readGuardedFile(path);
  } catch (error) {
    if (error instanceof Fault) throw new UserMistake(`the key file cannot be used: ${error.message}`);
    throw error;
  }
}
