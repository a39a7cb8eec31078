// May a console start here? Every reason against it at once, each with what mends it (using-lockssh "The console";
// docs/decisions.md "Where the program comes from", "What is promised"). Pure: it judges a record of facts.
// The demo is the one console that may run beside its agent; it never gets here with another profile than its own.
import type { SystemSettings } from '../setting/system-settings.js';
import { hasForeignTerminal, usesX11, type DesktopLevel } from './decide-desktop-level.js';
import type { ClientFact, PathFact, SessionFacts } from './session-facts.js';
import type { StartCode, StartRefusal } from './start-refusal.js';
import { isRootOnly } from './trusted-path.js';

/** What a lock type says about where it may run. */
export interface LockTraits {
  readonly name: string;
  /** Its plugins write names that /proc would show to the agent. */
  readonly needsHiddenProcesses: boolean;
}

export interface StartQuestion {
  readonly facts: SessionFacts;
  readonly settings: SystemSettings;
  readonly level: DesktopLevel;
  readonly production: boolean;
  readonly demo: boolean;
  readonly lock: LockTraits;
}

type Rule = (question: StartQuestion) => StartRefusal | null;
type ProgramRule = (question: Pick<StartQuestion, 'facts' | 'lock'>) => StartRefusal | null;

/** Empty: it may start. */
export function checkStart(question: StartQuestion): readonly StartRefusal[] {
  if (question.demo) return [];
  const rules = question.production ? [...ALWAYS, ...ON_PRODUCTION] : ALWAYS;
  return rules.flatMap((rule) => rule(question) ?? []);
}

/** What decides for consoles must be as safe from clients as the consoles' own program is. Empty: it is. */
export function checkProgram(question: Pick<StartQuestion, 'facts' | 'lock'>): readonly StartRefusal[] {
  return [safeProgram, trustedSource].flatMap((rule) => rule(question) ?? []);
}

function refuse(holds: boolean, code: StartCode, reason: string, fix: string): StartRefusal | null {
  return holds ? { code, reason, fix } : null;
}

const notRoot: Rule = ({ facts, lock }) =>
  refuse(
    facts.uid === 0,
    'root_console',
    'a console never runs as root',
    `log in as the console’s account (\`sudo ${lock.name} install\` makes it)`,
  );

const separated: Rule = ({ facts, settings, lock }) =>
  refuse(
    settings.serviceUser === undefined || facts.service === null,
    'no_separation',
    'this machine has no account of its own for the console, so nothing separates it from the agent',
    `sudo ${lock.name} install --client USER`,
  );

const rightAccount: Rule = ({ facts }) =>
  refuse(
    facts.service !== null && facts.service.uid !== facts.uid,
    'wrong_account',
    `the console runs in the account ${facts.service?.name ?? ''} and nowhere else`,
    `log in as ${facts.service?.name ?? ''} and start it there`,
  );

const noClientItself: Rule = ({ facts, settings }) => {
  const service = facts.service?.name ?? '';
  return refuse(
    facts.clients.some(({ uid }) => uid === facts.service?.uid) || isIn(facts.clientGid, facts.service),
    'service_is_client',
    'the console’s account is also a client: an agent in it would approve its own requests',
    `gpasswd -d ${service} ${settings.clientGroup ?? 'GROUP'}, and take it out of allowed_uids`,
  );
};

function isIn(gid: number | null, account: SessionFacts['service']): boolean {
  return account !== null && gid !== null && (account.gid === gid || account.gids.includes(gid));
}

/** Files that the group may write count as the console's own. */
const ownGroup: Rule = ({ facts }) => {
  const inside = facts.clients.filter(
    (client) => client.uid !== facts.service?.uid && isIn(facts.service?.gid ?? null, client),
  );
  return refuse(
    inside.length > 0,
    'service_group_shared',
    `${namesOf(inside)} is in the group of the console’s account`,
    `take it out of that group (gpasswd -d), or give the console’s account a group of its own (usermod -g)`,
  );
};

const ownLogin: Rule = ({ facts }) =>
  refuse(
    facts.loginUid !== null && facts.loginUid !== facts.uid,
    'foreign_login',
    'another account logged in here and changed to this one (su, sudo): it holds the terminal',
    'log in as the console’s account itself: on a text console, in a session of its own, or with `machinectl shell`',
  );

const ownTerminal: Rule = ({ facts }) =>
  refuse(
    hasForeignTerminal(facts.uid, facts.terminals),
    'foreign_terminal',
    'the terminal belongs to another account, which can read it and type on it',
    'log in as the console’s account itself, in a terminal of its own',
  );

const cleanStart: Rule = ({ facts, lock }) =>
  refuse(
    facts.foreignVariables.length > 0,
    'unclean_environment',
    `the environment was not made by the starter (${facts.foreignVariables.slice(0, 4).map(printable).join(', ')})`,
    `run /usr/local/bin/${lock.name} console`,
  );

function printable(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]{0,40}$/.test(name) ? name : 'a name that is not printable';
}

const safeProgram: ProgramRule = ({ facts: { program }, lock }) =>
  refuse(
    program.unsafeCount > 0,
    'program_writable',
    `the program can be changed by others than root: ${describe(program.unsafe)}` +
      (program.unsafeCount > 1 ? ` and ${String(program.unsafeCount - 1)} more` : ''),
    `sudo ${lock.name} install, then run /usr/local/bin/${lock.name} console`,
  );

function describe(facts: readonly PathFact[]): string {
  const [first] = facts;
  return first === undefined
    ? ''
    : `${first.path} (uid ${String(first.uid)}, mode ${first.mode.toString(8)})`;
}

const trustedSource: ProgramRule = ({ facts: { program, clients }, lock }) => {
  const authors = clients.filter(({ uid }) => program.writers.includes(uid));
  return refuse(
    authors.length > 0,
    'program_writable',
    `the client ${namesOf(authors)} could write what the program was installed from`,
    `install again from files that only root can write: sudo ${lock.name} install`,
  );
};

const safeSystemFile: Rule = ({ facts }) => {
  const bad = facts.systemFile.filter((fact) => !isRootOnly(fact));
  return refuse(
    bad.length > 0,
    'system_file_writable',
    `system.toml can be changed by others than root: ${describe(bad)}`,
    `chown root:root ${bad[0]?.path ?? ''}; chmod go-w ${bad[0]?.path ?? ''}`,
  );
};

const SOCKET_MODE = 0o2710;

const socketFolder: Rule = ({ facts, settings, lock }) => {
  if (facts.service === null) return null;
  const { socketFolder: folder } = facts;
  const right =
    folder !== null &&
    folder.kind === 'folder' &&
    folder.uid === facts.service.uid &&
    folder.mode === SOCKET_MODE &&
    (facts.clientGid === null || folder.gid === facts.clientGid);
  return refuse(
    !right,
    'socket_folder',
    `the socket folder ${settings.socketDir} must belong to the console’s account and the clients’ group, mode 2710`,
    `sudo install -d -m 2710 -o ${facts.service.name} -g ${settings.clientGroup ?? facts.service.name} ${settings.socketDir} (or sudo ${lock.name} doctor --fix)`,
  );
};

const closedHome: Rule = ({ facts }) => {
  const { home, account } = facts;
  return refuse(
    home === null || home.kind !== 'folder' || home.uid !== facts.uid || (home.mode & 0o077) !== 0,
    'home_open',
    'the home of the console’s account must be its own and closed to all others (0700)',
    `sudo chown ${account?.name ?? ''} ${account?.home ?? '~'}; sudo chmod 0700 ${account?.home ?? '~'}`,
  );
};

const noX11: Rule = ({ facts, settings, production }) =>
  refuse(
    usesX11(facts) && (production || settings.x11 === 'refuse'),
    'x11_refused',
    production
      ? 'production never runs on an X11 display'
      : 'system.toml refuses X11 displays (x11 = "refuse")',
    'log in to a Wayland session or on a text console',
  );

const noRootClients: Rule = ({ facts }) => {
  const roots = facts.clients.filter(({ rootWays }) => rootWays.length > 0);
  const ways = [...new Set(roots.flatMap(({ rootWays }) => rootWays.map(({ name }) => name)))];
  return refuse(
    roots.length > 0,
    'client_may_become_root',
    `production refuses a client that may become root: ${namesOf(roots)} (${ways.join(', ')})`,
    `run the agent in an account without these rights, or: gpasswd -d ${roots[0]?.name ?? ''} ${ways[0] ?? ''}`,
  );
};

function namesOf(accounts: readonly ClientFact[]): string {
  return accounts.map(({ name }) => name).join(', ');
}

const levelReached: Rule = ({ level, settings, lock }) =>
  refuse(
    level < settings.productionLevel,
    'production_level',
    `this terminal is at desktop level ${String(level)}; production needs ${String(settings.productionLevel)}`,
    `log in to a session of its own (Wayland or text console), or let root set production_level in /etc/${lock.name}/system.toml`,
  );

/** Every mount of the process file system hides other accounts' processes, from every client. */
export function areProcessesHidden({
  procMounts,
  clients,
}: Pick<SessionFacts, 'procMounts' | 'clients'>): boolean {
  return (
    procMounts.length > 0 &&
    procMounts.every(
      ({ hidepid, exemptGid }) =>
        (hidepid === 'invisible' || hidepid === 'ptraceable') &&
        !clients.some((client) => exemptGid !== null && isIn(exemptGid, client)),
    )
  );
}

const hiddenProcesses: Rule = ({ facts, lock }) =>
  refuse(
    lock.needsHiddenProcesses && !areProcessesHidden(facts),
    'processes_visible',
    'clients can see this account’s processes, and a plugin can write more than one bit into its own name',
    `sudo ${lock.name} install --hidepid (mounts /proc with hidepid=invisible)`,
  );

const ALWAYS: readonly Rule[] = [
  notRoot,
  separated,
  rightAccount,
  noClientItself,
  ownGroup,
  ownLogin,
  ownTerminal,
  cleanStart,
  safeProgram,
  trustedSource,
  safeSystemFile,
  socketFolder,
  closedHome,
  noX11,
];

const ON_PRODUCTION: readonly Rule[] = [noRootClients, levelReached, hiddenProcesses];

/** What must stand on every screen of a console that starts all the same. */
export function standingWarnings({ facts, lock, demo }: StartQuestion): readonly string[] {
  if (demo || !lock.needsHiddenProcesses || areProcessesHidden(facts)) return [];
  return ['clients can see this account’s processes: a plugin could tell them more than its answer'];
}
