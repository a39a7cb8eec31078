// The script that takes an installation away again: what install made and nothing else. Pure; called by the install
// command with --uninstall. The console's account stays with its home: the audit log and approved policies are in it.
import type { InstallFacts } from './install-facts.js';
import type { InstallOptions } from './install-options.js';
import { quote, type InstallStep, type Planned } from './install-plan.js';
import { installPlaces } from './install-places.js';

export function planUninstall({ lock }: InstallOptions, facts: InstallFacts): Planned {
  const places = installPlaces(lock);
  if (facts.running.length > 0)
    return refusedBy(
      'console_running',
      `the installed program runs (process ${facts.running.join(', ')})`,
      'end the console (:quit) and every agent that uses it',
    );
  if (facts.starter !== 'ours' && facts.library !== 'ours' && facts.settings === null)
    return refusedBy('not_installed', `${lock} is not installed on this machine`, `sudo ${lock} install`);
  const steps: readonly InstallStep[] = [
    ...(facts.starter === 'ours' ? [{ title: 'the command', lines: [`rm -f -- ${places.starter}`] }] : []),
    ...(facts.window === 'ours' ? [{ title: 'lox', lines: [`rm -f -- ${places.window}`] }] : []),
    ...(facts.library === 'ours' ? [{ title: 'the program', lines: [`rm -rf -- ${places.library}`] }] : []),
    socketFolder(lock, facts),
    {
      title: 'what root decided',
      lines: [
        `rm -f -- ${places.settingsFile} ${places.createdFile} ${places.tmpfiles}`,
        `if [ -d ${places.settingsFolder} ]; then rmdir --ignore-fail-on-non-empty -- ${places.settingsFolder}; fi`,
      ],
    },
    ...clientsGroup(facts),
  ];
  return { kind: 'plan', plan: { title: `take ${lock} off this machine`, steps, notes: notesOf(facts) } };
}

function refusedBy(code: 'console_running' | 'not_installed', reason: string, fix: string): Planned {
  return { kind: 'refused', refusals: [{ code, reason, fix }] };
}

/** Sockets that a crash left behind go with it; any other file stays, and the folder with it. */
function socketFolder(lock: string, { settings }: InstallFacts): InstallStep {
  const folder = quote(settings?.socketDir ?? `/run/${lock}`);
  return {
    title: 'the socket folder',
    lines: [
      `if [ -d ${folder} ]; then`,
      `  find ${folder} -maxdepth 1 -type s -delete`,
      `  rmdir --ignore-fail-on-non-empty -- ${folder}`,
      'fi',
    ],
  };
}

function clientsGroup({ group, clientGid, groupIsOurs, groupUsedBy }: InstallFacts): readonly InstallStep[] {
  if (clientGid === null || !groupIsOurs || groupUsedBy.length > 0) return [];
  return [{ title: 'the clients’ group, which install made', lines: [`groupdel ${group}`] }];
}

function notesOf({ user, service, window, groupUsedBy, group }: InstallFacts): readonly string[] {
  return [
    ...(window === 'ours' ? ['lox goes too: the install of another lock makes it again'] : []),
    ...(service === null
      ? []
      : [
          `the account ${user} and its home stay: the audit log is in it. To remove both for good: userdel --remove ${user}`,
        ]),
    ...(groupUsedBy.length > 0 ? [`the group ${group} stays: ${groupUsedBy.join(', ')} uses it`] : []),
  ];
}
