// Which real parts this machine has: the SSH server, the login shells, root. Called before anything starts one.
// With CI=true a missing part fails; elsewhere it is named, with its package, and what needs it is skipped.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Real part → the package that brings it (Debian's names). */
const PACKAGES = {
  root: 'an account that may create accounts (run as root)',
  sshd: 'openssh-server',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  useradd: 'passwd',
  flock: 'util-linux',
  setpriv: 'util-linux',
  dash: 'dash',
  bash: 'bash',
  rbash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  tcsh: 'tcsh',
  mksh: 'mksh',
  ksh93: 'ksh93u+m',
  busybox: 'busybox',
  git: 'git',
  tmux: 'tmux',
} as const;

export type RealPart = keyof typeof PACKAGES;

const named = new Set<string>();

/** True when every part is here. Throws with CI=true when one is not; else says once on stderr what is missing. */
export function requireReal(parts: readonly RealPart[]): boolean {
  const missing = parts.filter((part) => !isHere(part));
  const [first] = missing;
  if (first === undefined) return true;
  const sentence = `missing real part: ${missing.map((part) => `${part} (${PACKAGES[part]})`).join(', ')}`;
  if (process.env['CI'] === 'true') throw new Error(sentence);
  if (!named.has(sentence)) process.stderr.write(`skipped: ${sentence}\n`);
  named.add(sentence);
  return false;
}

/** The absolute path of a program, or null. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
  return (
    folders.map((folder) => join(folder, name)).find((path) => path.startsWith('/') && existsSync(path)) ??
    null
  );
}

function isHere(part: RealPart): boolean {
  return part === 'root' ? process.getuid?.() === 0 : findProgram(part) !== null;
}
