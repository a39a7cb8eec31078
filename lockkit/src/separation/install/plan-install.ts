// From what was asked and what is there to the exact script that makes two accounts of one machine. Pure; called by the
// install command, which prints the script, asks, and runs it. A second run finds everything there and changes nothing.
import { checkInstall } from './check-install.js';
import { homeOf, type InstallFacts, type PackageCopy } from './install-facts.js';
import type { InstallOptions } from './install-options.js';
import { quote, writeFileLines, type InstallPlan, type InstallStep, type Planned } from './install-plan.js';
import { installPlaces, type InstallPlaces } from './install-places.js';
import { encodeWriters, LIBRARY_MARK } from './library-mark.js';
import { renderStarter, starterMark, WINDOW } from './starter.js';

interface Planning {
  readonly options: InstallOptions;
  readonly facts: InstallFacts;
  readonly places: InstallPlaces;
}

export function planInstall(options: InstallOptions, facts: InstallFacts): Planned {
  const refusals = checkInstall(options, facts);
  if (refusals.length > 0) return { kind: 'refused', refusals };
  const planning = { options, facts, places: installPlaces(options.lock) };
  const steps = [
    settingsFolder(planning),
    clientsGroup(planning),
    consoleAccount(planning),
    ...clientAccounts(planning),
    ...program(planning),
    starter(planning),
    ...windowStarter(planning),
    ...settingsFile(planning),
    socketFolder(planning),
    ...hiddenProcesses(planning),
    proof(planning),
  ];
  const plan: InstallPlan = {
    title: `install ${options.lock} on this machine`,
    steps,
    notes: notesOf(planning),
  };
  return { kind: 'plan', plan };
}

function settingsFolder({ places }: Planning): InstallStep {
  return {
    title: 'the folder of what root decides',
    lines: [`install -d -o root -g root -m 0755 ${places.settingsFolder}`],
  };
}

/** What is made is written down, so that uninstall takes away nothing else. */
function made(places: InstallPlaces, what: string): string {
  return `echo ${quote(what)} >> ${places.createdFile}`;
}

function clientsGroup({ facts: { group }, places }: Planning): InstallStep {
  return {
    title: 'the clients’ group: who may ask',
    lines: [
      `if ! getent group ${group} > /dev/null; then`,
      `  groupadd --system ${group}`,
      `  ${made(places, `group ${group}`)}`,
      'fi',
    ],
  };
}

function consoleAccount({ options, facts, places }: Planning): InstallStep {
  const { user, service, shell } = facts;
  const home = quote(service?.home ?? homeOf(user));
  return {
    title: 'the console’s account, with a home that is closed to all others',
    lines: [
      `if ! getent passwd ${user} > /dev/null; then`,
      `  useradd --system --user-group --create-home --home-dir ${home} --shell ${shell} --comment ${quote(`console of ${options.lock}`)} ${user}`,
      `  ${made(places, `account ${user}`)}`,
      'fi',
      `chown ${user} ${home}`,
      `chmod 0700 ${home}`,
    ],
  };
}

function clientAccounts({ options: { clients }, facts: { group } }: Planning): readonly InstallStep[] {
  if (clients.length === 0) return [];
  return [
    { title: 'the clients', lines: clients.map((client) => `usermod --append --groups ${group} ${client}`) },
  ];
}

function copyLines({ folder, place, entries }: PackageCopy): readonly string[] {
  const parents = new Map<string, string[]>();
  for (const entry of entries) {
    const at = entry.lastIndexOf('/');
    const parent = at < 0 ? place : `${place}/${entry.slice(0, at)}`;
    parents.set(parent, [...(parents.get(parent) ?? []), `${folder}/${entry}`]);
  }
  return [...parents].flatMap(([parent, sources]) => [
    `mkdir -p -- "$new"/${quote(parent)}`,
    `cp -R -- ${sources.map(quote).join(' ')} "$new"/${quote(parent)}/`,
  ]);
}

function program({ facts, places }: Planning): readonly InstallStep[] {
  const { node, packages, command, isInstalled, writers } = facts.program;
  if (isInstalled) return [];
  return [
    {
      title: 'the program: Node.js and every package, copied, owned by root, writable by nobody else',
      lines: [
        `new=${places.library}.new`,
        `old=${places.library}.old`,
        'rm -rf -- "$new" "$old"',
        'mkdir -p -- "$new"/bin',
        `cp -- ${quote(node)} "$new"/bin/node`,
        ...packages.flatMap(copyLines),
        `printf ${quote(encodeWriters(writers).replaceAll('\n', '\\n'))} > "$new"/${LIBRARY_MARK}`,
        'if [ -n "$(find "$new" ! -type f ! -type d -print -quit)" ]; then',
        "  echo 'the program holds a link or a device: nothing was installed' >&2",
        '  exit 1',
        'fi',
        'chown -R root:root "$new"',
        'chmod -R u=rwX,go=rX "$new"',
        `env -i "$new"/bin/node "$new"/${quote(command)} version --json > /dev/null`,
        `if [ -e ${places.library} ]; then mv -T -- ${places.library} "$old"; fi`,
        `mv -T -- "$new" ${places.library}`,
        'rm -rf -- "$old"',
      ],
    },
  ];
}

function starter({ options, facts, places }: Planning): InstallStep {
  const { library } = places;
  const text = renderStarter(
    starterMark(options.lock),
    `${library}/bin/node`,
    `${library}/${facts.program.command}`,
  );
  return {
    title: 'the command: a starter that makes a clean environment',
    lines: writeFileLines(places.starter, '0755', text),
  };
}

/** One window serves every lock: that of the lock which was installed first stays. */
function windowStarter({ options, facts, places }: Planning): readonly InstallStep[] {
  const { library } = places;
  const { window: program } = facts.program;
  if (program === null || facts.window === 'others') return [];
  const text = renderStarter(
    starterMark(options.lock, WINDOW),
    `${library}/bin/node`,
    `${library}/${program}`,
  );
  return [{ title: 'lox: the window for every lock', lines: writeFileLines(places.window, '0755', text) }];
}

/** An existing file is the administrator's: it is checked, and never written. */
function settingsFile({ facts, places }: Planning): readonly InstallStep[] {
  const { settings, user, group } = facts;
  if (settings?.serviceUser !== undefined && settings.clientGroup !== undefined) return [];
  const named = `service_user = "${user}"\nclient_group = "${group}"\n`;
  if (settings === null)
    return [{ title: 'what root decides', lines: writeFileLines(places.settingsFile, '0644', named) }];
  const missing = [
    ...(settings.serviceUser === undefined ? [`service_user = "${user}"`] : []),
    ...(settings.clientGroup === undefined ? [`client_group = "${group}"`] : []),
  ];
  // Top-level keys of TOML stand before any table; the file knows no tables.
  return [
    {
      title: 'what root decides: the keys that are missing',
      lines: missing.map((line) => `printf '\\n%s\\n' ${quote(line)} >> ${places.settingsFile}`),
    },
  ];
}

function socketFolder({ options, facts, places }: Planning): InstallStep {
  const { user, group, hasTmpfiles } = facts;
  const folder = quote(facts.settings?.socketDir ?? `/run/${options.lock}`);
  const entry = `# made by \`${options.lock} install\`\nd ${folder} 2710 ${user} ${group} -\n`;
  return {
    title: 'the socket folder, now and after every boot',
    lines: [
      ...(hasTmpfiles ? writeFileLines(places.tmpfiles, '0644', entry) : []),
      `install -d -o ${user} -g ${group} -m 2710 ${folder}`,
    ],
  };
}

function hiddenProcesses({ options, facts }: Planning): readonly InstallStep[] {
  if (!options.hidepid || facts.isProcHidden) return [];
  return [
    {
      title: 'processes of other accounts are hidden from everybody but root',
      lines: [
        'mount -o remount,hidepid=invisible /proc',
        "printf 'proc /proc proc defaults,hidepid=invisible 0 0\\n' >> /etc/fstab",
      ],
    },
  ];
}

function proof({ options, places }: Planning): InstallStep {
  return {
    title: 'it answers',
    lines: [`${places.starter} version`, `echo ${quote(`${options.lock} is installed`)}`],
  };
}

function notesOf({ options, facts, places }: Planning): readonly string[] {
  const { user, service, clients, program: copied, running, isProcHidden } = facts;
  const roots = clients.filter(({ rootWays }) => rootWays.length > 0).map(({ name }) => name);
  return [
    ...(facts.window === 'others' ? [`${places.window} is there already and stays as it is`] : []),
    ...(service === null
      ? [
          `give the console’s account a password (sudo passwd ${user}) and log in as ${user} in a session of its own`,
        ]
      : []),
    ...(options.clients.length > 0 ? ['clients must log in again before they are in the group'] : []),
    ...(clients.length === 0
      ? [`no account is a client yet: sudo ${options.lock} install --client USER`]
      : []),
    ...(roots.length > 0 ? [`${roots.join(', ')} may become root: production profiles will refuse it`] : []),
    ...(copied.isInstalled ? ['this is the installed program: it was not copied again'] : []),
    ...(running.length > 0 ? ['consoles that run now go on with the old program: start them again'] : []),
    ...(isProcHidden || options.hidepid ? [] : ['other accounts’ processes stay visible (see --hidepid)']),
  ];
}
