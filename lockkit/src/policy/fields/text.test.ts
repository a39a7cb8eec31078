import { describe, expect, it } from 'vitest';
import { filePath, isVisibleText } from './text.js';

describe('isVisibleText', () => {
  it.each(['~/.ssh/id_ed25519', '/srv/Schlüssel', 'a b', '鍵'])('takes %s', (text) => {
    expect(isVisibleText(text)).toBe(true);
  });
  it.each([
    '\0',
    '\t',
    '\n',
    '\u007f',
    '\u0085',
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u200b',
    '\u200d',
    '\u2028',
    '\u202e',
    '\u2066',
    '\u2800',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\ud800',
    '\ue000',
    '\u{e0041}',
    '\u{e0100}',
  ])('refuses %j', (one) => {
    expect(isVisibleText(`a${one}b`)).toBe(false);
  });
});

describe('filePath', () => {
  const { schema } = filePath({ empty: false });
  it.each(['a', '~/.ssh/key', '/etc/key', '../key', './~key'])('takes %s', (path) => {
    expect(schema.safeParse(path).success).toBe(true);
  });
  it.each(['', '~root/.ssh/id', '~', 'dir/', ' a', 'a ', 'a\0b', 'a\nb', 'a'.repeat(1025)])(
    'refuses %j',
    (path) => {
      expect(schema.safeParse(path).success).toBe(false);
    },
  );
});
