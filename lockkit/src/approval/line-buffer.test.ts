import { describe, expect, test } from 'vitest';
import { createLineBuffer } from './line-buffer.js';

describe('createLineBuffer', () => {
  test('erases one character of UTF-8 at a time', () => {
    const line = createLineBuffer();
    line.append(Buffer.from('aé😀'));
    expect(Buffer.from(line.erase()).toString()).toBe('😀');
    expect(Buffer.from(line.erase()).toString()).toBe('é');
    expect(Buffer.from(line.copy()).toString()).toBe('a');
    line.erase();
    expect(line.erase()).toHaveLength(0);
  });

  test('takes nothing of what would not fit', () => {
    const line = createLineBuffer(4);
    expect(line.append(Buffer.from('abc'))).toBe(true);
    expect(line.append(Buffer.from('de'))).toBe(false);
    expect(line.length()).toBe(3);
  });

  test('gives copies, and is empty after a wipe', () => {
    const line = createLineBuffer();
    line.append(Buffer.from('secret'));
    const copy = line.copy();
    line.wipe();
    expect(Buffer.from(copy).toString()).toBe('secret');
    expect(line.copy()).toHaveLength(0);
  });
});
