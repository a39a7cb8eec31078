// The plugins a console may run: those of the index whose manifest and program have the hashes it names. The
// program is taken into sealed memory here, so that the bytes that were verified are the bytes that run.
// Called when a session opens. What does not verify is listed with its reason and never offered.
import { join } from 'node:path';
import { accepted, refused, type Outcome } from 'lockkit/contract';
import type { BinaryRefusal, BinaryStore, StoredBinary } from 'lockkit/sandbox';
import { MAX_MANIFEST_BYTES, parseManifest, type Manifest, type ManifestMistake } from './manifest.js';
import {
  compareVersions,
  hashBytes,
  MAX_INDEX_BYTES,
  OFFICIAL,
  parseIndex,
  type IndexEntry,
} from './plugin-index.js';
import { readOwnFile } from './read-own-file.js';

export interface InstalledPlugin {
  readonly manifest: Manifest;
  readonly marketplace: string;
  readonly official: boolean;
  /** Nothing is signed until marketplaces are: shown wherever the plugin is. */
  readonly signed: boolean;
  readonly binary: StoredBinary;
  /** Names these bytes of manifest and program; stored answers hang on it. */
  readonly digest: string;
}

export type PluginDamage =
  | 'bad_index'
  | 'manifest_missing'
  | 'manifest_hash_mismatch'
  | 'manifest_of_another'
  | ManifestMistake
  | BinaryRefusal;

export interface UnusablePlugin {
  readonly name: string;
  readonly version: string;
  readonly damage: PluginDamage;
}

export interface InstalledPlugins {
  /** The newest verified version of each name, by name. */
  readonly usable: ReadonlyMap<string, InstalledPlugin>;
  readonly unusable: readonly UnusablePlugin[];
}

export const INDEX_FILE = 'index.json';
export const MANIFEST_FILE = 'plugin.toml';
export const BINARY_FILE = 'plugin';

/** Where a version lies; both parts have passed the manifest's patterns and name no other folder. */
export function pluginDir(pluginsDir: string, name: string, version: string): string {
  return join(pluginsDir, name, version);
}

/** Reads `<pluginsDir>/index.json` and what it names; a folder without an index has no plugins. */
export async function loadPlugins(pluginsDir: string, store: BinaryStore): Promise<InstalledPlugins> {
  const bytes = readOwnFile(join(pluginsDir, INDEX_FILE), MAX_INDEX_BYTES);
  if (bytes === null) return { usable: new Map(), unusable: [] };
  const index = parseIndex(bytes);
  if (!index.ok) return { usable: new Map(), unusable: [{ name: '*', version: '*', damage: index.code }] };
  const usable = new Map<string, InstalledPlugin>();
  const unusable: UnusablePlugin[] = [];
  for (const entry of newestOfEach(index.value)) {
    const plugin = await loadPlugin(pluginsDir, entry, store);
    if (plugin.ok) usable.set(entry.name, plugin.value);
    else unusable.push({ name: entry.name, version: entry.version, damage: plugin.code });
  }
  return { usable, unusable };
}

/** A damaged newest version is not replaced by an older one: that might answer another question. */
function newestOfEach(entries: readonly IndexEntry[]): readonly IndexEntry[] {
  const oldestFirst = entries.toSorted((left, right) => compareVersions(left.version, right.version));
  return [...new Map(oldestFirst.map((entry) => [entry.name, entry])).values()];
}

async function loadPlugin(
  pluginsDir: string,
  entry: IndexEntry,
  store: BinaryStore,
): Promise<Outcome<InstalledPlugin, PluginDamage>> {
  const dir = pluginDir(pluginsDir, entry.name, entry.version);
  const manifest = loadManifest(dir, entry);
  if (!manifest.ok) return manifest;
  const binary = await store.store(join(dir, BINARY_FILE), entry.binary_sha256);
  if (!binary.ok) return binary;
  return accepted({
    manifest: manifest.value,
    marketplace: entry.marketplace,
    official: entry.marketplace === OFFICIAL,
    signed: false,
    binary: binary.value,
    digest: hashBytes(Buffer.from(`${entry.manifest_sha256} ${entry.binary_sha256}`)),
  });
}

function loadManifest(dir: string, entry: IndexEntry): Outcome<Manifest, PluginDamage> {
  const bytes = readOwnFile(join(dir, MANIFEST_FILE), MAX_MANIFEST_BYTES);
  if (bytes === null) return refused('manifest_missing');
  if (hashBytes(bytes) !== entry.manifest_sha256) return refused('manifest_hash_mismatch');
  const manifest = parseManifest(bytes);
  if (!manifest.ok) return manifest;
  const same = manifest.value.name === entry.name && manifest.value.version === entry.version;
  return same ? manifest : refused('manifest_of_another');
}
