// Doctor: the project's own folder of the lock. Nobody but its owner may write it, and the console's account must be able
// to read it; where it cannot, the exact command is given.
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONFIG_FILE, PII_FILE, projectFolder } from '../../config/folders.js';
import type { Account } from '../../native/kernel.js';
import type { FactsIo } from '../facts-io.js';
import type { PathFact } from '../session-facts.js';
import { lookUpwards } from '../trusted-path.js';
import { bad, good, type CheckSource, type DoctorCheck } from './doctor-check.js';
import { mayRead, mayReadByBits, type ReadNeed } from './may-read.js';

export interface ProjectWish {
  readonly lock: string;
  readonly projectRoot: string;
  /** The console's account; null: none on this machine. */
  readonly service: Account | null;
}

export function projectChecks(io: FactsIo, { lock, projectRoot, service }: ProjectWish): CheckSource {
  return () => {
    const path = projectFolder(lock, projectRoot);
    const folder = io.look(path);
    if (folder === null) return [good('project_folder', `this project has no .${lock} folder`)];
    if (folder.kind !== 'folder')
      return [
        bad(
          'fail',
          'project_folder',
          `${path} must be a folder, and no link`,
          `move it away and make a folder`,
        ),
      ];
    const files = [CONFIG_FILE, PII_FILE].flatMap((name) => io.look(join(path, name)) ?? []);
    const check = permissions(io, [folder, ...files]);
    return service === null || service.uid === io.uid
      ? [check]
      : [check, readable(io, service, folder, files)];
  };
}

/** The owner's own group may write; anybody else may not. */
function permissions(io: FactsIo, facts: readonly PathFact[]): DoctorCheck {
  const odd = facts.find(({ kind }) => kind !== 'folder' && kind !== 'file');
  if (odd !== undefined)
    return bad(
      'fail',
      'project_folder',
      `${odd.path} must be a regular file, and no link`,
      'put the file itself there',
    );
  const open = facts.filter((fact) => isOpen(io, fact));
  const [first] = open;
  if (first === undefined) return good('project_folder', 'only its owner can write it');
  const fix = `chmod go-w ${open.map(({ path }) => path).join(' ')}`;
  const mine = open.every(({ uid }) => uid === io.uid || io.uid === 0);
  const repair = (): string => {
    for (const { path, mode } of open) chmodSync(path, mode & ~0o022);
    return fix;
  };
  return bad(
    'fail',
    'project_folder',
    `others than its owner can write ${first.path}`,
    fix,
    mine ? repair : undefined,
  );
}

function isOpen(io: FactsIo, { uid, gid, mode }: PathFact): boolean {
  const groupIsOwn = io.accountByUid(uid)?.gid === gid;
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !groupIsOwn);
}

interface Wanted {
  readonly fact: PathFact;
  readonly need: ReadNeed;
}

function readable(io: FactsIo, service: Account, folder: PathFact, files: readonly PathFact[]): DoctorCheck {
  const above = lookUpwards(io, dirname(folder.path)).map((fact): Wanted => ({ fact, need: 'enter' }));
  const own = [
    { fact: folder, need: 'list' as const },
    ...files.map((fact): Wanted => ({ fact, need: 'read' })),
  ];
  let reached = true;
  const looked = [...above.toReversed(), ...own].map((wanted) => {
    const { fact, need } = wanted;
    const verdict = reached ? mayRead(io, service, fact, need) : mayReadByBits(service, fact, need);
    reached &&= verdict.may;
    return { ...wanted, ...verdict };
  });
  const closed = looked.filter(({ may }) => !may);
  if (closed.length === 0) return good('project_readable', `${service.name} can read it`);
  const certain = closed.some((one) => one.certain);
  const fix = closed
    .map(({ fact, need }) => `setfacl -m u:${service.name}:${RIGHTS[need]} ${fact.path}`)
    .join('; ');
  const detail = certain
    ? `${service.name} cannot read this project’s policy`
    : `${service.name} cannot read this project’s policy, as far as permission bits tell`;
  return bad(certain ? 'fail' : 'warn', 'project_readable', detail, fix);
}

const RIGHTS: Readonly<Record<ReadNeed, string>> = { enter: 'x', list: 'rx', read: 'r' };
