import { chmodSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UserMistake } from 'lockkit/contract';
import { openBinaryStore, type BinaryStore, type UsableKernel } from 'lockkit/sandbox';
import { builtPlugins, scratchDir, usableKernel } from '../test/built-plugins.js';
import { installPlugin, type PluginSource } from './install-plugin.js';
import { loadPlugins, type InstalledPlugins } from './installed-plugins.js';
import { encodeIndex, parseIndex } from './plugin-index.js';

let kernel: UsableKernel;
let dir: string;
let remove: () => void;
let store: BinaryStore;
const sources = new Map<string, PluginSource>();

beforeAll(() => {
  kernel = usableKernel();
  for (const { name, dir: built } of builtPlugins())
    sources.set(name, {
      manifestPath: join(built, 'plugin.toml'),
      binaryPath: join(built, 'plugin'),
      marketplace: 'official',
    });
});

beforeEach(() => {
  store?.close();
  remove?.();
  ({ dir, remove } = scratchDir());
  store = openBinaryStore(kernel);
});

afterAll(() => {
  store.close();
  remove();
});

const source = (name: string): PluginSource => sources.get(name) as PluginSource;
const install = (from: PluginSource) => installPlugin(from, dir, store);

/** Loads with a store of its own, as another console would. */
async function load(): Promise<InstalledPlugins> {
  const fresh = openBinaryStore(kernel);
  try {
    return await loadPlugins(dir, fresh);
  } finally {
    fresh.close();
  }
}

/** A copy of file.non-empty’s manifest with changes, and any program. */
function variant(
  changes: readonly (readonly [string, string])[],
  binaryPath = source('file.non-empty').binaryPath,
) {
  let text = readFileSync(source('file.non-empty').manifestPath, 'utf8');
  for (const [from, to] of changes) text = text.replace(from, () => to);
  const manifestPath = join(dir, 'variant.toml');
  writeFileSync(manifestPath, text);
  return { manifestPath, binaryPath, marketplace: 'official' };
}

describe('installPlugin, loadPlugins', () => {
  test('gives back what was installed, verified', async () => {
    for (const name of sources.keys()) await install(source(name));
    const { usable, unusable } = await load();
    expect([...usable.keys()].toSorted()).toStrictEqual([...sources.keys()].toSorted());
    expect(unusable).toStrictEqual([]);
    expect(usable.get('file.non-empty')).toMatchObject({
      official: true,
      signed: false,
      manifest: { version: '1.0.0' },
    });
  });

  test('an empty folder has no plugins', async () => {
    expect(await load()).toStrictEqual({ usable: new Map(), unusable: [] });
  });

  test('is idempotent, and refuses other bytes under an installed version', async () => {
    const first = await install(source('file.non-empty'));
    expect(await install(source('file.non-empty'))).toStrictEqual(first);
    await expect(install(variant([['timeout_s = 5', 'timeout_s = 6']]))).rejects.toThrow(UserMistake);
    await expect(install({ ...source('file.non-empty'), marketplace: 'acme' })).rejects.toThrow(UserMistake);
  });

  test('another question within a major version is refused, with a new major it installs', async () => {
    await install(source('file.non-empty'));
    for (const [from, to] of [
      ['at least one byte', 'a byte'],
      ['size > 0', 'size >= 1'],
      ['the file is empty', 'it is empty'],
    ] as const)
      await expect(
        install(
          variant([
            ['1.0.0', '1.1.0'],
            [from, to],
          ]),
        ),
      ).rejects.toThrow(UserMistake);
    await install(variant([['1.0.0', '1.10.0']]));
    await install(variant([['1.0.0', '1.9.0']]));
    expect((await load()).usable.get('file.non-empty')?.manifest.version).toBe('1.10.0');
    await install(
      variant([
        ['1.0.0', '2.0.0'],
        ['at least one byte', 'a byte'],
      ]),
    );
    expect((await load()).usable.get('file.non-empty')?.manifest.version).toBe('2.0.0');
  });

  test.each([
    ['a dynamic program', '/bin/true'],
    ['a script', '/etc/passwd'],
    ['a missing program', '/nonexistent'],
    ['a folder', '/tmp'],
  ])('refuses %s', async (_, path) => {
    await expect(install(variant([], path))).rejects.toThrow(UserMistake);
    expect((await load()).usable.size).toBe(0);
  });

  test('refuses a manifest that does not load', async () => {
    await expect(install(variant([['protocol = 1', 'protocol = 9']]))).rejects.toThrow(UserMistake);
  });

  test('a changed manifest or program, or a missing one, is unusable and named', async () => {
    for (const name of ['file.non-empty', 'format.is-pdf', 'format.is-png', 'format.is-zip'])
      await install(source(name));
    const at = (name: string, file: string): string => join(dir, name, '1.0.0', file);
    writeFileSync(
      at('file.non-empty', 'plugin.toml'),
      `${readFileSync(at('file.non-empty', 'plugin.toml'), 'utf8')}\n`,
    );
    writeFileSync(at('format.is-pdf', 'plugin'), readFileSync(source('file.non-empty').binaryPath));
    unlinkSync(at('format.is-png', 'plugin'));
    unlinkSync(at('format.is-zip', 'plugin.toml'));
    const { usable, unusable } = await load();
    expect(usable.size).toBe(0);
    expect(Object.fromEntries(unusable.map(({ name, damage }) => [name, damage]))).toStrictEqual({
      'file.non-empty': 'manifest_hash_mismatch',
      'format.is-pdf': 'hash_mismatch',
      'format.is-png': 'missing',
      'format.is-zip': 'manifest_missing',
    });
  });

  test('an older version never stands in for a damaged newer one', async () => {
    await install(source('file.non-empty'));
    await install(variant([['1.0.0', '1.1.0']]));
    unlinkSync(join(dir, 'file.non-empty', '1.1.0', 'plugin'));
    const { usable, unusable } = await load();
    expect(usable.size).toBe(0);
    expect(unusable).toMatchObject([{ name: 'file.non-empty', version: '1.1.0', damage: 'missing' }]);
  });

  test('a manifest that others may write, or that is a link, is not read', async () => {
    await install(source('file.non-empty'));
    const path = join(dir, 'file.non-empty', '1.0.0', 'plugin.toml');
    chmodSync(path, 0o666);
    expect((await load()).unusable).toMatchObject([{ damage: 'manifest_missing' }]);
    const bytes = readFileSync(path);
    unlinkSync(path);
    writeFileSync(join(dir, 'elsewhere'), bytes, { mode: 0o600 });
    symlinkSync(join(dir, 'elsewhere'), path);
    expect((await load()).unusable).toMatchObject([{ damage: 'manifest_missing' }]);
  });

  test('a damaged index offers nothing', async () => {
    await install(source('file.non-empty'));
    const path = join(dir, 'index.json');
    const text = readFileSync(path, 'utf8');
    for (const damaged of [
      text.replace(/"binary_sha256": "./, '"binary_sha256": "0'),
      text.replace('official', 'unoffici'),
      `${text} `,
      text.slice(0, -10),
      '{}',
    ]) {
      writeFileSync(path, damaged === text ? `x${text}` : damaged, { mode: 0o600 });
      const { usable, unusable } = await load();
      expect(usable.size).toBe(0);
      expect(unusable).toMatchObject([{ damage: 'bad_index' }]);
    }
  });

  test('nothing is left behind by a refused installation', async () => {
    mkdirSync(join(dir, 'plugins'));
    const inner = join(dir, 'plugins');
    await expect(installPlugin(variant([], '/bin/true'), inner, store)).rejects.toThrow(UserMistake);
    expect(await loadPlugins(inner, store)).toStrictEqual({ usable: new Map(), unusable: [] });
  });
});

describe('parseIndex', () => {
  const entry = {
    name: 'a.b',
    version: '1.0.0',
    marketplace: 'official',
    manifest_sha256: '0'.repeat(64),
    binary_sha256: '1'.repeat(64),
  };

  test('reads what encodeIndex writes, in any order of entries', () => {
    const other = { ...entry, version: '1.2.0' };
    const text = encodeIndex([other, entry]);
    expect(text).toBe(encodeIndex([entry, other]));
    expect(parseIndex(Buffer.from(text))).toStrictEqual({ ok: true, value: [entry, other] });
  });

  test('refuses a version that stands twice', () => {
    expect(parseIndex(Buffer.from(encodeIndex([entry, entry])))).toMatchObject({ code: 'bad_index' });
  });
});
