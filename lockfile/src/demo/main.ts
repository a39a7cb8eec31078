// lockfile's demo: a sample PDF in a throwaway folder, the official plugins, an agent. `npm start` runs it after
// lockssh's. Same account, so it protects nothing and says so on every screen.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { playDemo, type DemoScene } from '@lockkit/tui/demo';
import type { DemoFolder, SessionStart } from 'lockkit/console';
import { openBinaryStore, requireSandbox } from 'lockkit/sandbox';
import { makeLockfileLock } from '../console/lockfile-lock.js';
import { openFileSession } from '../console/open-session.js';
import type { FilePolicy } from '../contract/profile.js';
import { builtPluginSources } from '../later/plugin-install.js';
import { installPlugin } from '../plugin/install-plugin.js';
import { DEMO_KEY, tellStory } from './demo-story.js';

const DEMO_PROFILE = 'samples';
const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const SAMPLE = fileOf('../../plugins/pdf.parses/fixtures/one-plain.pdf');

async function installPlugins(pluginsDir: string): Promise<void> {
  const store = openBinaryStore(await requireSandbox());
  try {
    for (const source of builtPluginSources()) await installPlugin(source, pluginsDir, store);
  } finally {
    store.close();
  }
}

function writeProject(folder: string): { readonly root: string } {
  const root = join(folder, 'project');
  const files = join(folder, 'files');
  mkdirSync(join(root, '.lockfile'), { recursive: true, mode: 0o700 });
  mkdirSync(dirname(join(files, DEMO_KEY)), { recursive: true, mode: 0o700 });
  copyFileSync(SAMPLE, join(files, DEMO_KEY));
  const toml = `[profiles.${DEMO_PROFILE}]\nsource = "local"\nroot = ${JSON.stringify(files)}\nprefix = "invoices/"\n`;
  writeFileSync(join(root, '.lockfile/config.toml'), toml, { mode: 0o600 });
  return { root };
}

/** The demo's folder holds state and plugins side by side, in whichever process the console runs. */
const pluginsFolder = (stateDir: string): string => join(dirname(stateDir), 'plugins');

const lock = {
  ...makeLockfileLock({ pluginsDir: '' }),
  openSession: (start: SessionStart<FilePolicy>) => openFileSession(start, pluginsFolder(start.stateDir)),
};

async function openScene(folder: string, { stateDir }: DemoFolder): Promise<DemoScene> {
  mkdirSync(pluginsFolder(stateDir), { mode: 0o700 });
  await installPlugins(pluginsFolder(stateDir));
  const { root } = writeProject(folder);
  return { projectRoot: root, tell: tellStory, close: () => undefined };
}

const commandFile = fileOf('../../bin/lockfile.cjs');
await playDemo({ lock, profile: DEMO_PROFILE, commandFile, openScene }, process.argv.slice(2));
