import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'jsonc-parser';
import { editJson } from './json-edit.js';

const ADD = [{ kind: 'member', path: ['servers', 'ours'], value: { command: 'x' } }] as const;
const keys = fc.string().filter((key) => key !== '__proto__');

test('editJson: whatever JSON object there was, everything of it stays and ours is added or kept', () => {
  const servers = fc.dictionary(keys, fc.jsonValue());
  fc.assert(
    fc.property(
      fc.dictionary(keys, fc.jsonValue()),
      servers,
      fc.constantFrom(0, 2, 4, '\t'),
      (rest, inner, space) => {
        const old = { ...rest, servers: inner };
        const edit = editJson({ kind: 'text', text: JSON.stringify(old, null, space) }, ADD);
        if (edit.status !== 'update') return expect(Object.hasOwn(inner, 'ours')).toBe(true);
        const now = JSON.parse(edit.text) as typeof old;
        expect(now.servers['ours']).toEqual({ command: 'x' });
        const { ours: _ours, ...others } = now.servers;
        expect({ ...now, servers: others }).toEqual(JSON.parse(JSON.stringify(old)));
      },
    ),
    { numRuns: 200 },
  );
});

test('editJson: editing twice is editing once', () => {
  fc.assert(
    fc.property(fc.dictionary(keys, fc.jsonValue()), (old) => {
      const first = editJson({ kind: 'text', text: JSON.stringify(old) }, ADD);
      if (first.status !== 'update') return;
      expect(editJson({ kind: 'text', text: first.text }, ADD).status).toBe('unchanged');
    }),
    { numRuns: 200 },
  );
});

test('editJson: no text crashes it, and what is no JSON object is refused', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const edit = editJson({ kind: 'text', text }, ADD);
      if (edit.status === 'refused') return;
      expect(edit.status).toBe('update');
    }),
    { numRuns: 300 },
  );
});

test('editJson: an empty file becomes an object', () => {
  const edit = editJson({ kind: 'text', text: '\n' }, ADD);
  expect(edit.status === 'update' && parse(edit.text)).toEqual({ servers: { ours: { command: 'x' } } });
});
