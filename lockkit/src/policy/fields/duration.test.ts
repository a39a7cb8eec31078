import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duration, parseDurationMs, renderDuration } from './duration.js';

describe('parseDurationMs', () => {
  it.each([
    ['30s', 30_000],
    ['600s', 600_000],
    ['1h30m', 5_400_000],
    ['1.5m', 90_000],
    ['.5s', 500],
    ['1.s', 1_000],
    ['500ms', 500],
    ['1500us', null],
    ['2000us', 2],
    ['2000µs', 2],
    ['2000μs', 2],
    ['3000000ns', 3],
    ['+5s', 5_000],
    ['0s', 0],
    ['5m0s', 300_000],
  ])('reads %s as Go does, in whole milliseconds', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  it.each([
    '',
    '30',
    's',
    '.s',
    '30 s',
    ' 30s',
    '30s ',
    '-5s',
    '1e3s',
    '30S',
    '1d',
    '30sec',
    '٣٠s',
    '30s\0',
    '1.5.5s',
    '0x1s',
    '1_0s',
    '９s',
    '30s\n',
    '∞s',
    '+',
    '+-5s',
    '--5s',
    `${'1'.repeat(50)}s`,
  ])('refuses %j', (text) => {
    expect(parseDurationMs(text)).toBeNull();
  });

  it('refuses what a double cannot hold instead of rounding it', () => {
    expect(parseDurationMs('9999999999999999h')).toBeNull();
    expect(parseDurationMs(`${String(Number.MAX_SAFE_INTEGER + 1)}ms`)).toBeNull();
  });

  it('adds its parts up exactly, whatever the fraction', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(59), fc.nat(59), fc.nat(999), (h, m, s, ms) => {
        const text = `${String(h)}h${String(m)}m${String(s)}.${String(ms).padStart(3, '0')}s`;
        expect(parseDurationMs(text)).toBe(((h * 60 + m) * 60 + s) * 1000 + ms);
      }),
    );
  });
});

describe('renderDuration', () => {
  it('is read back as the same number', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), (ms) => {
        expect(parseDurationMs(renderDuration(ms))).toBe(ms);
      }),
    );
  });
});

describe('duration', () => {
  const { schema } = duration(1, 600_000);
  it('takes its ceiling in any spelling and nothing above it', () => {
    expect(schema.safeParse('600s').data).toBe(600_000);
    expect(schema.safeParse('10m').success).toBe(true);
    expect(schema.safeParse('10m1ms').success).toBe(false);
  });
  it.each(['0s', '0', 30, true, null, ['30s'], '1us'])('refuses %j: nothing means no limit', (value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
  it('is a bug without a range above zero', () => {
    expect(() => duration(0, 5)).toThrow();
  });
});
