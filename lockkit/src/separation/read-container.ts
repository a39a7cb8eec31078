// Is this a container, and which kind? Called by read-session-facts. Several signs are looked at because none is
// promised by anybody; one is enough, since a container that is not recognised would count as more than it is.
import type { FactsIo } from './facts-io.js';

const KIND = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** The container's kind (`docker`, `podman`, `systemd-nspawn`, `unknown`), or null. */
export function readContainer(io: FactsIo): string | null {
  const told = io.readText('/run/systemd/container')?.trim();
  if (told !== undefined && told !== '') return KIND.test(told) ? told : 'unknown';
  if (io.look('/.dockerenv') !== null) return 'docker';
  if (io.look('/run/.containerenv') !== null) return 'podman';
  if (/\/(docker|kubepods|lxc|libpod|containerd|buildkit)[-/.]/.test(io.readText('/proc/self/cgroup') ?? ''))
    return 'unknown';
  return hasOwnAccountNumbers(io.readText('/proc/self/uid_map')) ? 'user namespace' : null;
}

/** On a machine itself every account number stands for itself. */
function hasOwnAccountNumbers(map: string | null): boolean {
  if (map === null) return false;
  return map.trim().replaceAll(/\s+/g, ' ') !== '0 0 4294967295';
}
