import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addProfile, addProfileText } from './add-profile.js';
import { addMaskRule, appendMaskRule } from './append-mask.js';
import { loadFolder } from './load.js';
import { checkPattern, sampleProfile } from './test/sample-profile.js';

const options = { checkPattern };
const file = (text: string) => ({ name: 'f', bytes: Buffer.from(text) });
const add = (text: string, name = 'web') =>
  addProfileText(sampleProfile, file(text), name, { host: 'web1', allow: ['ls *'], auto: { run: 'ask' } });

describe('addProfileText', () => {
  it.each<[string, string]>([
    ['an empty file', ''],
    ['comments and layout', '# mine\n\n[profiles.db]   # the database\nhost = "db"\n\n# end'],
    ['CRLF', '# mine\r\n[profiles.db]\r\nhost = "db"\r\n'],
    ['a file that begins with a byte order mark', '\ufeff# mine\n'],
  ])('keeps every byte of %s and appends', (_what, text) => {
    const got = add(text);
    if (!got.ok || got.value.status !== 'created') throw new Error('not created');
    expect(got.value.text.replace('\ufeff', '').startsWith(text.replace('\ufeff', ''))).toBe(true);
    expect(/(^|[^\r])\n/.test(got.value.text)).toBe(!text.includes('\r\n'));
    const loaded = loadFolder(sampleProfile, { config: file(got.value.text) }, options);
    expect(loaded.ok && loaded.value.profiles.get('web')).toMatchObject({ host: 'web1', allow: [['ls *']] });
  });

  it('says exists for a profile that is there, whatever is asked', () => {
    expect(add('[profiles.web]\nhost = "other"\n')).toEqual({ ok: true, value: { status: 'exists' } });
  });

  it.each<[string, string, string]>([
    ['a file that does not parse', 'x', 'not_toml'],
    ['a file with another broken profile', '[profiles.db]\n', 'missing_key'],
    ['profiles that are an inline table', 'profiles = {}\n', 'not_toml'],
  ])('touches nothing of %s', (_what, text, code) => {
    const got = add(text);
    expect(!got.ok && got.problems[0]?.code).toBe(code);
  });

  it('refuses a name and values that would not load', () => {
    expect(add('', '__proto__').ok).toBe(false);
    expect(add('', 'a]\n[x').ok).toBe(false);
    expect(addProfileText(sampleProfile, file(''), 'web', { host: 'a b' }).ok).toBe(false);
    expect(addProfileText(sampleProfile, file(''), 'web', { host: 'a', password: 'x' }).ok).toBe(false);
  });
});

describe('appendMaskRule', () => {
  it('adds exactly one rule, whatever the pattern holds', () => {
    const start = `# c\n[[mask]]\npattern = 'a+'\n[[allow]]\nkind = "ip"\nvalue = "::1"`;
    const nasty = fc.string({
      unit: fc.constantFrom(
        '"',
        "'",
        '\\',
        '\n',
        '\r',
        '\t',
        '\0',
        ']',
        '[',
        '#',
        '=',
        'a',
        'é',
        '\u202e',
        '𝒳',
        '"""',
        "'''",
      ),
      minLength: 1,
    });
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string({ unit: 'binary', minLength: 1 })), (pattern) => {
        const any = { checkPattern: () => null };
        const got = appendMaskRule(sampleProfile, file(start), pattern, any);
        if (!got.ok) throw new Error('refused');
        if (got.value === null) {
          expect(pattern).toBe('a+');
          return;
        }
        expect(got.value.startsWith(start)).toBe(true);
        const loaded = loadFolder(sampleProfile, { pii: file(got.value) }, any);
        expect(loaded.ok && new Set(loaded.value.pii.mask)).toEqual(new Set(['a+', pattern]));
        expect(loaded.ok && loaded.value.pii.allow).toEqual([{ kind: 'ip', value: '::1' }]);
      }),
      { numRuns: 300 },
    );
  });
  it('refuses what the engine refuses, and text that is no Unicode', () => {
    expect(appendMaskRule(sampleProfile, file(''), '(?=a)', options).ok).toBe(false);
    expect(appendMaskRule(sampleProfile, file(''), 'a*', options).ok).toBe(false);
    expect(appendMaskRule(sampleProfile, file(''), '\ud800', { checkPattern: () => null }).ok).toBe(false);
  });
  it('touches nothing of a file whose rules are written otherwise', () => {
    expect(appendMaskRule(sampleProfile, file('mask = []\n'), 'a', options).ok).toBe(false);
  });
});

describe('the files', () => {
  let top: string;
  let place: { folder: string; guard: { trustedGids: number[]; maxBytes: number } };
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'add-'));
    place = { folder: join(top, '.sample'), guard: { trustedGids: [], maxBytes: 1024 * 1024 } };
  });
  afterEach(() => {
    rmSync(top, { recursive: true, force: true });
  });
  const path = () => join(place.folder, 'config.toml');

  it('are made where they are missing, and added to after that', () => {
    expect(addProfile(sampleProfile, place, 'web', { host: 'a' })).toEqual({
      ok: true,
      value: { name: 'web', status: 'created', path: path() },
    });
    expect(addProfile(sampleProfile, place, 'web', { host: 'b' })).toMatchObject({
      value: { status: 'exists' },
    });
    expect(addProfile(sampleProfile, place, 'db', { host: 'b' })).toMatchObject({
      value: { status: 'created' },
    });
    expect(addMaskRule(sampleProfile, place, 'a+', options)).toEqual({ ok: true, value: true });
    expect(addMaskRule(sampleProfile, place, 'a+', options)).toEqual({ ok: true, value: false });
    expect(readdirSync(place.folder).toSorted()).toEqual(['config.toml', 'pii.toml']);
  });

  it('keep their mode, and are untouched when nothing is added', () => {
    mkdirSync(place.folder);
    writeFileSync(path(), '[profiles.web]\nhost = "a"\n', { mode: 0o600 });
    const before = statSync(path());
    const folder = statSync(place.folder);
    addProfile(sampleProfile, place, 'web', { host: 'b' });
    expect(statSync(path())).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    // No lock file either: an account that may only read the project is told `exists` all the same.
    expect(statSync(place.folder)).toMatchObject({ mtimeMs: folder.mtimeMs, ctimeMs: folder.ctimeMs });
    addProfile(sampleProfile, place, 'db', { host: 'b' });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('are never written through a link', () => {
    mkdirSync(place.folder);
    writeFileSync(join(top, 'outside'), '');
    symlinkSync(join(top, 'outside'), path());
    expect(addProfile(sampleProfile, place, 'web', { host: 'a' })).toMatchObject({
      problems: [{ code: 'unsafe_file' }],
    });
    expect(readFileSync(join(top, 'outside'), 'utf8')).toBe('');
  });

  it('are refused when they are not only the owner’s to write', () => {
    mkdirSync(place.folder);
    chmodSync(place.folder, 0o777);
    expect(addProfile(sampleProfile, place, 'web', { host: 'a' })).toMatchObject({
      problems: [{ code: 'unsafe_file' }],
    });
    expect(existsSync(path())).toBe(false);
  });
});
