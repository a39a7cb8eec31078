// Turns an argv into the one line that a login shell is given, so that every argument arrives byte for byte.
// Called by the connection for every line, the known-answer line included. It must never leave a quote, a
// backslash or an exclamation mark inside quotes: fish reads the second there, tcsh the third.

import type { ProvedShell } from './proved-shells.js';

/** `timeout` reaches the program as a file through timeout(1), which also ends it: for shells whose exec runs builtins. */
export type LineForm = { readonly kind: 'plain' } | { readonly kind: 'timeout'; readonly seconds: number };

/**
 * The remote line for an argv: `exec` and each argument quoted ("What runs, what waits, what is refused").
 * The quoting is the same on every proved shell; the shell only decides which forms are allowed.
 * Throws Error (a bug: argv limits are checked before) for an argv that has no safe line.
 */
export function encodeRemoteLine(argv: readonly string[], shell: ProvedShell, form: LineForm): string {
  const [program] = argv;
  if (program === undefined || !isSafeProgram(program)) throw new Error('remote line: not a program name');
  if (form.kind === 'plain' && shell.execRunsBuiltins)
    throw new Error('remote line: exec runs builtins here');
  const words = form.kind === 'plain' ? argv : [...encodeTimeout(form.seconds), ...argv];
  return ['exec', ...words.map(encodeArgument)].join(' ');
}

/** One argument in single-quoted runs; the three characters that some shell reads there stand outside. */
export function encodeArgument(argument: string): string {
  if (argument === '') return "''";
  if (!isOneLine(argument)) throw new Error('remote line: control character in an argument');
  return argument.replace(/[^'\\!]+|['\\!]/gu, (run) => (/^['\\!]$/u.test(run) ? `\\${run}` : `'${run}'`));
}

function encodeTimeout(seconds: number): readonly string[] {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 86_400)
    throw new Error('remote line: bad timeout');
  return ['timeout', '-s', 'KILL', String(seconds)];
}

// `=` would be an assignment to some programs that start others, `-` and `+` an option to exec or timeout.
function isSafeProgram(program: string): boolean {
  return program !== '' && !/^[-+]|=/u.test(program);
}

// A tab is the only control character that an argv may hold; a lone surrogate has no UTF-8 form.
function isOneLine(argument: string): boolean {
  return !/[\0-\x08\x0a-\x1f\x7f-\x9f]/u.test(argument) && !/\p{Surrogate}/u.test(argument);
}
