import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DETECTORS } from './detector.js';
import { LOOK_AHEAD_BYTES, WINDOW_BYTES } from './mask-stream.js';
import { openMasker, type Masker } from './masker.js';
import { hostileText } from './test/hostile-text.js';

const masker = openMasker({
  detectors: DEFAULT_DETECTORS,
  key: randomBytes(32),
  maskRules: [],
  agentRules: [],
  allow: [],
});

describe('openMasker: the cut', () => {
  const VALUES: readonly (readonly [string, string])[] = [
    ['', 'bob.liddell@example.org'],
    ['', 'ghp_FAKE0fake1FAKE0fake1FAKE0fake1FAKE0f'],
    ['', '4012888888881881'],
    ['', 'DE89370400440532013000'],
    ['', '+442079460958'],
    ['', '203.0.113.77'],
    ['', '2001:db8:85a3::8a2e:370:7334'],
    ['password=', 'hunter2hunter2'],
    ['amqp://', 'bob:SuperSecret123'],
  ];

  it('shows no fragment of a value that it splits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...VALUES), fc.nat(40), fc.nat(70), ([key, value], pad, cut) => {
        const raw = Buffer.from(`${'z'.repeat(pad)} ${key}${value}${key.endsWith('//') ? '@h' : ''} end\n`);
        const { text, truncated } = masker.mask(raw, { cutAtBytes: cut });
        expect(truncated).toBe(cut < raw.length);
        const clear = text.replace(/⟦[^⟧]*⟧/g, '\n');
        for (let at = 0; at + 3 <= value.length; at++)
          expect(clear.replace(key, '')).not.toContain(value.slice(at, at + 3));
      }),
      { numRuns: 500 },
    );
  });

  it('hides a block whole that the cut opens', () => {
    const raw = Buffer.from(
      `x\n-----BEGIN PRIVATE KEY-----\n${'MIIEFAKEFAKE\n'.repeat(20)}-----END PRIVATE KEY-----\n`,
    );
    expect(masker.mask(raw, { cutAtBytes: 60 }).text).toBe('x\n⟦secret⟧');
  });

  it('drops the last line of an output that was ended by force', () => {
    const result = masker.mask(Buffer.from('one\ntwo\npassw'), { ended: 'cut' });
    expect(result).toMatchObject({ text: 'one\ntwo\n', truncated: true });
    expect(masker.mask(Buffer.from('one\n'), { ended: 'cut' })).toMatchObject({
      text: 'one\n',
      truncated: false,
    });
    expect(masker.mask(Buffer.from('hunter'), { ended: 'cut' })).toMatchObject({ text: '', truncated: true });
  });

  it('drops the line that does not end within the look-ahead', () => {
    const raw = Buffer.from(`ok\n${'a'.repeat(100 + LOOK_AHEAD_BYTES)}`);
    expect(masker.mask(raw, { cutAtBytes: 50 })).toMatchObject({ text: 'ok\n', truncated: true });
  });

  it('cuts between characters', () => {
    expect(masker.mask(Buffer.from('aé\n'), { cutAtBytes: 2 })).toMatchObject({ text: 'a', truncated: true });
  });
});

describe('openMasker: streaming', () => {
  const inPieces = (by: Masker, raw: Buffer, cuts: readonly number[]): string => {
    const stream = by.openStream();
    let text = '';
    let from = 0;
    for (const cut of [...cuts, raw.length]) {
      text += stream.push(Buffer.from(raw.subarray(from, cut)));
      from = Math.max(from, cut);
    }
    return text + stream.end();
  };

  it('gives the same result for every split', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        hostileText(),
        fc.array(fc.nat(400), { maxLength: 12 }),
        (noise, text, cuts) => {
          const raw = Buffer.concat([Buffer.from(text), noise, Buffer.from(text)]);
          const sorted = cuts.map((cut) => cut % (raw.length + 1)).sort((a, b) => a - b);
          expect(inPieces(masker, raw, sorted)).toBe(masker.mask(raw).text);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('gives the same result for a byte at a time', () => {
    const raw = Buffer.from('jörg@müller.example ⟦ password=hunter2\n-----BEGIN PRIVATE KEY-----\nMIIE\n');
    expect(
      inPieces(
        masker,
        raw,
        Array.from(raw, (_byte, at) => at),
      ),
    ).toBe(masker.mask(raw).text);
  });

  it.each([
    ['lines', 'x 10.0.0.1 bob@example.org password=hunter2\n'],
    ['one endless line', 'x 10.0.0.1 bob@example.org password=hunter2 '],
    ['one endless word', 'a.b@c.org,'],
    ['an endless key', `${'A'.repeat(64)}\n`],
  ])('hides every value across windows: %s', (name, unit) => {
    const head = name === 'an endless key' ? '-----BEGIN PRIVATE KEY-----\n' : '';
    const raw = Buffer.from(head + unit.repeat(Math.ceil((2.3 * WINDOW_BYTES) / unit.length)));
    const whole = masker.mask(raw).text;
    expect(whole).not.toMatch(/hunter2|10\.0\.0\.1|bob@|b@c|AAAA/);
    expect(inPieces(masker, raw, [1, 70_000, 1_100_000, 1_200_003, 2_000_001])).toBe(whole);
  });

  it('holds no more than a window and its look-ahead', () => {
    const stream = masker.openStream();
    const chunk = Buffer.from('plain words and nothing else\n'.repeat(2000));
    let given = 0;
    let shown = 0;
    for (let i = 0; i < 80; i++) {
      shown += stream.push(chunk).length;
      given += chunk.length;
      expect(given - shown).toBeLessThan(WINDOW_BYTES + LOOK_AHEAD_BYTES + chunk.length);
    }
  });
});
