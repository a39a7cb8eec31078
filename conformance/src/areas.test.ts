import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadKinds } from './areas.js';

test('loadKinds: every area module loads', async () => {
  const { broken } = await loadKinds();
  expect([...broken.values()]).toEqual([]);
});

test('loadKinds: every module in areas/ belongs to an area', async () => {
  const files = readdirSync(fileURLToPath(new URL('./areas', import.meta.url)));
  const modules = files.filter((name) => /^a\d-[a-z-]+\.ts$/.test(name));
  expect(modules).toHaveLength(8);
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
