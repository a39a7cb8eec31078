// Area A2: the remote line, as text and as the login shells of a real OpenSSH server read it.
// Called by the runner. `login_shell` and `exec_request` are told in words: they are tests beside the connection.

import { encodeRemoteLine, provedShell } from '@lockkit/lockssh/remote-line';
import type { Json, JsonObject, Kind, Kinds } from '../kind.js';
import { LoginBench, type BenchResult } from '../real-sshd/login-bench.js';
import { LOGIN_SHELLS, type LoginShell } from '../real-sshd/test-accounts.js';

/** The program of the round trips: prints its own name and every argument, each ended by a zero byte. */
const RECORDER = `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@"\n`;
/** A larger argument is compared here and not copied into the answer. */
const MAX_SHOWN_BYTES = 4_096;

const bench = new LoginBench({ p: RECORDER });

/** Input {argv} → {line}: the line for a shell whose exec runs files. */
const line: Kind = {
  run: (input) => ({ line: encodeRemoteLine(strings(input['argv']), bash(), { kind: 'plain' }) }),
  judge: judgeNamed,
};

/**
 * Input {login_shells, argv} → {argv_received?, all_received, side_effect}, where every shell answers alike, else
 * {differs: {shell: answer}}. A shell that is not proved is refused at the login: {refused: true, side_effect: false}.
 */
const roundtrip: Kind = {
  run: async (input) => {
    const argv = strings(input['argv']);
    const answers: Record<string, JsonObject> = {};
    for (const shell of strings(input['login_shells'])) answers[shell] = await roundtripOn(shell, argv);
    const [first, ...others] = Object.values(answers);
    const isAlike = others.every((answer) => isEqual(answer, first ?? null));
    return isAlike ? (first ?? null) : { differs: answers };
  },
  judge: judgeNamed,
};

/**
 * Input {login_shell, argv} → {exit_status, stdout, side_effect, ran_as_builtin, runs?}: what the line did behind that
 * login shell. `runs` is there when the file on PATH ran.
 */
const execSemantics: Kind = {
  run: async (input) => {
    const shell = loginShell(String(input['login_shell']));
    if (shell === null) return { refused: true, side_effect: false };
    return describeExec(await bench.run(shell, strings(input['argv'])));
  },
  judge: judgeNamed,
};

export const kinds: Kinds = { line, roundtrip, exec_semantics: execSemantics };

/** Ends the real server at once; without it, it ends by itself soon after the last case. */
export function close(): Promise<void> {
  return bench.close();
}

async function roundtripOn(name: string, argv: readonly string[]): Promise<JsonObject> {
  const shell = loginShell(name);
  if (shell === null) return { refused: true, side_effect: false };
  const { end, hasSideEffect } = await bench.run(shell, argv);
  const received = end.stdout.toString('utf8').split('\0').slice(0, -1);
  const isWhole = end.exitStatus === 0 && end.stdoutEnd === 'complete';
  return {
    ...(end.stdout.length > MAX_SHOWN_BYTES ? {} : { argv_received: received }),
    all_received: isWhole && isEqual(received, argv),
    side_effect: hasSideEffect,
  };
}

function describeExec({ end, hasSideEffect, isFile }: BenchResult): JsonObject {
  const hasStarted = !/not found|failed to run command|permission denied/iu.test(end.stderr.toString('utf8'));
  return {
    exit_status: end.exitStatus ?? null,
    stdout: end.stdout.toString('utf8'),
    side_effect: hasSideEffect,
    ran_as_builtin: !isFile && (hasStarted || hasSideEffect),
    ...(isFile && hasStarted ? { runs: 'the file on PATH' } : {}),
  };
}

/** Other names of the same shells on the systems that the suite runs on. */
const ALIASES: Readonly<Record<string, LoginShell>> = {
  sh: 'dash',
  busybox: 'ash',
  'busybox ash': 'ash',
  ksh: 'ksh93',
};

function loginShell(name: string): LoginShell | null {
  return (
    LOGIN_SHELLS.find((shell) => shell === name) ??
    (Object.hasOwn(ALIASES, name) ? ALIASES[name] : null) ??
    null
  );
}

function bash(): NonNullable<ReturnType<typeof provedShell>> {
  const shell = provedShell('bash');
  if (shell === null) throw new Error('bash is not proved');
  return shell;
}

/** Every key that is expected must be there with that value; what else was seen is not judged. */
function judgeNamed(_input: JsonObject, expected: JsonObject, got: Json): string | null {
  const seen = typeof got === 'object' && got !== null && !Array.isArray(got) ? (got as JsonObject) : {};
  const wrong = Object.keys(expected).filter((key) => !isEqual(seen[key] ?? null, expected[key] ?? null));
  return wrong.length === 0 ? null : `${wrong.join(', ')}: ${JSON.stringify(got).slice(0, 400)}`;
}

function isEqual(left: Json, right: Json): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
