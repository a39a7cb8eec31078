// What `:status` shows of a lockfile session: plugins, fetched files, and how much each key has revealed so far.
import { untrusted, type Line } from 'lockkit/approval';
import type { RunParts } from '../plan/run-plan.js';
import type { InstalledPlugins } from '../plugin/installed-plugins.js';

const MAX_KEYS = 20;

export function statusLines(
  { handles, memory }: Pick<RunParts, 'handles' | 'memory'>,
  { usable, unusable }: InstalledPlugins,
): readonly Line[] {
  const revealed = memory.revealed();
  const more = revealed.length - MAX_KEYS;
  return [
    [`plugins   ${usable.size} verified, ${unusable.length} not offered; the index is not signed`],
    [`files     ${handles.size} fetched`],
    ...revealed
      .slice(0, MAX_KEYS)
      .map(([key, answers]): Line => [`revealed  ${answers} answers about `, untrusted(key)]),
    ...(more > 0 ? [[`revealed  ${more} more keys`]] : []),
  ];
}
