import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserMistake } from '../../contract/fault.js';
import { makeSigningKey } from '../signing.js';
import { parseHubUrl } from './hub-address.js';
import { readHubKeyFile } from './key-file.js';

const uid = process.geteuid?.() ?? -1;
const url = 'unix:/run/lox/hub.sock';
const good = { url, token: makeSigningKey().key, deciders: [{ key: makeSigningKey().key, role: 'human' }] };
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-key-'));
  path = join(folder, 'hub.json');
  writeFileSync(path, JSON.stringify(good), { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (at = path) => readHubKeyFile(at, uid, url);

describe('readHubKeyFile', () => {
  test('reads a private file, 0600 or 0400', () => {
    expect(read()).toMatchObject({ ...good, address: { kind: 'unix', path: '/run/lox/hub.sock' } });
    chmodSync(path, 0o400);
    expect(read().token).toBe(good.token);
  });

  test.each([0o640, 0o604, 0o620, 0o602, 0o700, 0o666])('refuses a file of mode %o', (mode) => {
    chmodSync(path, mode);
    expect(() => read()).toThrow(UserMistake);
  });

  test('refuses a link, a second name, a folder, a missing file, a huge file', () => {
    symlinkSync(path, join(folder, 'link'));
    expect(() => read(join(folder, 'link'))).toThrow(UserMistake);
    mkdirSync(join(folder, 'dir'), { mode: 0o700 });
    expect(() => read(join(folder, 'dir'))).toThrow(UserMistake);
    expect(() => read(join(folder, 'none'))).toThrow(UserMistake);
    writeFileSync(join(folder, 'huge'), Buffer.alloc(65 * 1024, 0x20), { mode: 0o600 });
    expect(() => read(join(folder, 'huge'))).toThrow(UserMistake);
    linkSync(path, join(folder, 'twice'));
    expect(() => read()).toThrow(UserMistake);
  });

  test('refuses a folder, or one above it, that others can write', () => {
    const inner = join(folder, 'inner');
    mkdirSync(inner, { mode: 0o700 });
    writeFileSync(join(inner, 'hub.json'), JSON.stringify(good), { mode: 0o600 });
    expect(read(join(inner, 'hub.json')).url).toBe(url);
    for (const [at, mode] of [
      [inner, 0o770],
      [inner, 0o1777],
      [folder, 0o777],
    ] as const) {
      chmodSync(inner, 0o700);
      chmodSync(folder, 0o700);
      chmodSync(at, mode);
      expect(() => read(join(inner, 'hub.json'))).toThrow(UserMistake);
    }
  });

  test.skipIf(uid !== 0)('refuses a file or folder of another account', () => {
    chownSync(path, 65534, 65534);
    expect(() => read()).toThrow(UserMistake);
    chownSync(path, 0, 0);
    chownSync(folder, 65534, 65534);
    expect(() => read()).toThrow(UserMistake);
  });

  test('refuses what is no key file, tells nothing of it, and a file for another hub', () => {
    const bad: readonly unknown[] = [
      'SECRET',
      {},
      { ...good, more: 'SECRET' },
      { ...good, token: 'SECRET' },
      { ...good, url: 'http://127.0.0.1:1' },
      { ...good, deciders: [] },
      { ...good, deciders: [...good.deciders, ...good.deciders] },
      { ...good, deciders: [{ ...good.deciders[0], role: 'SECRET' }] },
    ];
    for (const value of bad) {
      writeFileSync(path, JSON.stringify(value), { mode: 0o600 });
      expect(() => read()).toThrow(UserMistake);
      expect(() => read()).not.toThrow(/SECRET/);
    }
    writeFileSync(path, JSON.stringify({ ...good, url: 'unix:/run/lox/other.sock' }), { mode: 0o600 });
    expect(() => read()).toThrow(UserMistake);
  });
});

describe('parseHubUrl', () => {
  test('a Unix socket or TLS, and nothing else', () => {
    expect(parseHubUrl('unix:/run/a.sock')).toEqual({ kind: 'unix', path: '/run/a.sock' });
    expect(parseHubUrl('unix:///run/a.sock')).toEqual({ kind: 'unix', path: '/run/a.sock' });
    expect(parseHubUrl('https://hub.example.org')).toEqual({
      kind: 'tls',
      host: 'hub.example.org',
      port: 443,
    });
    expect(parseHubUrl('https://[::1]:8443')).toEqual({ kind: 'tls', host: '::1', port: 8443 });
    for (const other of [
      'http://hub.example.org',
      'unix:relative',
      'unix:',
      `unix:/${'a'.repeat(200)}`,
      'https://user:word@hub.example.org',
      'https://hub.example.org/path',
      'https://',
      'ftp://x',
      '',
    ])
      expect(parseHubUrl(other)).toBeNull();
  });
});
