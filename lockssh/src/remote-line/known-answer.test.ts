// The known answer has teeth: ways of quoting that are wrong somewhere do not pass it there.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireReal, type RealPart } from '../test/real-parts.js';
import { encodeArgument } from './encode-remote-line.js';
import { checkKnownAnswer, knownAnswerArgv } from './known-answer.js';

const NONCE = '00112233445566778899aabbccddeeff';
const ENV = { PATH: '/usr/bin:/bin' };

function answer(shell: string, quote: (argument: string) => string, home = '/nonexistent'): Buffer {
  const line = `exec ${knownAnswerArgv(NONCE).map(quote).join(' ')}`;
  return spawnSync(shell, ['-c', line], { env: { ...ENV, HOME: home }, maxBuffer: 1 << 24 }).stdout;
}

const posix = (argument: string): string => `'${argument.replaceAll("'", "'\\''")}'`;
const double = (argument: string): string => `"${argument.replace(/["\\$`]/gu, '\\$&')}"`;
const none = (argument: string): string => argument;

describe('checkKnownAnswer: wrong quoting never passes', () => {
  it.each([
    ['fish', 'POSIX single quotes', posix],
    ['tcsh', 'POSIX single quotes', posix],
    ['tcsh', 'double quotes', double],
    ['fish', 'double quotes', double],
    ['bash', 'no quotes', none],
    ['dash', 'no quotes', none],
  ] as const)('%s with %s', (shell, _name, quote) => {
    if (!requireReal([shell as RealPart])) return;
    expect(checkKnownAnswer(NONCE, answer(shell, quote))).toBe(false);
  });

  it('a tcsh whose start-up files make any other character the one for history', () => {
    if (!requireReal(['tcsh'])) return;
    const home = mkdtempSync(join(tmpdir(), 'lk-history-'));
    const passed = PUNCTUATION.filter((char) => {
      writeFileSync(join(home, '.tcshrc'), `set histchars=${`'${char}^'`}\n`);
      return checkKnownAnswer(NONCE, answer('tcsh', encodeArgument, home));
    });
    rmSync(home, { recursive: true });
    expect(passed).toEqual(['!']);
  });
});

const PUNCTUATION = [...'!"#$%&()*+,-./:;<=>?@[]^_`{|}~'];

describe('checkKnownAnswer', () => {
  const whole = Buffer.from(`${knownAnswerArgv(NONCE).slice(2).join('\n')}\n`);

  it('passes the answer, also after what start-up files printed', () => {
    expect(checkKnownAnswer(NONCE, whole)).toBe(true);
    expect(checkKnownAnswer(NONCE, Buffer.concat([Buffer.from('Welcome'), whole]))).toBe(true);
  });

  it('passes no answer that is cut, continued, changed in one byte, or of another nonce', () => {
    expect(checkKnownAnswer(NONCE, whole.subarray(0, -1))).toBe(false);
    expect(checkKnownAnswer(NONCE, whole.subarray(1))).toBe(false);
    expect(checkKnownAnswer(NONCE, Buffer.concat([whole, Buffer.from('\n')]))).toBe(false);
    expect(checkKnownAnswer(NONCE.replace('0', '1'), whole)).toBe(false);
    for (let at = 0; at < whole.length; at += 13) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(checkKnownAnswer(NONCE, changed)).toBe(false);
    }
  });

  it('asks with a line that a server with a short limit still takes', () => {
    expect(knownAnswerArgv(NONCE).map(encodeArgument).join(' ').length).toBeLessThan(8_000);
  });
});
