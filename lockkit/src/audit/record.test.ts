import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkLine } from './chain.js';
import { cleanEvent, encodeRecord, EMPTY_HEAD, type AuditHead } from './record.js';
import { encodeArgvField } from './argv-field.js';

const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, maxDepth: 4 });

function encode(fields: object, head: AuditHead = EMPTY_HEAD): Buffer {
  return encodeRecord(cleanEvent({ profile: 'web', ...fields, event: 'test.event' }), head, new Date(0)).line;
}

describe('encodeRecord', () => {
  test('always makes one line that its own check takes, whatever the fields hold', () => {
    fc.assert(
      fc.property(anything, fc.string({ unit: 'binary' }), (value, text) => {
        const line = encode({ value, text });
        expect(line.includes(0x0a)).toBe(false);
        expect(checkLine(EMPTY_HEAD, line).ok).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('writes numbers that every language reads alike', () => {
    const record = JSON.parse(encode({ numbers: [-0, 1e21, Number.NaN, 0.1, 7, 2 ** 53] }).toString());
    expect(record.numbers).toEqual([0, '1e+21', 'NaN', '0.1', 7, '9007199254740992']);
  });
});

describe('checkLine', () => {
  test('never takes a line of which any byte was changed', () => {
    const line = encode({ command: 'df -h', n: 12, text: 'é\u2028' });
    fc.assert(
      fc.property(fc.nat(line.length - 1), fc.integer({ min: 1, max: 255 }), (index, mask) => {
        const changed = Buffer.from(line);
        changed[index] = (changed[index] ?? 0) ^ mask;
        expect(checkLine(EMPTY_HEAD, changed).ok).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['extra spaces', (text: string) => text.replace(',', ', '), 'not_canonical'],
    ['a key twice', (text: string) => text.replace('{', '{"event":"other.event",'), 'not_canonical'],
    ['a trailing CR', (text: string) => `${text}\r`, 'not_canonical'],
    ['another way to write a character', (text: string) => text.replace('web', '\\u0077eb'), 'not_canonical'],
    ['no JSON', () => 'garbage', 'not_a_record'],
    ['JSON that is no record', () => '{"seq":1}', 'not_a_record'],
    ['a list', () => '[1]', 'not_a_record'],
    ['a proto key', (text: string) => text.replace('{', '{"__proto__":{},'), 'hash'],
  ])('refuses %s', (_name, change, fault) => {
    expect(checkLine(EMPTY_HEAD, Buffer.from(change(encode({}).toString())))).toEqual({ ok: false, fault });
  });

  test('refuses a record out of its place', () => {
    expect(checkLine({ seq: 1, hash: EMPTY_HEAD.hash }, encode({}))).toEqual({
      ok: false,
      fault: 'sequence',
    });
    expect(checkLine({ seq: 0, hash: 'f'.repeat(64) }, encode({}))).toEqual({ ok: false, fault: 'previous' });
  });
});

describe('encodeArgvField', () => {
  test('keeps a short argv whole', () => {
    const field = encodeArgvField(['df', '-h', '']);
    expect(field.argv).toEqual(['df', '-h', '']);
    expect(field.argv_cut_bytes).toBeUndefined();
  });

  test('cuts at 1 KiB, at a code point, and tells two long argvs apart by their hash', () => {
    const a = encodeArgvField(['echo', '😀'.repeat(1000), 'tail a']);
    const b = encodeArgvField(['echo', '😀'.repeat(1000), 'tail b']);
    expect(Buffer.byteLength(a.argv.join(' '))).toBeLessThanOrEqual(1024);
    expect(a.argv.join('')).not.toContain('\ufffd');
    expect(a.argv).toEqual(b.argv);
    expect(a.argv_sha256).not.toBe(b.argv_sha256);
    expect(a.argv_cut_bytes).toBeGreaterThan(2900);
  });
});
