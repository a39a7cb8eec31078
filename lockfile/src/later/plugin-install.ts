// `lockfile plugin install [--official] [DIR]…`: the human, in the console's account, puts plugins into the data
// folder. A folder of one's own is no marketplace: it is shown as unofficial and never approved by a rule.
import { existsSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printJson, type CommandArguments, type CommandIo } from '@lockkit/cli';
import { UserMistake } from 'lockkit/contract';
import { openBinaryStore, requireSandbox } from 'lockkit/sandbox';
import { installPlugin, type PluginSource } from '../plugin/install-plugin.js';
import { BINARY_FILE, MANIFEST_FILE } from '../plugin/installed-plugins.js';
import { OFFICIAL } from '../plugin/plugin-index.js';
import { pluginsFolder } from '../plugin/plugins-folder.js';

/** What the build made of the plugins that come with the program. */
export const BUILT_PLUGINS = fileURLToPath(new URL('../../build/plugins', import.meta.url));

export function builtPluginSources(folder: string = BUILT_PLUGINS): readonly PluginSource[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, BINARY_FILE)))
    .toSorted()
    .map((name) => sourceOf(join(folder, name), OFFICIAL));
}

function sourceOf(dir: string, marketplace: string): PluginSource {
  return { manifestPath: join(dir, MANIFEST_FILE), binaryPath: join(dir, BINARY_FILE), marketplace };
}

export async function runPluginInstall(
  { flags, operands, json }: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const official = flags['official'] === true ? builtPluginSources() : [];
  if (flags['official'] === true && official.length === 0)
    throw new UserMistake('the official plugins are not built: run `npm run build` in the project’s folder');
  const sources = [...official, ...operands.map((dir) => sourceOf(dir, 'local'))];
  if (sources.length === 0)
    throw new UserMistake('plugin install needs --official or a folder with plugin.toml and plugin');
  const folder = pluginsFolder(userInfo().homedir, io.env['XDG_DATA_HOME']);
  const store = openBinaryStore(await requireSandbox());
  try {
    const installed = [];
    for (const source of sources) installed.push(await installPlugin(source, folder, store));
    const rows = installed.map(({ name, version, marketplace }) => ({ name, version, marketplace }));
    if (json) printJson(io, { plugins: rows });
    else
      for (const { name, version, marketplace } of rows)
        io.out(`${name}@${version}  (${marketplace}, unsigned)\n`);
    return 0;
  } finally {
    store.close();
  }
}
