import { mkdtempSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLines, type RawLine } from './line-reader.js';

const path = join(mkdtempSync(join(tmpdir(), 'lock-lines-')), 'file');

async function read(bytes: Uint8Array): Promise<RawLine[]> {
  writeFileSync(path, bytes);
  const file = await open(path);
  try {
    const lines: RawLine[] = [];
    for await (const line of readLines(file)) lines.push(line);
    return lines;
  } finally {
    await file.close();
  }
}

describe('readLines', () => {
  test('splits at LF alone, and gives back every byte', async () => {
    const text = fc.array(
      fc.constantFrom('a', '\n', '\r', '\v', '\u0085', '\u2028', '\0', 'x'.repeat(40_000)),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        const whole = Buffer.from(parts.join(''));
        const lines = await read(whole);
        if (lines.some(({ bytes }) => bytes.length > 65_536)) return;
        const again = Buffer.concat(
          lines.map(({ bytes, ended }) => Buffer.concat([bytes, Buffer.from(ended ? '\n' : '')])),
        );
        expect(again.equals(whole)).toBe(true);
        expect(lines.slice(0, -1).every(({ ended }) => ended)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('says where a line begins, and keeps only the start of one that is too long', async () => {
    const [first, second, third] = await read(Buffer.from(`a\n${'x'.repeat(1_000_000)}\nb`));
    expect([first?.offset, second?.offset, third?.offset]).toEqual([0, 2, 1_000_003]);
    expect(second?.bytes).toHaveLength(65_537);
    expect(third).toMatchObject({ ended: false });
    expect(await read(Buffer.alloc(0))).toEqual([]);
  });
});
