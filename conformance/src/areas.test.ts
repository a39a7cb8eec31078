import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadKinds } from './areas.js';

test('loadKinds: every area module loads', async () => {
  const { broken } = await loadKinds();
  expect([...broken.values()]).toEqual([]);
});

test('loadKinds: every module in areas/ that offers kinds is loaded', async () => {
  const folder = fileURLToPath(new URL('./areas', import.meta.url));
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const offering = files.filter((name) =>
    readFileSync(join(folder, name), 'utf8').includes('export const kinds'),
  );
  const offered = await Promise.all(
    offering.map(async (name) =>
      Object.keys(((await import(/* @vite-ignore */ `./areas/${name}`)) as { kinds: object }).kinds),
    ),
  );
  const { kinds } = await loadKinds();
  expect([...kinds.keys()].sort()).toEqual(offered.flat().sort());
});

test('loadKinds: a module that throws is named, the others load', async () => {
  const kind = { run: () => null, judge: () => null };
  const loaded = await loadKinds({
    X1: () => Promise.reject(new Error('no addon\nsecond line')),
    X2: () => Promise.resolve({ kinds: { one: kind } }),
  });
  expect(loaded.broken.get('X1')).toContain('no addon');
  expect(loaded.broken.get('X1')).not.toContain('second line');
  expect(loaded.kinds.get('one')).toBe(kind);
});

test('loadKinds: one kind in two areas is a bug', async () => {
  const module = { kinds: { one: { run: () => null, judge: () => null } } };
  await expect(
    loadKinds({ X1: () => Promise.resolve(module), X2: () => Promise.resolve(module) }),
  ).rejects.toThrow();
});
