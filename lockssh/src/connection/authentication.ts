// Decides which way to log in is tried next. Called by the SSH library after the host key was accepted.
// It must never send a password to a question that is not one hidden prompt, nor more than once.

import type { AnyAuthMethod, AuthenticationType, ParsedKey } from 'ssh2';
import type { ConnectionCause } from './connection-fault.js';

/** What the human's console holds for this login, ready to be used. */
export type Credential =
  | { readonly kind: 'key'; readonly key: ParsedKey }
  | { readonly kind: 'password'; readonly password: Buffer };

export type NextStep =
  | { readonly kind: 'try'; readonly method: AnyAuthMethod }
  | { readonly kind: 'fail'; readonly cause: ConnectionCause };

type Step = 'nothing' | 'none' | 'publickey' | 'password' | 'keyboard-interactive';

/**
 * One login: call the answer for every step with what the server still offers (null at first).
 * `none` comes first: it costs nothing and makes the server name what it offers. `onPrompt` hears of a question that
 * cannot be answered; the server's own words are never shown.
 */
export function createAuthentication(
  user: string,
  credential: Credential,
  onPrompt: (cause: ConnectionCause) => void,
): (offered: readonly AuthenticationType[] | null, isPartial: boolean | null) => NextStep {
  let last: Step = 'nothing';
  return (offered, isPartial) => {
    if (isPartial === true) return { kind: 'fail', cause: { kind: 'auth_two_step' } };
    if (last === 'nothing') {
      last = 'none';
      return { kind: 'try', method: { type: 'none', username: user } };
    }
    if (last !== 'none') return { kind: 'fail', cause: { kind: 'auth_failed' } };
    const method = chooseMethod(user, credential, offered ?? [], onPrompt);
    if (method === null) return { kind: 'fail', cause: { kind: 'auth_not_offered', offered: offered ?? [] } };
    last = method.type as Step;
    return { kind: 'try', method };
  };
}

function chooseMethod(
  user: string,
  credential: Credential,
  offered: readonly AuthenticationType[],
  onPrompt: (cause: ConnectionCause) => void,
): AnyAuthMethod | null {
  if (credential.kind === 'key') {
    return offered.includes('publickey') ? { type: 'publickey', username: user, key: credential.key } : null;
  }
  if (offered.includes('password')) {
    // The library sends a Buffer as it is; its types know strings only.
    return { type: 'password', username: user, password: credential.password as unknown as string };
  }
  if (!offered.includes('keyboard-interactive')) return null;
  return { type: 'keyboard-interactive', username: user, prompt: answerOnce(credential.password, onPrompt) };
}

type PromptHandler = Extract<AnyAuthMethod, { type: 'keyboard-interactive' }>['prompt'];

function answerOnce(password: Buffer, onPrompt: (cause: ConnectionCause) => void): PromptHandler {
  let answered = false;
  return (_name, _instructions, _language, prompts, finish) => {
    const [only] = prompts;
    if (answered) {
      onPrompt({ kind: 'auth_two_step' });
    } else if (prompts.length !== 1 || only?.echo !== false) {
      onPrompt({ kind: 'auth_prompt' });
    } else {
      answered = true;
      finish([password.toString('utf8')]);
    }
  };
}
