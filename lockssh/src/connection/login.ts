// What is asked of a server after the login and before any word of an agent: its shell, what ends a process there,
// the known answer, and who we are. Called by open-connection with fixed text only.
// A step that fails ends the connection; a name is never taken for a proof.

import type { LineForm } from '../remote-line/encode-remote-line.js';
import { encodeRemoteLine } from '../remote-line/encode-remote-line.js';
import { checkKnownAnswer, knownAnswerArgv } from '../remote-line/known-answer.js';
import { decideShell, type ProvedShell } from '../remote-line/proved-shells.js';
import { ConnectionFault, printable } from './connection-fault.js';
import type { RunEnd } from './run-line.js';

/** Runs one fixed line for at most timeoutMs. */
export type Ask = (line: string, timeoutMs: number) => Promise<RunEnd>;

export interface LoginAnswer {
  readonly shell: ProvedShell;
  readonly form: LineForm['kind'];
  /** False: a command that runs too long may survive; a production profile refuses such a server. */
  readonly canEndProcesses: boolean;
  readonly uid: number;
  /** How long the login shell took from the request to the program: its start-up files run before every line. */
  readonly startUpMs: number;
}

export interface LoginLimits {
  readonly probeTimeoutMs: number;
  readonly killProbeMs: number;
}

/** Throws ConnectionFault: shell_refused, known_answer_wrong or account_unknown. `nonce` is fresh for every login. */
export async function runLogin(ask: Ask, nonce: string, limits: LoginLimits): Promise<LoginAnswer> {
  const named = await askShell(ask, limits);
  const [execRunsBuiltins, canKill, hasTimeout] = await Promise.all([
    askBuiltins(ask, named, limits),
    askKill(ask, limits),
    askTimeout(ask, limits),
  ]);
  const shell: ProvedShell = { name: named.name, execRunsBuiltins };
  if (execRunsBuiltins && !hasTimeout)
    throw refusal(shell, 'its exec runs builtins and the server has no timeout(1)');
  const timeoutKills = !canKill && hasTimeout && (await askTimeoutKills(ask, limits));
  const form = execRunsBuiltins || timeoutKills ? 'timeout' : 'plain';
  const lineForm = encodeForm(form, limits.probeTimeoutMs);
  const startUpMs = await checkAnswer(ask, shell, lineForm, nonce, limits);
  const uid = await askUid(ask, shell, lineForm, nonce, limits);
  return { shell, form, canEndProcesses: canKill || timeoutKills, uid, startUpMs };
}

/** The form of a line that may run for timeoutMs: the server's own clock counts whole seconds, never fewer. */
export function encodeForm(kind: LineForm['kind'], timeoutMs: number): LineForm {
  return kind === 'plain' ? { kind } : { kind, seconds: Math.max(1, Math.ceil(timeoutMs / 1000)) };
}

// sshd sets SHELL; the words mean the same in every shell that could be accepted.
async function askShell(ask: Ask, limits: LoginLimits): Promise<ProvedShell> {
  const end = await ask('echo $SHELL', limits.probeTimeoutMs);
  const path = /(\/[\x21-\x7e]+)\n$/u.exec(end.stdout.toString('latin1'))?.[1];
  if (end.exitStatus !== 0 || path === undefined || path.length > 255) {
    throw new ConnectionFault({
      kind: 'shell_refused',
      shell: '(unnamed)',
      reason: 'it does not answer as a login shell does',
    });
  }
  const verdict = decideShell(path);
  if (verdict.kind === 'proved') return verdict.shell;
  throw new ConnectionFault({
    kind: 'shell_refused',
    shell: printable(verdict.name),
    reason: verdict.reason,
  });
}

async function askBuiltins(ask: Ask, named: ProvedShell, limits: LoginLimits): Promise<boolean> {
  const end = await ask("exec 'eval' 'echo lk-builtin'", limits.probeTimeoutMs);
  return named.execRunsBuiltins || end.stdout.includes('lk-builtin') || end.exitStatus === undefined;
}

// The process is ended by the deadline's KILL at once, or ends by itself.
async function askKill(ask: Ask, limits: LoginLimits): Promise<boolean> {
  const end = await ask("exec 'sleep' '5'", limits.killProbeMs);
  return end.kind === 'timed_out' && end.ended === 'confirmed';
}

async function askTimeout(ask: Ask, limits: LoginLimits): Promise<boolean> {
  const end = await ask("exec 'timeout' '-s' 'KILL' '20' 'echo' 'lk-timeout'", limits.probeTimeoutMs);
  return end.exitStatus === 0 && end.stdout.toString('latin1').endsWith('lk-timeout\n');
}

async function askTimeoutKills(ask: Ask, limits: LoginLimits): Promise<boolean> {
  const end = await ask("exec 'timeout' '-s' 'KILL' '1' 'sleep' '20'", limits.probeTimeoutMs);
  return end.kind === 'signalled' ? end.signal === 'SIGKILL' : end.exitStatus === 137;
}

async function checkAnswer(
  ask: Ask,
  shell: ProvedShell,
  form: LineForm,
  nonce: string,
  limits: LoginLimits,
): Promise<number> {
  const end = await ask(encodeRemoteLine(knownAnswerArgv(nonce), shell, form), limits.probeTimeoutMs);
  if (end.exitStatus !== 0 || end.stdoutEnd !== 'complete' || !checkKnownAnswer(nonce, end.stdout)) {
    throw new ConnectionFault({ kind: 'known_answer_wrong', shell: printable(shell.name) });
  }
  return end.durationMs;
}

// Start-up files may print anything, a 0 too: only what stands between our own marks is the answer.
async function askUid(
  ask: Ask,
  shell: ProvedShell,
  form: LineForm,
  nonce: string,
  limits: LoginLimits,
): Promise<number> {
  const script = `echo lk-${nonce}-from && id -u && echo lk-${nonce}-to`;
  const end = await ask(encodeRemoteLine(['sh', '-c', script], shell, form), limits.probeTimeoutMs);
  const answer = new RegExp(`lk-${nonce}-from\\n(0|[1-9][0-9]{0,9})\\nlk-${nonce}-to\\n$`, 'u');
  const uid = answer.exec(end.stdout.toString('latin1'))?.[1];
  if (end.exitStatus !== 0 || uid === undefined) throw new ConnectionFault({ kind: 'account_unknown' });
  return Number(uid);
}

function refusal(shell: ProvedShell, reason: string): ConnectionFault {
  return new ConnectionFault({ kind: 'shell_refused', shell: printable(shell.name), reason });
}
