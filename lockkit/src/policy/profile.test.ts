import { describe, expect, it } from 'vitest';
import { flag } from './fields/number.js';
import { field } from './field.js';
import { off } from './orders.js';
import { defineProfile } from './profile.js';

describe('defineProfile', () => {
  const exec = field(flag, { order: off, heading: 'Commands', default: false });
  it('does not load a field without an order', () => {
    const bare = { ...exec, order: undefined } as unknown as typeof exec;
    expect(() => defineProfile({ lock: 'x', fields: { exec: bare }, groups: {} })).toThrow(/no order/);
    expect(() =>
      defineProfile({ lock: 'x', fields: {}, groups: { auto: { fields: { exec: bare } } } }),
    ).toThrow();
  });
  it.each(['__proto__', 'Exec', 'a-b', ''])('does not load a field called %j', (name) => {
    const fields = Object.fromEntries([[name, exec]]);
    if (Object.keys(fields).length > 0)
      expect(() => defineProfile({ lock: 'x', fields, groups: {} })).toThrow();
  });
  it('does not load a table that is called as a field, or pii', () => {
    expect(() => defineProfile({ lock: 'x', fields: { exec }, groups: { exec: { fields: {} } } })).toThrow();
    expect(() => defineProfile({ lock: 'x', fields: {}, groups: { pii: { fields: {} } } })).toThrow();
  });
});
