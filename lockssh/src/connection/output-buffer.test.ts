import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { OutputBuffer } from './output-buffer.js';

const chunks = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 30 });

it('A4-054 OutputBuffer: keeps the first bytes and never more, however they were split', () => {
  fc.assert(
    fc.property(chunks, fc.nat({ max: 200 }), fc.nat({ max: 200 }), (parts, max, ahead) => {
      const buffer = new OutputBuffer(max, ahead);
      for (const part of parts) buffer.add(Buffer.from(part));
      const whole = Buffer.concat(parts);
      const { bytes, isTruncated, isDropped } = buffer.take();
      expect(bytes.equals(whole.subarray(0, max + ahead))).toBe(true);
      expect(isTruncated).toBe(whole.length > max);
      expect(isDropped).toBe(whole.length > max + ahead);
    }),
  );
});

it('OutputBuffer: holds nothing of a chunk that it does not keep', () => {
  const buffer = new OutputBuffer(1, 0);
  buffer.add(Buffer.alloc(1 << 20));
  expect(buffer.take().bytes.buffer.byteLength).toBeLessThan(1 << 16);
});
