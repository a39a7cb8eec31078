// A clean home and project for one case, in a throwaway folder: what `given` says, and nothing else.
// Called by the players. It writes nowhere but in the folder it made.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GivenFile, SuiteCase } from './suite-case.js';

/** The account that is not root which `as: "plain"` means, where the suite is root. */
export const PLAIN_UID = 65534;

export interface CleanHome {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly sockets: string;
  /** Everything that a command finds in its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => void;
}

export interface HomeSetting {
  readonly given: SuiteCase['given'];
  /** Puts the case's words in place of `{lock}`, `{project}` …; once the folders exist. */
  readonly fill: (home: Pick<CleanHome, 'root' | 'home' | 'project' | 'sockets'>, text: string) => string;
  /** Whose the home is; undefined: the suite's own account. */
  readonly uid: number | undefined;
}

/** Homes that are still there; a run that is stopped takes them away too. */
const left = new Set<() => void>();
process.on('exit', () => left.forEach((remove) => remove()));

export function openCleanHome({ given, fill, uid }: HomeSetting): CleanHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lock-suite-')));
  const places = {
    root,
    home: join(root, 'home'),
    project: join(root, 'project'),
    sockets: join(root, 'run'),
  };
  chmodSync(root, 0o711);
  const folders = [places.home, places.project, places.sockets, join(root, 'tmp')];
  for (const folder of folders) mkdirSync(folder, { mode: 0o755 });
  chmodSync(places.sockets, 0o700);
  if (uid !== undefined) for (const folder of folders) chownSync(folder, uid, uid);
  const mounts = given?.full_disk === undefined ? [] : [mountSmall(fill(places, given.full_disk), uid)];
  for (const [path, file] of Object.entries(given?.files ?? {}))
    putFile(fill(places, path), file, fillFile(file), uid);
  function fillFile(file: GivenFile): (text: string) => string {
    return file.base64 === undefined ? (text) => fill(places, text) : (text) => text;
  }
  for (const folder of mounts) fillDisk(folder);
  const locked = (given?.read_only ?? []).map((path) => fill(places, path));
  for (const path of locked) chmodSync(path, 0o555);
  const remove = (): void => {
    left.delete(remove);
    for (const folder of mounts) execFileSync('umount', ['-l', folder]);
    for (const path of locked) chmodSync(path, 0o755);
    rmSync(root, { recursive: true, force: true });
  };
  left.add(remove);
  return { ...places, env: environment(places.home, join(root, 'tmp')), remove };
}

function environment(home: string, tmp: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: tmp,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
}

function putFile(
  path: string,
  file: GivenFile,
  fill: (text: string) => string,
  uid: number | undefined,
): void {
  makeFolders(dirname(path), uid);
  if (file.link !== undefined) symlinkSync(fill(file.link), path);
  else if (file.folder) mkdirSync(path, { recursive: true });
  else if (file.fifo) execFileSync('mkfifo', [path]);
  else if (file.base64 !== undefined) writeFileSync(path, Buffer.from(file.base64, 'base64'));
  else writeFileSync(path, fill(file.text ?? ''));
  if (file.link === undefined)
    chmodSync(path, Number.parseInt(file.mode ?? (file.folder ? '0755' : '0644'), 8));
  const owner = file.owner === 'root' ? 0 : uid;
  if (owner !== undefined) lchownSync(path, owner, owner);
}

function makeFolders(path: string, uid: number | undefined): void {
  const top = mkdirSync(path, { recursive: true, mode: 0o755 });
  if (top === undefined || uid === undefined) return;
  for (let folder = path; folder.startsWith(top); folder = dirname(folder)) chownSync(folder, uid, uid);
}

/** A disk of 64 KiB in place of a folder. */
function mountSmall(folder: string, uid: number | undefined): string {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=64k,mode=0755,uid=${String(uid ?? process.getuid?.() ?? 0)}`,
    'lock-suite',
    folder,
  ]);
  return folder;
}

function fillDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, '.full'), Buffer.alloc(Number(bavail) * bsize));
}

/** Whether this machine lets the suite make a small disk. */
export function mayMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'lock-suite-mount-'));
  try {
    mountSmall(folder, undefined);
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
