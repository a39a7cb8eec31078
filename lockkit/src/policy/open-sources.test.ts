import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPolicySources, type Place } from './open-sources.js';

const uid = process.getuid?.() ?? 0;
let top: string;
let place: Place;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'sources-'));
  place = { lock: 'sample', projectRoot: join(top, 'p'), home: join(top, 'h'), uid, trustedGids: [] };
  for (const path of [project('config.toml'), project('pii.toml'), user('config.toml')]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '# empty\n', { mode: 0o644 });
  }
});
afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});
const project = (name: string) => join(top, 'p', '.sample', name);
const user = (name: string) => join(top, 'h', '.config', 'sample', name);
const codes = () => {
  const got = openPolicySources(place);
  return got.ok ? [] : got.problems.map(({ code }) => code);
};

describe('openPolicySources', () => {
  it('reads the files that exist, by name', () => {
    const got = openPolicySources(place);
    expect(got.ok && got.value.project?.config?.name).toBe(project('config.toml'));
    expect(got.ok && got.value.project?.pii?.bytes).toEqual(Buffer.from('# empty\n'));
    expect(got.ok && got.value.user?.pii).toBeUndefined();
  });
  it('reads only the account’s own files without a project', () => {
    const got = openPolicySources({ ...place, projectRoot: null });
    expect(got.ok && got.value.project).toEqual({});
  });
  it('refuses links, and files that others may write, on either side', () => {
    chmodSync(user('config.toml'), 0o646);
    rmSync(project('pii.toml'));
    symlinkSync('/etc/passwd', project('pii.toml'));
    expect(codes()).toEqual(['unsafe_file', 'unsafe_file']);
  });
  it.runIf(uid === 0)(
    'takes a project of any owner, and the user’s files only of this account or root',
    () => {
      chownSync(project('config.toml'), 12_345, 12_345);
      expect(codes()).toEqual([]);
      chownSync(user('config.toml'), 12_345, 12_345);
      expect(codes()).toEqual(['unsafe_file']);
    },
  );
});
