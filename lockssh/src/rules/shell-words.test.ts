import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isShellBuiltin, PROGRAMS_TOO } from './shell-words.js';

describe('isShellBuiltin', () => {
  it.each([
    ...[
      'eval',
      'exec',
      'command',
      '.',
      'source',
      'trap',
      'let',
      'alias',
      'declare',
      'cd',
      'if',
      ':',
      '!',
      '{',
      '[[',
    ],
    ...[
      'builtin',
      'typeset',
      'emulate',
      'noglob',
      'nocorrect',
      'print',
      'fc',
      'time',
      'while',
      'export',
      'set',
    ],
    ...[
      'zmodload',
      'sched',
      'autoload',
      'whence',
      'nameref',
      'foreach',
      'setenv',
      'begin',
      'string',
      'coproc',
      '@',
    ],
  ])('refuses %s', (name) => {
    expect(isShellBuiltin(name)).toBe(true);
  });

  it.each([
    'echo',
    'test',
    'printf',
    'kill',
    'pwd',
    'true',
    'false',
    'nice',
    'ls',
    'EVAL',
    '/bin/cd',
    './if',
    'R',
    '',
  ])('leaves %s to the file', (name) => {
    expect(isShellBuiltin(name)).toBe(false);
  });
});

// Every shell lists its own words; what it lists is refused, or known to be a program as well.
const LISTS: readonly (readonly [shell: string, args: readonly string[]])[] = [
  ['bash', ['-c', 'compgen -bk']],
  [
    'zsh',
    [
      '-f',
      '-c',
      'zmodload zsh/system zsh/zpty zsh/stat zsh/datetime zsh/zselect; print -l ${(k)builtins} ${(k)reswords}',
    ],
  ],
  ['ksh93', ['-c', 'builtin']],
  ['tcsh', ['-f', '-c', 'builtins']],
  ['fish', ['-N', '-c', 'builtin -n']],
  ['busybox', ['ash', '-c', 'help']],
];

describe('isShellBuiltin against real shells', () => {
  it.each(LISTS)('knows every word of %s', (shell, args) => {
    const { status, stdout } = spawnSync(shell, args, { encoding: 'utf8' });
    if (status === null && process.env['CI'] !== 'true') return;
    const words = stdout
      .split(/\s+/)
      .filter((word) => /^[^-/]/.test(word) && word !== 'Built-in' && word !== 'commands:');
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter((word) => !isShellBuiltin(word) && !PROGRAMS_TOO.has(word))).toEqual([]);
  });

  it.each(['mksh', 'dash'])(
    '%s: every word of ours that it calls builtin or reserved is refused or a program too',
    (shell) => {
      const script =
        'for w in global dot rename mknod cat whence realpath bind let print builtin local wait chdir; do command -V $w; done';
      const { status, stdout } = spawnSync(shell, ['-c', script], { encoding: 'utf8' });
      if (status === null && process.env['CI'] !== 'true') return;
      const words = stdout
        .split('\n')
        .filter((line) => / (?:is|as) .*(?:builtin|reserved|keyword)/.test(line));
      const names = words.map((line) => line.split(' ')[0] ?? '');
      expect(names.length).toBeGreaterThan(2);
      expect(names.filter((name) => !isShellBuiltin(name) && !PROGRAMS_TOO.has(name))).toEqual([]);
    },
  );
});
