// Reads what install plans from: accounts, groups, what is installed already, what would be copied. Called by the install
// command, as root or, for `--print`, as anybody. It changes nothing.
import { existsSync } from 'node:fs';
import { loadSystemSettings, type SystemSettings } from '../../setting/system-settings.js';
import type { FactsIo } from '../facts-io.js';
import { clientOf, readClients } from '../read-clients.js';
import { parseProcMounts } from '../read-proc-mounts.js';
import type { ClientFact } from '../session-facts.js';
import { homeOf, type InstallFacts } from './install-facts.js';
import type { InstallOptions } from './install-options.js';
import { installPlaces, type InstallPlaces } from './install-places.js';
import { LIBRARY_MARK } from './library-mark.js';
import { readProgramCopy } from './read-program-copy.js';
import { isRootOnly, lookUpwards } from '../trusted-path.js';
import { starterMark, WINDOW } from './starter.js';

export function readInstallFacts(io: FactsIo, options: InstallOptions, productFolder: string): InstallFacts {
  const { lock } = options;
  const places = installPlaces(lock);
  const settings = existsSync(places.settingsFile) ? loadSystemSettings(lock) : null;
  const user = options.user ?? settings?.serviceUser ?? lock;
  const group = options.group ?? settings?.clientGroup ?? `${lock}-clients`;
  const clients = clientsOf(io, options, group, settings);
  return {
    uid: io.uid,
    settings,
    user,
    service: io.accountByName(user),
    group,
    clientGid: io.groupByName(group),
    userGroupExists: io.groupByName(user) !== null,
    homeExists: io.look(homeOf(user)) !== null,
    clients,
    unknownClients: options.clients.filter((name) => io.accountByName(name) === null),
    program: readProgramCopy(io, { lock, productFolder, library: places.library, clients }),
    starter: starterState(io, places, lock),
    window: windowState(io, places, lock),
    library: libraryState(io, places),
    hasTmpfiles: io.look('/etc/tmpfiles.d')?.kind === 'folder',
    ...procState(io),
    shell: io.look('/bin/bash') === null ? '/bin/sh' : '/bin/bash',
    ...groupState(io, places, group, lock),
    running: readRunning(io, places.library),
  };
}

function clientsOf(
  io: FactsIo,
  { clients }: InstallOptions,
  group: string,
  settings: SystemSettings | null,
): readonly ClientFact[] {
  const now = readClients(io, { group, allowedUids: settings?.allowedUids ?? [] });
  const named = clients
    .flatMap((name) => io.accountByName(name) ?? [])
    .map((account) => clientOf(io, account));
  return [...new Map([...now, ...named].map((client) => [client.uid, client])).values()];
}

function starterState(io: FactsIo, { starter }: InstallPlaces, lock: string): InstallFacts['starter'] {
  const fact = io.look(starter);
  if (fact === null) return 'absent';
  if (fact.kind === 'link') return 'link';
  return io.readText(starter)?.includes(starterMark(lock)) === true ? 'ours' : 'foreign';
}

function windowState(io: FactsIo, { window }: InstallPlaces, lock: string): InstallFacts['window'] {
  const fact = io.look(window);
  if (fact === null) return 'absent';
  if (lookUpwards(io, window).some((one) => one.kind === 'link' || !isRootOnly(one))) return 'foreign';
  return io.readText(window)?.includes(starterMark(lock, WINDOW)) === true ? 'ours' : 'others';
}

function libraryState(io: FactsIo, { library }: InstallPlaces): InstallFacts['library'] {
  if (io.look(library) === null) return 'absent';
  return io.look(`${library}/${LIBRARY_MARK}`) === null ? 'foreign' : 'ours';
}

function procState(io: FactsIo): Pick<InstallFacts, 'isProcHidden' | 'isProcInFstab'> {
  const mounts = parseProcMounts(io.readText('/proc/self/mountinfo') ?? '');
  return {
    isProcHidden: mounts.every(({ hidepid }) => hidepid === 'invisible' || hidepid === 'ptraceable'),
    isProcInFstab: /^\s*[^#\s]+\s+\/proc\s/m.test(io.readText('/etc/fstab') ?? ''),
  };
}

/** Whether uninstall may take the clients' group away. */
function groupState(
  io: FactsIo,
  { createdFile }: InstallPlaces,
  group: string,
  lock: string,
): Pick<InstallFacts, 'groupIsOurs' | 'groupUsedBy'> {
  const named = new RegExp(`^client_group\\s*=\\s*"${group}"`, 'm');
  const others = io
    .list('/etc')
    .filter((name) => name !== lock && named.test(io.readText(`/etc/${name}/system.toml`) ?? ''));
  const created = (io.readText(createdFile) ?? '').split('\n');
  return { groupIsOurs: created.includes(`group ${group}`), groupUsedBy: others };
}

/** A program that was replaced while it ran is known by its old name. */
function readRunning(io: FactsIo, library: string): readonly number[] {
  const isOurs = (exe: string | null): boolean =>
    exe !== null && (exe.startsWith(`${library}/`) || exe.startsWith(`${library}.old/`));
  return io
    .list('/proc')
    .filter((name) => /^[0-9]+$/.test(name) && isOurs(io.readLink(`/proc/${name}/exe`)))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}
