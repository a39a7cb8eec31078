// Doctor: is this machine set up so that the account boundary holds? Settings, accounts, groups, folders, the program.
// Any account may run it; what only root can see is said to be unseen. The same facts refuse a console's start.
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { UserMistake } from '../../contract/fault.js';
import type { Account } from '../../native/kernel.js';
import { loadSystemSettings, systemFile, type SystemSettings } from '../../setting/system-settings.js';
import { areProcessesHidden, type LockTraits } from '../check-start.js';
import type { FactsIo } from '../facts-io.js';
import { installPlaces } from '../install/install-places.js';
import { LIBRARY_MARK, readWriters } from '../install/library-mark.js';
import { readClients } from '../read-clients.js';
import { parseProcMounts } from '../read-proc-mounts.js';
import type { ClientFact, PathFact } from '../session-facts.js';
import { isRootOnly, lookUpwards, walk } from '../trusted-path.js';
import { bad, good, type CheckSource, type DoctorCheck } from './doctor-check.js';

interface SetUp {
  readonly io: FactsIo;
  readonly lock: LockTraits;
  readonly settings: SystemSettings;
  readonly service: Account;
  readonly clientGid: number | null;
  readonly clients: readonly ClientFact[];
}

export function separationChecks(io: FactsIo, lock: LockTraits): CheckSource {
  return () => {
    const read = readSettings(lock.name);
    if (typeof read === 'string')
      return [bad('fail', 'system_file', read, `mend ${systemFile(lock.name)}: it is root’s file`)];
    const { serviceUser, clientGroup, allowedUids } = read;
    if (serviceUser === undefined)
      return [
        bad(
          'fail',
          'system_file',
          'this lock is not installed: nothing separates a console from the agent',
          `sudo ${lock.name} install --client USER`,
        ),
      ];
    const service = io.accountByName(serviceUser);
    const top = [systemFileCheck(io, lock)];
    if (service === null)
      return [
        ...top,
        bad(
          'fail',
          'console_account',
          'the account of system.toml (service_user) does not exist',
          `sudo ${lock.name} install`,
        ),
      ];
    const clientGid = clientGroup === undefined ? null : io.groupByName(clientGroup);
    const clients = readClients(io, { group: clientGroup, allowedUids });
    const setUp = { io, lock, settings: read, service, clientGid, clients };
    return [...top, ...CHECKS.flatMap((check) => check(setUp))];
  };
}

function readSettings(lock: string): SystemSettings | string {
  try {
    return loadSystemSettings(lock);
  } catch (error) {
    if (error instanceof UserMistake) return error.message;
    throw error;
  }
}

function systemFileCheck(io: FactsIo, { name }: LockTraits): DoctorCheck {
  const open = lookUpwards(io, systemFile(name)).find((fact) => !isRootOnly(fact));
  return open === undefined
    ? good('system_file', `${systemFile(name)} is root’s alone`)
    : bad(
        'fail',
        'system_file',
        `${open.path} can be changed by others than root`,
        `chown root:root ${open.path}; chmod go-w ${open.path}`,
      );
}

type Check = (setUp: SetUp) => readonly DoctorCheck[];

function isMember(account: Account, gid: number | null): boolean {
  return gid !== null && (account.gid === gid || account.gids.includes(gid));
}

const consoleAccount: Check = ({ lock, service, clientGid, clients }) => {
  const { name } = service;
  const fix = `choose another account: sudo ${lock.name} install --uninstall, then install --user USER`;
  if (service.uid === 0) return [bad('fail', 'console_account', 'the console’s account is root', fix)];
  if (isMember(service, clientGid) || clients.some(({ uid }) => uid === service.uid))
    return [bad('fail', 'console_account', `${name} is also a client`, `gpasswd -d ${name} GROUP`)];
  const inside = clients.find((client) => isMember(client, service.gid));
  if (inside !== undefined)
    return [
      bad(
        'fail',
        'console_account',
        `the client ${inside.name} is in the group of ${name}`,
        `gpasswd -d ${inside.name} GROUP`,
      ),
    ];
  return [good('console_account', `consoles run as ${name} (uid ${String(service.uid)})`)];
};

const clientAccounts: Check = ({ lock, settings, clientGid, clients }) => {
  if (settings.clientGroup !== undefined && clientGid === null)
    return [
      bad('fail', 'clients', `the group ${settings.clientGroup} does not exist`, `sudo ${lock.name} install`),
    ];
  if (clients.length === 0)
    return [
      bad(
        'warn',
        'clients',
        'no account is a client: no agent can ask',
        `sudo ${lock.name} install --client USER`,
      ),
    ];
  return [good('clients', clients.map(({ name }) => name).join(', '))];
};

const clientRights: Check = ({ io, clients }) => {
  const strong = clients.flatMap(({ name, rootWays }) => rootWays.map((way) => ({ name, way: way.name })));
  const [first] = strong;
  if (first === undefined)
    return clients.length === 0
      ? []
      : [
          good(
            'client_rights',
            io.uid === 0
              ? 'no client may become root'
              : 'no client is in a group that may become root (sudo rules: run doctor as root)',
          ),
        ];
  return [
    bad(
      'warn',
      'client_rights',
      `a client may become root, so production is refused: ${strong.map(({ name, way }) => `${name} (${way})`).join(', ')}`,
      `run the agent in an account without these rights, or: gpasswd -d ${first.name} ${first.way}`,
    ),
  ];
};

const clientDevices: Check = ({ clients }) => {
  const near = clients.filter(({ deviceGroups }) => deviceGroups.length > 0);
  const [first] = near;
  if (first === undefined) return [];
  return [
    bad(
      'warn',
      'client_devices',
      `a client may read screens or keyboards of this machine: ${near.map(({ name, deviceGroups }) => `${name} (${deviceGroups.join(', ')})`).join('; ')}`,
      `gpasswd -d ${first.name} ${first.deviceGroups[0] ?? ''}`,
    ),
  ];
};

const home: Check = ({ io, service }) => {
  const fact = io.look(service.home);
  const fix = `sudo chown ${service.name} ${service.home}; sudo chmod 0700 ${service.home}`;
  if (fact === null || fact.kind !== 'folder')
    return [bad('fail', 'home', 'the console account’s home is not there', fix)];
  if (fact.uid !== service.uid)
    return [bad('fail', 'home', 'the console account’s home belongs to another account', fix)];
  if ((fact.mode & 0o077) === 0) return [good('home', `${service.home} is closed to all others`)];
  const repair = (): string => {
    chmodSync(service.home, 0o700);
    return `chmod 0700 ${service.home}`;
  };
  const mayRepair = io.uid === 0 || io.uid === service.uid;
  return [
    bad(
      'fail',
      'home',
      'others may look into the console account’s home',
      fix,
      mayRepair ? repair : undefined,
    ),
  ];
};

const SOCKET_MODE = 0o2710;

const socketFolder: Check = ({ io, lock, settings, service, clientGid }) => {
  const { socketDir } = settings;
  const fact = io.look(socketDir);
  const gid = clientGid ?? service.gid;
  if (fact !== null && isRightFolder(fact, service.uid, gid))
    return [good('socket_folder', `${socketDir} is the console’s, mode 2710`)];
  const group = settings.clientGroup ?? service.name;
  const fix = `sudo install -d -m 2710 -o ${service.name} -g ${group} ${socketDir}`;
  const what = fact === null ? 'is not there' : 'has another owner, group or mode than it must';
  // Only what root alone could have made is mended: a folder that anybody put there is looked at by a human.
  const mayRepair =
    io.uid === 0 && socketDir.startsWith('/run/') && (fact === null || fact.kind === 'folder');
  const repair = (): string => {
    mkdirSync(socketDir, { recursive: true, mode: 0o710 });
    chownSync(socketDir, service.uid, gid);
    chmodSync(socketDir, SOCKET_MODE);
    return fix.replace('sudo ', '');
  };
  return [
    bad(
      'fail',
      'socket_folder',
      `${socketDir} ${what}`,
      `${fix} (or sudo ${lock.name} doctor --fix)`,
      mayRepair ? repair : undefined,
    ),
  ];
};

function isRightFolder(fact: PathFact, uid: number, gid: number): boolean {
  return fact.kind === 'folder' && fact.uid === uid && fact.gid === gid && fact.mode === SOCKET_MODE;
}

const program: Check = ({ io, lock, clients }) => {
  const { library, starter, window } = installPlaces(lock.name);
  const fix = `sudo ${lock.name} install`;
  if (io.look(`${library}/${LIBRARY_MARK}`) === null || io.look(starter) === null)
    return [bad('fail', 'program', 'the root-owned copy of the program is not there', fix)];
  const open = [
    ...lookUpwards(io, library),
    ...lookUpwards(io, starter),
    // The human decides in it.
    ...(io.look(window) === null ? [] : lookUpwards(io, window)),
    ...walk(io, library, new Set()),
  ].find((fact) => !isRootOnly(fact) || fact.kind === 'link');
  const writers = readWriters(io, `${library}/node_modules/`);
  const author = clients.find(({ uid }) => writers.includes(uid));
  if (author !== undefined)
    return [
      bad(
        'fail',
        'program',
        `the client ${author.name} could write what the program was installed from`,
        `${fix}, from files that only root can write`,
      ),
    ];
  return open === undefined
    ? [good('program', `${starter} runs what only root can change`)]
    : [bad('fail', 'program', `${open.path} can be changed by others than root, or is a link`, fix)];
};

const processes: Check = ({ io, lock, clients }) => {
  if (!lock.needsHiddenProcesses) return [];
  const procMounts = parseProcMounts(io.readText('/proc/self/mountinfo') ?? '');
  if (areProcessesHidden({ procMounts, clients }))
    return [good('processes', 'clients cannot see the console account’s processes')];
  return [
    bad(
      'warn',
      'processes',
      'clients see the console account’s processes: production profiles are refused, and a plugin could tell more than its answer',
      `sudo ${lock.name} install --hidepid`,
    ),
  ];
};

const CHECKS: readonly Check[] = [
  consoleAccount,
  clientAccounts,
  clientRights,
  clientDevices,
  home,
  socketFolder,
  program,
  processes,
];
