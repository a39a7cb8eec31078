import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkArgv } from '../rules/check-argv.js';
import { encodeArgument, encodeRemoteLine, type LineForm } from './encode-remote-line.js';
import { checkKnownAnswer, knownAnswerArgv } from './known-answer.js';
import { provedShell, type ProvedShell } from './proved-shells.js';

const plain: LineForm = { kind: 'plain' };

function shellNamed(name: string): ProvedShell {
  const shell = provedShell(name);
  if (shell === null) throw new Error(`not proved: ${name}`);
  return shell;
}

describe('encodeRemoteLine: the line of the page', () => {
  it.each([
    [['systemctl', 'status', 'nginx'], "exec 'systemctl' 'status' 'nginx'"],
    [['echo', ''], "exec 'echo' ''"],
    [['p', "it's"], "exec 'p' 'it'\\''s'"],
    [['p', '\\'], "exec 'p' \\\\"],
    [['p', 'wow!'], "exec 'p' 'wow'\\!"],
  ])('%j', (argv, line) => {
    expect(encodeRemoteLine(argv, shellNamed('bash'), plain)).toBe(line);
  });

  it('reaches the program through timeout(1) in the timeout form', () => {
    const line = encodeRemoteLine(['eval', 'x'], shellNamed('zsh'), { kind: 'timeout', seconds: 30 });
    expect(line).toBe("exec 'timeout' '-s' 'KILL' '30' 'eval' 'x'");
  });
});

describe('encodeRemoteLine: what has no safe line is a bug, never a line', () => {
  it.each([
    [[]],
    [['']],
    [['-x']],
    [['+x']],
    [['A=1', 'ls']],
    [['ls', 'a\nb']],
    [['ls', '\0']],
    [['ls', '\ud800']],
  ])('%j', (argv) => {
    expect(() => encodeRemoteLine(argv, shellNamed('bash'), plain)).toThrow();
  });

  it('the plain form where exec runs builtins', () => {
    expect(() => encodeRemoteLine(['ls'], shellNamed('zsh'), plain)).toThrow();
    expect(() => encodeRemoteLine(['ls'], shellNamed('mksh'), plain)).toThrow();
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, 1e9])('a timeout of %d seconds', (seconds) => {
    expect(() => encodeRemoteLine(['ls'], shellNamed('bash'), { kind: 'timeout', seconds })).toThrow();
  });
});

/** Any argument that the argv check lets through: no control character but tab, no surrogate. */
const argument = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom("'", '\\', '!', '"', '$', '`', '(', ')', ';', '#', '\t', ' ', 'a', '%', '~'),
    }),
  )
  .map((text) => text.replace(/[\0-\x08\x0a-\x1f\x7f-\x9f]|\p{Surrogate}/gu, ''));

describe('encodeRemoteLine and checkArgv', () => {
  it('every argv that the check lets through has a line, in each form', () => {
    const word = fc.oneof(
      argument,
      fc.string({ unit: 'binary' }),
      fc.constantFrom('A=1', '-x', '', '\ud800', '\u0085', '\n'),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (argv) => {
        const checked = checkArgv(argv);
        if (!checked.ok) return;
        expect(() => encodeRemoteLine(checked.value, shellNamed('tcsh'), plain)).not.toThrow();
        const form: LineForm = { kind: 'timeout', seconds: 600 };
        expect(() => encodeRemoteLine(checked.value, shellNamed('zsh'), form)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('encodeArgument', () => {
  it('never leaves a quote, a backslash or ! inside quotes, and always closes them', () => {
    fc.assert(
      fc.property(argument, (text) => {
        const runs = encodeArgument(text).match(/'[^'\\!]*'|\\['\\!]/gu) ?? [];
        expect(runs.join('')).toBe(encodeArgument(text));
      }),
    );
  });
});

// How sshd starts a login shell for a command: SHELL -c LINE, with the shell's own name as argv[0].
const REAL: readonly (readonly [string, string, readonly string[]])[] = [
  ['dash', 'dash', []],
  ['bash', 'bash', []],
  ['zsh', 'zsh', []],
  ['ksh93', 'ksh93', []],
  ['mksh', 'mksh', []],
  ['tcsh', 'tcsh', []],
  ['fish', 'fish', []],
  ['ash', 'busybox', ['ash']],
];

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

describe.each(REAL)('encodeRemoteLine in the real %s', (name, program, first) => {
  const missing = !isInstalled(program);
  if (missing && process.env['CI'] === 'true') throw new Error(`missing real part: ${program}`);
  const shell = shellNamed(name);
  const form: LineForm = shell.execRunsBuiltins ? { kind: 'timeout', seconds: 20 } : plain;
  let cwd = '';

  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), 'lk-line-'));
  });
  afterAll(() => {
    rmSync(cwd, { recursive: true, force: true });
  });

  function runLine(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Buffer {
    return execFileSync(program, [...first, '-c', encodeRemoteLine(argv, shell, form)], {
      cwd,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd, ...env },
      maxBuffer: 1 << 24,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  it.skipIf(missing).each(['C', 'C.UTF-8', 'POSIX'])(
    'gives the known answer byte for byte (LC_ALL=%s)',
    (locale) => {
      const nonce = '0123456789abcdef0123456789abcdef';
      expect(checkKnownAnswer(nonce, runLine(knownAnswerArgv(nonce), { LC_ALL: locale }))).toBe(true);
    },
  );

  it.skipIf(missing)('hands over any arguments byte for byte, and nothing else happens', () => {
    fc.assert(
      fc.property(fc.array(argument, { minLength: 1, maxLength: 6 }), (args) => {
        expect(runLine(['printf', '%s\\n', ...args]).toString('utf8')).toBe(
          args.map((arg) => `${arg}\n`).join(''),
        );
      }),
      { numRuns: 60 },
    );
    expect(readdirSync(cwd).filter((entry) => !entry.startsWith('.'))).toEqual([]);
  });

  it.skipIf(missing)("never runs a builtin of the program's name", () => {
    for (const builtin of ['eval', 'builtin', 'trap']) {
      expect(() => runLine([builtin, 'touch PWN'])).toThrow();
    }
    expect(readdirSync(cwd).filter((entry) => !entry.startsWith('.'))).toEqual([]);
  });
});
