// Debian packages that the real parts of the tests and the demo need, and how they get there.
// Root installs what is missing; anybody else is told what to install. Nothing is removed or upgraded.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What proves that a package is there: a file, a program on the path, or a look of its own. */
const PARTS = [
  { package: 'openssh-server', path: '/usr/sbin/sshd', for: ['start', 'test'] },
  { package: 'openssh-client', path: '/usr/bin/ssh-keygen', for: ['start', 'test'] },
  { package: 'gcc', path: '/usr/bin/gcc', for: ['start', 'test'] },
  { package: 'libc6-dev', path: '/usr/include/stdlib.h', for: ['start', 'test'] },
  { package: 'g++', path: '/usr/bin/g++', for: ['start', 'test'] },
  { package: 'make', path: '/usr/bin/make', for: ['start', 'test'] },
  { package: 'python3', path: '/usr/bin/python3', alternative: 'python3', for: ['start', 'test'] },
  { package: 'libqpdf-dev', path: '/usr/include/qpdf/QPDF.hh', for: ['start', 'test'] },
  { package: 'zsh', path: '/usr/bin/zsh', for: ['test'] },
  { package: 'fish', path: '/usr/bin/fish', for: ['test'] },
  { package: 'tcsh', path: '/usr/bin/tcsh', for: ['test'] },
  { package: 'mksh', path: '/usr/bin/mksh', for: ['test'] },
  { package: 'ksh93u+m', path: '/usr/bin/ksh93', for: ['test'] },
  { package: 'busybox', path: '/usr/bin/busybox', for: ['test'] },
  { package: 'tmux', path: '/usr/bin/tmux', for: ['test'] },
  { package: 'bubblewrap', path: '/usr/bin/bwrap', for: ['test'] },
  { package: 'z3', path: '/usr/bin/z3', for: ['test'] },
  { package: 'postgresql', isThere: hasPostgresServer, for: ['test'] },
];

/** Its programs lie in a folder of their version; the client's package makes that folder too. */
function hasPostgresServer() {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  return versions.some((version) => existsSync(join(folder, version, 'bin/initdb')));
}

function onPath(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}

function isThere({ path, alternative, isThere: look }) {
  if (look) return look();
  if (existsSync(path) || existsSync(path.replace('/usr/bin', '/bin'))) return true;
  return alternative !== undefined && onPath(alternative);
}

export function missingPackages(purpose) {
  return PARTS.filter((part) => part.for.includes(purpose))
    .filter((part) => !isThere(part))
    .map((part) => part.package);
}

/** Installs what is missing when it may; returns what still is. */
export function ensureSystemPackages(purpose) {
  const missing = missingPackages(purpose);
  if (missing.length === 0) return [];
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return missing;
  console.log(`installing system packages: ${missing.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () =>
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
    });
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'], env });
    install();
  } catch {
    console.error('apt-get could not install them');
  }
  return missingPackages(purpose);
}

export function explainMissing(packages) {
  return `These system packages are missing: ${packages.join(' ')}\nInstall them (Debian: sudo apt-get install ${packages.join(' ')}) and run this again.`;
}
