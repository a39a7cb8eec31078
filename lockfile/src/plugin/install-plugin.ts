// Puts a plugin into the console account's data folder and its bytes into the index. Called by the human's commands
// and by the demo, never on behalf of an agent. A version is immutable: other bytes need another version.
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { UserMistake } from 'lockkit/contract';
import type { BinaryRefusal, BinaryStore } from 'lockkit/sandbox';
import { BINARY_FILE, INDEX_FILE, MANIFEST_FILE, pluginDir } from './installed-plugins.js';
import { parseManifest, type Manifest } from './manifest.js';
import { explainMistake } from './manifest-mistakes.js';
import {
  encodeIndex,
  hashBytes,
  majorOf,
  MAX_INDEX_BYTES,
  parseIndex,
  type IndexEntry,
} from './plugin-index.js';
import { readOwnFile } from './read-own-file.js';

export interface PluginSource {
  readonly manifestPath: string;
  readonly binaryPath: string;
  /** `official`, or the name under which a human added a marketplace; `local` for a folder of their own. */
  readonly marketplace: string;
}

/**
 * Installs into `pluginsDir` and gives the entry. Throws UserMistake: a manifest that does not load, a program that is
 * not static, other bytes under an installed version, another question within a major version.
 */
export async function installPlugin(
  source: PluginSource,
  pluginsDir: string,
  store: BinaryStore,
): Promise<IndexEntry> {
  mkdirSync(pluginsDir, { recursive: true, mode: 0o700 });
  const fresh = mkdtempSync(join(pluginsDir, '.incoming-'));
  try {
    copySource(source, fresh);
    const manifestBytes = readFileSync(join(fresh, MANIFEST_FILE));
    const manifest = parseManifest(manifestBytes);
    if (!manifest.ok) throw new UserMistake(`plugin.toml: ${explainMistake(manifest.code)}`);
    const entry: IndexEntry = {
      name: manifest.value.name,
      version: manifest.value.version,
      marketplace: source.marketplace,
      manifest_sha256: hashBytes(manifestBytes),
      binary_sha256: await checkProgram(join(fresh, BINARY_FILE), store),
    };
    const index = readIndex(pluginsDir);
    if (isInstalled(entry, index)) return entry;
    checkQuestion(manifest.value, index, pluginsDir);
    putInPlace(fresh, pluginDir(pluginsDir, entry.name, entry.version));
    writeIndex(pluginsDir, [...index, entry]);
    return entry;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** What is checked afterwards is the copy, whatever happens to the source meanwhile. */
function copySource(source: PluginSource, fresh: string): void {
  const copies = [
    [source.manifestPath, MANIFEST_FILE, 0o600],
    [source.binaryPath, BINARY_FILE, 0o700],
  ] as const;
  for (const [from, name, mode] of copies) {
    try {
      copyFileSync(from, join(fresh, name));
    } catch {
      throw new UserMistake(
        `the plugin’s ${name === BINARY_FILE ? 'program' : 'plugin.toml'} cannot be read`,
      );
    }
    chmodSync(join(fresh, name), mode);
  }
}

const REFUSALS: Readonly<Record<BinaryRefusal, string>> = {
  missing: 'the program cannot be read',
  not_a_file: 'the program is no regular file',
  too_large: 'the program is too large',
  not_a_program: 'it is no program for this processor',
  dynamic: 'it is a dynamic program: link it with -static',
  hash_mismatch: 'the program changed while it was read',
};

/** The program's hash, once the sandbox has taken it in. */
async function checkProgram(path: string, store: BinaryStore): Promise<string> {
  const sha256 = hashBytes(readFileSync(path));
  const stored = await store.store(path, sha256);
  if (!stored.ok) throw new UserMistake(`the plugin’s program is refused: ${REFUSALS[stored.code]}`);
  return sha256;
}

function readIndex(pluginsDir: string): readonly IndexEntry[] {
  const path = join(pluginsDir, INDEX_FILE);
  if (!existsSync(path)) return [];
  const bytes = readOwnFile(path, MAX_INDEX_BYTES);
  const index = bytes === null ? null : parseIndex(bytes);
  if (index?.ok !== true)
    throw new UserMistake(`${path} is damaged: remove the plugins folder and install again`);
  return index.value;
}

/** True for the very same bytes; other bytes under the same version are a mistake. */
function isInstalled(entry: IndexEntry, index: readonly IndexEntry[]): boolean {
  const known = index.find(({ name, version }) => name === entry.name && version === entry.version);
  if (known === undefined) return false;
  const same =
    known.manifest_sha256 === entry.manifest_sha256 &&
    known.binary_sha256 === entry.binary_sha256 &&
    known.marketplace === entry.marketplace;
  if (!same)
    throw new UserMistake('this version is installed with other bytes: a change needs a new version');
  return true;
}

/** "Changing question, one or zero needs a new major version." */
function checkQuestion(manifest: Manifest, index: readonly IndexEntry[], pluginsDir: string): void {
  const relatives = index.filter(
    ({ name, version }) => name === manifest.name && majorOf(version) === majorOf(manifest.version),
  );
  for (const { name, version } of relatives) {
    const other = parseManifest(readFileSync(join(pluginDir(pluginsDir, name, version), MANIFEST_FILE)));
    const same =
      other.ok &&
      other.value.question === manifest.question &&
      other.value.one === manifest.one &&
      other.value.zero === manifest.zero;
    if (!same) throw new UserMistake('another question, `one` or `zero` needs a new major version');
  }
}

/** The folder appears whole, by a rename. */
function putInPlace(fresh: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  // What an earlier, interrupted installation left there is in no index.
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
}

function writeIndex(pluginsDir: string, entries: readonly IndexEntry[]): void {
  const fresh = join(pluginsDir, `${INDEX_FILE}.${randomBytes(6).toString('hex')}`);
  const fd = openSync(fresh, 'wx', 0o600);
  try {
    writeFileSync(fd, encodeIndex(entries));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(fresh, join(pluginsDir, INDEX_FILE));
}
