import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseRule } from './parse-rule.js';
import { reviewRule } from './review-rule.js';
import { RISKY_PROGRAM_GROUPS } from './risky-programs.js';

const codes = (text: string): readonly string[] => {
  const parsed = parseRule(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.reason.code}`);
  return reviewRule(parsed.rule).map((warning) => warning.code);
};

describe('reviewRule: programs', () => {
  const page =
    'find awk sed vim less tar sudo env sh python3 dd tee xargs ssh bash perl git docker kubectl curl'.split(
      ' ',
    );
  it.each(page)('warns on %s with a glob or **', (program) => {
    expect(codes(`${program} *`)).toContain('RISKY_PROGRAM');
    expect(codes(`${program} a **`)).toContain('RISKY_PROGRAM');
    expect(codes(`${program} a`)).toEqual([]);
  });

  it.each([
    '/usr/bin/find *',
    'FIND *',
    'python3.11 *',
    'python3.11m *',
    'vim.basic *',
    'gcc-12 *',
    'x86_64-linux-gnu-gcc-12 *',
    'awk.exe *',
    'perl5.36.0 *',
    'busybox-static *',
    'ksh93 *',
    'php8.2 *',
    'pip3.11 *',
    'pypy3 *',
    'mkfs.ext4 *',
    'ruby3.1 *',
    'clang-15 *',
    'nc.openbsd *',
  ])('knows %s', (rule) => {
    expect(codes(rule)).toContain('RISKY_PROGRAM');
  });

  it.each([
    'echo **',
    'df *',
    'free *',
    'cat /var/log/*',
    'head -n 5 /var/log/*',
    'ls *',
    'id *',
    'uptime',
    'my-own-check *',
  ])('is silent on %s', (rule) => {
    expect(codes(rule)).toEqual([]);
  });

  it('warns on ** for a program that reads, and on one that disguises what it reads', () => {
    expect(codes('cat **')).toEqual(['RISKY_PROGRAM']);
    expect(codes('rev /var/log/*')).toEqual(['RISKY_PROGRAM']);
    expect(codes('cut -c1 *')).toEqual(['RISKY_PROGRAM']);
  });

  it('says what the program can do', () => {
    const parsed = parseRule('python3.11 *');
    const [warning] = parsed.ok ? reviewRule(parsed.rule) : [];
    expect(warning).toMatchObject({ program: 'python', token: 0, withoutDash: ['exec'] });
    expect(warning?.kinds).toContain('exec');
  });
});

describe('reviewRule: globs', () => {
  it.each([
    ['mytool -*', ['GLOB_OPTION']],
    ['mytool --*', ['GLOB_OPTION']],
    ['mytool --no-*', ['GLOB_OPTION']],
    ['mytool -[a-z]', ['GLOB_OPTION']],
    ['mytool -?', ['GLOB_OPTION']],
    ['mytool -n*', ['GLOB_OPTION']],
    ['mytool +*', ['GLOB_OPTION']],
    ['mytool --since=*', []],
    ['mytool +%*', []],
    ['mytool *', []],
    ['mytool -- *', ['GLOB_AFTER_DASHES']],
    ['mytool -- **', ['GLOB_AFTER_DASHES']],
    ['mytool -- a', []],
    ['mytool * -- a', []],
    ['mytool --dir=*/x', ['GLOB_CLIMBS']],
    ['mytool --dir=a/*', []],
    ['mytool --file=*', []],
    ['mytool */x', []],
  ])('%s: %j', (rule, expected) => {
    expect(codes(rule)).toEqual(expected);
  });
});

describe('RISKY_PROGRAM_GROUPS', () => {
  it('is what scripts/risky-programs.mjs writes from the cases, and so is the list in the docs', () => {
    const script = fileURLToPath(new URL('../../../scripts/risky-programs.mjs', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('names a program once', () => {
    const names = RISKY_PROGRAM_GROUPS.flatMap((group) => group.names.trim().split(/\s+/));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(700);
  });
});
