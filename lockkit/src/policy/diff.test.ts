import { describe, expect, it } from 'vitest';
import { diffPolicies } from './diff.js';
import type { PolicyFiles } from './load.js';
import { checkPattern, sampleProfile } from './test/sample-profile.js';

const files = (config: string, pii?: string): PolicyFiles => ({
  config: { name: 'config.toml', bytes: Buffer.from(config) },
  ...(pii === undefined ? {} : { pii: { name: 'pii.toml', bytes: Buffer.from(pii) } }),
});
const web = '[profiles.web]\nhost = "web1"\nallow = ["ls *"]\n';
const diff = (before: PolicyFiles, after: PolicyFiles) => {
  const got = diffPolicies(sampleProfile, before, after, { checkPattern });
  if (!got.ok) throw new Error('does not load');
  return got.value;
};

describe('diffPolicies', () => {
  it.each<[string, string, string, string]>([
    ['layout and comments', `# c\n[profiles.web]\nallow = [ "ls *" ]\nhost = 'web1'\n`, 'same', ''],
    ['a default written out', `${web}exec = false\n`, 'same', ''],
    ['an added rule', web.replace('"ls *"', '"ls *", "df"'), 'loosens', 'profiles.web.allow'],
    ['a removed rule', web.replace('"ls *"', ''), 'tightens', 'profiles.web.allow'],
    ['a larger limit', `${web}limits = {timeout = "31s"}\n`, 'loosens', 'profiles.web.limits.timeout'],
    ['letter case of a host', web.replace('web1', 'WEB1'), 'loosens', 'profiles.web.host'],
    ['an added profile', `${web}[profiles.db]\nhost = "db"\n`, 'loosens', 'profiles.db'],
    ['a removed profile', '', 'tightens', 'profiles.web'],
    ['a renamed profile', web.replace('web]', 'wbe]'), 'loosens', 'profiles.wbe'],
  ])('%s', (_what, after, verdict, path) => {
    const got = diff(files(web), files(after));
    expect(got.verdict).toBe(verdict);
    if (path !== '') expect(got.changes.map((change) => change.path)).toContain(path);
  });

  it('compares PII rules once, whatever the number of profiles', () => {
    const two = `${web}[profiles.db]\nhost = "db"\n`;
    const masked = files(two, `[[mask]]\npattern = 'a+'\n`);
    expect(diff(files(two), masked)).toEqual({
      verdict: 'tightens',
      changes: [{ path: 'pii.mask', direction: 'tightens', from: [], to: ['a+'] }],
    });
    expect(diff(masked, files(two)).verdict).toBe('loosens');
    expect(diff(masked, files(two, `[[mask]]\npattern = 'a+|b'\n`)).verdict).toBe('loosens');
    expect(diff(files(two), files(two, `[[allow]]\nkind = "ip"\nvalue = "::1"\n`)).verdict).toBe('loosens');
  });

  it('shows an added profile as its file could have said it', () => {
    expect(diff(files(''), files(web)).changes[0]?.to).toMatchObject({
      host: 'web1',
      limits: { timeout: '30s' },
    });
  });

  it('gives the problems of both sides', () => {
    const got = diffPolicies(sampleProfile, files('x'), files('y'), { checkPattern });
    expect(!got.ok && got.problems).toHaveLength(2);
  });
});
