// The build, in one order: native helper, sandbox launcher, TypeScript, commands as bundles, official plugins.
// Every step is idempotent; `npm start` and `npm test` call this first.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, root } from './ensure-installed.mjs';

// The agent's half of a command is one file, so that it starts fast. The console's half, MCP and everything else
// that a plain command does not need are loaded from beside it when they are asked for.
const COMMANDS = [
  { folder: 'lockssh', name: 'lockssh' },
  { folder: 'lockfile', name: 'lockfile' },
];

/** What stands in a `later` folder is loaded from beside the bundle, when it is asked for. */
const later = {
  name: 'later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/later\// }, ({ path }) => ({
      path: `./later/${path.split('/').pop()}`,
      external: true,
    })),
};

/** yargs is loaded by the commands that have flags to parse, from a file of its own beside the bundle. */
const yargsBeside = {
  name: 'yargs-beside',
  setup: ({ onResolve }) => onResolve({ filter: /^yargs$/ }, () => ({ path: './yargs.cjs', external: true })),
};

const BUNDLE = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  minifyWhitespace: true,
  legalComments: 'inline',
  define: { 'import.meta.url': '__bundleUrl' },
  banner: { js: 'const __bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
  logLevel: 'warning',
};

export async function bundleCommands() {
  const { build } = await import('esbuild');
  for (const { folder, name } of COMMANDS) {
    const entry = join(root, folder, 'src/main.ts');
    if (!existsSync(entry)) continue;
    await build({
      entryPoints: [entry],
      outfile: join(root, folder, `dist/${name}.cjs`),
      ...BUNDLE,
      conditions: ['source'],
      external: ['lockkit/policy', 'lockkit/audit', 're2', 'ssh2', 'blessed', 'cpu-features'],
      plugins: [later, yargsBeside],
    });
    await build({
      entryPoints: [join(root, 'node_modules/yargs/index.mjs')],
      outfile: join(root, folder, 'dist/yargs.cjs'),
      ...BUNDLE,
      footer: { js: 'module.exports = module.exports.default;' },
      // It measures help texts, and its two copies take longer to load than a command takes to run.
      alias: { 'string-width': join(root, 'frontends/cli/src/text-width.ts') },
    });
    writeVersion(folder, name);
  }
}

/** `version --json` is what launchers and hooks call most: the command answers it from this file alone. */
function writeVersion(folder, name) {
  const bundle = join(root, folder, `dist/${name}.cjs`);
  const text = execFileSync(process.execPath, [bundle, 'version', '--json'], { encoding: 'utf8' });
  writeFileSync(join(root, folder, 'dist/version.json'), text);
}

export async function buildAll() {
  ensureInstalled();
  const { buildAddon } = await import('./build-addon.mjs');
  buildAddon();
  const { buildLauncher } = await import('./build-launcher.mjs');
  buildLauncher(join(root, 'lockkit/build'));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'], {
    cwd: root,
    stdio: 'inherit',
  });
  await bundleCommands();
  const pluginScript = join(root, 'scripts/build-plugins.mjs');
  if (existsSync(pluginScript)) {
    const { buildPlugins } = await import('./build-plugins.mjs');
    mkdirSync(join(root, 'lockfile/build/plugins'), { recursive: true });
    await buildPlugins(join(root, 'lockfile/build/plugins'));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
