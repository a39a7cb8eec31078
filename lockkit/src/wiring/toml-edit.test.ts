import * as fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { addTomlTable } from './toml-edit.js';

const TABLE = { command: 'x', args: ['a', 'b"c'] };

test('addTomlTable: whatever TOML there was stays byte for byte before what is added', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()));
  const key = fc.stringMatching(/^[a-z]{1,5}$/);
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value))), (old) => {
      const text = stringify(old);
      const edit = addTomlTable({ kind: 'text', text }, 'servers', 'ours', TABLE);
      if (edit.status !== 'update') throw new Error(edit.status);
      expect(edit.text.startsWith(text)).toBe(true);
      const now = parse(edit.text) as Record<string, Record<string, unknown>>;
      expect(now['servers']?.['ours']).toEqual(TABLE);
      expect(addTomlTable({ kind: 'text', text: edit.text }, 'servers', 'ours', TABLE).status).toBe(
        'unchanged',
      );
    }),
    { numRuns: 150 },
  );
});

test.each([
  ['an open multi-line text', 'a = """\n'],
  ['an open list', 'a = [\n'],
  ['a closed inline parent', 'servers = {}\n'],
  ['a parent that is a list of tables', '[[servers]]\na = 1\n'],
])('addTomlTable: %s is refused', (_name, text) => {
  expect(addTomlTable({ kind: 'text', text }, 'servers', 'ours', TABLE).status).toBe('refused');
});

test('addTomlTable: a file without a last line end is closed first', () => {
  const edit = addTomlTable({ kind: 'text', text: 'a = 1 # end' }, 'servers', 'ours', TABLE);
  expect(edit.status === 'update' && parse(edit.text)).toEqual({ a: 1, servers: { ours: TABLE } });
});
