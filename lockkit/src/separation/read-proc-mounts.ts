// Who may see other accounts' processes: the mounts of the process file system and their hidepid option.
// Called by read-session-facts. A plugin can write into its own name and arguments, which /proc shows (docs/decisions.md).
import type { ProcMount } from './session-facts.js';

const LEVELS: Readonly<Record<string, ProcMount['hidepid']>> = {
  '0': 'off',
  off: 'off',
  '1': 'noaccess',
  noaccess: 'noaccess',
  '2': 'invisible',
  invisible: 'invisible',
  '4': 'ptraceable',
  ptraceable: 'ptraceable',
};

/** Every process file system that a path reaches, from /proc/self/mountinfo. An unknown hidepid counts as off. */
export function parseProcMounts(mountinfo: string): readonly ProcMount[] {
  // Where several are mounted on one path, the last covers the others.
  return [...new Map(readMounts(mountinfo).map((mount) => [mount.path, mount])).values()];
}

function readMounts(mountinfo: string): readonly ProcMount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before, after] = line.split(' - ');
    const [fsType, , superOptions = ''] = after?.split(' ') ?? [];
    // A mount of one file or sub-folder (/proc/sys) shows no processes.
    const [, , , rootOfMount, path = ''] = before?.split(' ') ?? [];
    if (fsType !== 'proc' || rootOfMount !== '/') return [];
    const options = new Map(
      superOptions.split(',').map((option) => {
        const [name = '', value = ''] = option.split('=');
        return [name, value] as const;
      }),
    );
    const gid = options.get('gid');
    return [
      {
        path,
        hidepid: LEVELS[options.get('hidepid') ?? '0'] ?? 'off',
        exemptGid: gid === undefined ? null : Number(gid),
      },
    ];
  });
}
