// Why an installation is not even planned: everything that would make the boundary hollow. Called by plan-install; pure.
import { DEVICE_GROUPS, ROOT_GROUPS } from '../root-groups.js';
import { homeOf, type InstallFacts } from './install-facts.js';
import type { InstallOptions } from './install-options.js';
import type { InstallRefusal } from './install-plan.js';
import { installPlaces } from './install-places.js';

type Row = readonly [holds: boolean, code: InstallRefusal['code'], reason: string, fix: string];

export function checkInstall(options: InstallOptions, facts: InstallFacts): readonly InstallRefusal[] {
  return [...accountRows(facts), ...groupRows(facts), ...placeRows(options, facts)]
    .filter(([holds]) => holds)
    .map(([, code, reason, fix]) => ({ code, reason, fix }));
}

function accountRows(facts: InstallFacts): readonly Row[] {
  const { user, service, clients, unknownClients } = facts;
  const root = clients.find(({ uid }) => uid === 0);
  const insider = clients.find(
    ({ uid, gid, gids }) =>
      service !== null && uid !== service.uid && (gid === service.gid || gids.includes(service.gid)),
  );
  return [
    [service?.uid === 0, 'user_is_root', 'the console’s account must not be root', 'choose another --user'],
    [
      service !== null && clients.some(({ uid }) => uid === service.uid),
      'user_is_client',
      `${user} cannot be the console’s account and a client`,
      'choose another --user, or another --client',
    ],
    [
      service === null && facts.userGroupExists,
      'user_name_taken',
      `a group named ${user} exists already, and the account would get it`,
      `choose another --user, or make the account first: useradd --system -g ${user} ${user}`,
    ],
    [
      service === null && facts.homeExists,
      'home_taken',
      `${homeOf(user)} exists already`,
      'choose another --user, or move that folder away',
    ],
    [
      unknownClients.length > 0,
      'client_unknown',
      `there is no account ${unknownClients.join(', ')}`,
      `sudo useradd --create-home ${unknownClients[0] ?? ''}`,
    ],
    [
      root !== undefined,
      'client_is_root',
      'root cannot be a client',
      'run the agent in an account of its own',
    ],
    [
      insider !== undefined,
      'client_in_service_group',
      `the client ${insider?.name ?? ''} is in the group of the console’s account`,
      `gpasswd -d ${insider?.name ?? ''} GROUP, or choose another --user`,
    ],
  ];
}

function groupRows({ group, clientGid, service, user }: InstallFacts): readonly Row[] {
  return [
    [
      [...ROOT_GROUPS, ...DEVICE_GROUPS].some((name) => name === group),
      'group_is_privileged',
      `members of ${group} get more than a lock from it`,
      'choose another --group',
    ],
    [
      group === user || (clientGid !== null && service !== null && clientGid === service.gid),
      'group_is_service_group',
      'the clients’ group must not be the console account’s own group',
      'choose another --group',
    ],
  ];
}

function placeRows(options: InstallOptions, facts: InstallFacts): readonly Row[] {
  const places = installPlaces(options.lock);
  const { settings, program } = facts;
  const [writable] = program.writable;
  return [
    [
      settings !== null &&
        ((settings.serviceUser !== undefined && settings.serviceUser !== facts.user) ||
          (settings.clientGroup !== undefined && settings.clientGroup !== facts.group)),
      'settings_differ',
      `${places.settingsFile} names another account or group`,
      `sudo ${options.lock} install --uninstall first, or leave out --user and --group`,
    ],
    [
      writable !== undefined,
      'program_writable',
      `${writable?.who ?? ''} can change what would be installed: ${writable?.path ?? ''}`,
      'install from a folder that only root can write (sudo npm install -g, or a clone made by root), with a Node.js of the system',
    ],
    [
      facts.starter === 'foreign',
      'starter_foreign',
      `${places.starter} is another program`,
      'move it away and run this again',
    ],
    [
      facts.window === 'foreign',
      'starter_foreign',
      `${places.window} is a link, or can be changed by others than root: the human would decide in it`,
      'move it away and run this again',
    ],
    [
      facts.library === 'foreign',
      'library_foreign',
      `${places.library} holds something else`,
      'move it away and run this again',
    ],
    [
      options.hidepid && !facts.isProcHidden && facts.isProcInFstab,
      'proc_in_fstab',
      '/etc/fstab already says how /proc is mounted',
      'add hidepid=invisible to that line, run `mount -o remount /proc`, and leave out --hidepid',
    ],
  ];
}
