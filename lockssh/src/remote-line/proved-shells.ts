// Which login shells the remote line was proved on, and why the others are refused.
// Called by the login probe. A name proves nothing: it chooses the message and never replaces the known answer.

/** A login shell that the encoder's quoting was proved on with the real shell. */
export interface ProvedShell {
  readonly name: string;
  /** True where `exec NAME` runs a builtin of that name (zsh, mksh): the plain line is not allowed there. */
  readonly execRunsBuiltins: boolean;
}

/** What the name of a login shell says; the reason is a sentence for the human's console. */
export type ShellVerdict =
  | { readonly kind: 'proved'; readonly shell: ProvedShell }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string };

const EXEC_RUNS_FILES = ['bash', 'dash', 'sh', 'ash', 'busybox', 'ksh93', 'ksh', 'tcsh', 'fish'] as const;
const EXEC_RUNS_BUILTINS = ['zsh', 'mksh', 'mksh-static'] as const;

const REFUSED: Readonly<Record<string, string>> = {
  rbash: 'a restricted shell forbids exec, so nothing could run',
  rksh: 'a restricted shell forbids exec, so nothing could run',
  rksh93: 'a restricted shell forbids exec, so nothing could run',
  rzsh: 'a restricted shell forbids exec, so nothing could run',
  rc: 'in rc a backquote substitutes before exec and a quote has no escape, so no quoting is safe',
  es: 'in es a backquote substitutes before exec and a quote has no escape, so no quoting is safe',
  elvish: 'elvish quotes differently, so no argument would arrive as it was approved',
  nu: 'nushell quotes differently, so no argument would arrive as it was approved',
  nushell: 'nushell quotes differently, so no argument would arrive as it was approved',
  xonsh: 'xonsh reads the line as Python, so no argument would arrive as it was approved',
  pwsh: 'PowerShell has no exec and quotes differently',
  powershell: 'PowerShell has no exec and quotes differently',
  cmd: 'in cmd single quotes are ordinary characters and & | > still act',
  csh: 'csh was not proved; give the account tcsh, bash or sh as its login shell',
  yash: 'yash drops a line that its locale cannot read; give the account bash or sh as its login shell',
  'git-shell': 'git-shell runs only the commands of git',
  nologin: 'the account may not log in',
  false: 'the account may not log in',
};

/** The verdict for a login shell's path as the server told it (fixed text asked it, see login-probe.ts). */
export function decideShell(path: string): ShellVerdict {
  const name = nameOf(path);
  const shell = provedShell(name);
  if (shell !== null) return { kind: 'proved', shell };
  const reason = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
  return {
    kind: 'refused',
    name,
    reason: reason ?? 'this login shell was not proved; use bash, sh, zsh, fish, tcsh, mksh or ksh93',
  };
}

/** The proved shell of that name, or null. */
export function provedShell(name: string): ProvedShell | null {
  if (EXEC_RUNS_FILES.some((known) => known === name)) return { name, execRunsBuiltins: false };
  if (EXEC_RUNS_BUILTINS.some((known) => known === name)) return { name, execRunsBuiltins: true };
  return null;
}

function nameOf(path: string): string {
  const base = path.split(/[/\\]/u).at(-1) ?? '';
  return base.replace(/\.exe$/iu, '').toLowerCase();
}
