import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineCutter } from './frames.js';

function cut(chunks: readonly Buffer[], limitBytes: number) {
  const lines: string[] = [];
  let tooLong = 0;
  const cutter = new LineCutter(
    limitBytes,
    (line) => lines.push(line.toString()),
    () => tooLong++,
  );
  for (const chunk of chunks) cutter.push(chunk);
  return { lines, tooLong };
}

test('LineCutter: the lines are the same however the bytes arrive', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 8 }),
      fc.array(fc.nat(30)),
      (texts, cuts) => {
        const lines = texts.map((text) => text.replaceAll('\n', ' '));
        const all = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const chunks: Buffer[] = [];
        let rest = all;
        for (const size of cuts) {
          chunks.push(rest.subarray(0, size));
          rest = rest.subarray(size);
        }
        expect(cut([...chunks, rest], 1000)).toEqual({ lines, tooLong: 0 });
      },
    ),
  );
});

test('LineCutter: a line over the limit is refused once, and nothing after it is read', () => {
  expect(cut([Buffer.from('ok\n0123456789'), Buffer.from('x\nlater\n')], 10)).toEqual({
    lines: ['ok'],
    tooLong: 1,
  });
  expect(cut([Buffer.from('0123456789\n')], 10)).toEqual({ lines: ['0123456789'], tooLong: 0 });
});

test('LineCutter: nothing comes after close', () => {
  const lines: string[] = [];
  const cutter = new LineCutter(
    10,
    (line) => {
      lines.push(line.toString());
      cutter.close();
    },
    () => undefined,
  );
  cutter.push(Buffer.from('a\nb\nc\n'));
  expect(lines).toEqual(['a']);
});
