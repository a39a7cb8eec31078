import * as fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { locateKeys } from './locate-keys.js';
import type { KeyPath } from './problem.js';

const text = `# first
[profiles.web] # comment with "quotes" and [brackets]
host = "a#b" # = x
"quoted.key" = 'it''s'
a.b.c = 1
list = [ # comment ]
  "one", "tw\\"o]",
  { x = 1, y = [2,
     3] },
]
multi = """
host = "not a key"
[not.a.table]
"""""
raw = '''
user = 1'''
inline = { p = { q = true }, r = 2 }

[[mask]]
pattern = 'a'
[[mask]]
pattern = "b"
[mask.deep]
z = 1
"\\u0061\\x62" = 5
`.replace("'it''s'", "'its'");

describe('locateKeys', () => {
  parse(text);
  const lineOf = locateKeys(text);
  it.each<[KeyPath, number | undefined]>([
    [['profiles'], 2],
    [['profiles', 'web'], 2],
    [['profiles', 'web', 'host'], 3],
    [['profiles', 'web', 'quoted.key'], 4],
    [['profiles', 'web', 'a', 'b', 'c'], 5],
    [['profiles', 'web', 'list', 0], 7],
    [['profiles', 'web', 'list', 1], 7],
    [['profiles', 'web', 'list', 2, 'x'], 8],
    [['profiles', 'web', 'list', 2, 'y', 1], 9],
    [['profiles', 'web', 'multi'], 11],
    [['profiles', 'web', 'raw'], 15],
    [['profiles', 'web', 'inline', 'p', 'q'], 17],
    [['profiles', 'web', 'inline', 'r'], 17],
    [['mask', 0, 'pattern'], 20],
    [['mask', 1, 'pattern'], 22],
    [['mask', 1, 'deep', 'z'], 24],
    [['mask', 1, 'deep', 'ab'], 25],
    [['profiles', 'web', 'absent'], 2],
    [['absent'], undefined],
  ])('finds %j on line %s', (path, line) => {
    expect(lineOf(path)).toBe(line);
  });

  it('counts a CRLF as one line', () => {
    expect(locateKeys('a = 1\r\n\r\nb = 2\r\n')(['b'])).toBe(3);
  });

  it('finds every key, whatever the values before it look like', () => {
    const noise = fc.string({
      unit: fc.constantFrom('"', '#', '[', ']', '{', '}', ',', '=', '.', ' ', 'a', '\\', '\n'),
    });
    const values = fc.oneof(
      noise.map((text) => JSON.stringify(text)),
      noise.map((text) => `'''\n${text}'''`),
      noise.map((text) => `"""${text.replaceAll(/["\\]/g, '')}"""""`),
      fc
        .array(noise)
        .map((list) => `[ # ]\n${list.map((text) => `${JSON.stringify(text)}, # "\n`).join('')}]`),
      noise.map((text) => `{ a = ${JSON.stringify(text)}, "b}" = [{ c = 1 }] }`),
      fc.constantFrom('1', 'true', '1979-05-27T07:32:00Z', '0x1f'),
    );
    fc.assert(
      fc.property(fc.array(values, { maxLength: 8 }), (list) => {
        const parts = list.map((value, index) => `"k.${String(index)}" = ${value} # x = 1\n`);
        const toml = parts.join('');
        parse(toml);
        const lineOf = locateKeys(toml);
        let line = 1;
        for (const [index, part] of parts.entries()) {
          expect(lineOf([`k.${String(index)}`])).toBe(line);
          line += part.split('\n').length - 1;
        }
      }),
      { numRuns: 500 },
    );
  });
});
