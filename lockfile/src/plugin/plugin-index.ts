// The index of installed plugins: which bytes each name and version stands for. Written by installation, read at
// console start. Until marketplaces sign it, its hash only finds damage; who may write the folder is what protects it.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { accepted, refused, type Outcome } from 'lockkit/contract';
import { PLUGIN_NAME } from '../contract/plugin-name.js';
import { PLUGIN_VERSION } from './manifest.js';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const ENTRY = z.strictObject({
  name: z.string().regex(PLUGIN_NAME),
  version: z.string().regex(PLUGIN_VERSION),
  marketplace: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/),
  manifest_sha256: sha256,
  binary_sha256: sha256,
});
const INDEX = z.strictObject({ v: z.literal(1), plugins: z.array(ENTRY).max(1000), hash: sha256 });

export type IndexEntry = Readonly<z.infer<typeof ENTRY>>;

/** The marketplace whose plugins are shown as official. */
export const OFFICIAL = 'official';
export const MAX_INDEX_BYTES = 1024 * 1024;

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The index as a file: one spelling for one content. */
export function encodeIndex(entries: readonly IndexEntry[]): string {
  const plugins = entries
    .map(({ name, version, marketplace, manifest_sha256, binary_sha256 }) => ({
      name,
      version,
      marketplace,
      manifest_sha256,
      binary_sha256,
    }))
    .toSorted(
      (left, right) => compareText(left.name, right.name) || compareVersions(left.version, right.version),
    );
  const hash = hashBytes(Buffer.from(JSON.stringify({ v: 1, plugins })));
  return `${JSON.stringify({ v: 1, plugins, hash }, null, 2)}\n`;
}

/** The entries of an index that is whole: exactly what `encodeIndex` writes, each version once. */
export function parseIndex(bytes: Uint8Array): Outcome<readonly IndexEntry[], 'bad_index'> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return refused('bad_index');
  }
  const parsed = INDEX.safeParse(value);
  if (!parsed.success) return refused('bad_index');
  const { plugins } = parsed.data;
  const once = new Set(plugins.map(({ name, version }) => `${name}@${version}`)).size === plugins.length;
  const whole = once && Buffer.from(encodeIndex(plugins)).equals(bytes);
  return whole ? accepted(plugins) : refused('bad_index');
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Versions of the manifest's form, by number. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [left.split('.').map(Number), right.split('.').map(Number)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at === -1 ? 0 : (a[at] as number) - (b[at] as number);
}

export function majorOf(version: string): string {
  return version.split('.')[0] as string;
}
