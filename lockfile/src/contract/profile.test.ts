import { describe, expect, test } from 'vitest';
import { comparePolicies, loadPolicy, verdictOf } from 'lockkit/policy';
import { fileProfile, type FilePolicy } from './profile.js';

const BASE = 'source = "local"\nroot = "/srv/samples"\n';

function load(text: string) {
  const bytes = Buffer.from(`[profiles.samples]\n${text}`);
  return loadPolicy(fileProfile, { project: { config: { name: 'config.toml', bytes } } }, 'samples', {
    checkPattern: () => null,
  });
}

function policyOf(text: string): FilePolicy {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.value.policy;
}

const verdict = (before: string, after: string): string =>
  verdictOf(comparePolicies(fileProfile, policyOf(before), policyOf(after)));

describe('fileProfile', () => {
  test('has the defaults of the decisions', () => {
    expect(policyOf(BASE)).toMatchObject({
      source: 'local',
      root: '/srv/samples',
      prefix: '',
      production: false,
      plugins: 'all',
      limits: {
        max_object_bytes: 67_108_864,
        max_plugins_per_handle: 8,
        answer_quantum: 1000,
        idle_timeout: 1_200_000,
        max_session: 14_400_000,
      },
      auto: { plan: 'ask' },
    });
  });

  test.each([
    ['no source', 'root = "/srv"\n'],
    ['a local source without root', 'source = "local"\n'],
    ['a relative root', 'source = "local"\nroot = "srv"\n'],
    ['a root on another source', 'source = "s3"\nroot = "/srv"\n'],
    ['credentials on a directory', `${BASE}credentials = "ask"\n`],
    ['vault without a path', 'source = "s3"\ncredentials = "vault"\n'],
    ['a prefix that climbs', `${BASE}prefix = "a/../"\n`],
    ['an absolute prefix', `${BASE}prefix = "/a"\n`],
    ['an unknown key', `${BASE}bucket_name = "x"\n`],
    ['a plugin twice', `${BASE}plugins = ["a.b", "a.b"]\n`],
    ['a plugin that is no name', `${BASE}plugins = ["../x"]\n`],
    ['too large an object', `${BASE}[profiles.samples.limits]\nmax_object_bytes = 4294967297\n`],
    ['an object of 0 bytes', `${BASE}[profiles.samples.limits]\nmax_object_bytes = 0\n`],
    ['65 plugins a handle', `${BASE}[profiles.samples.limits]\nmax_plugins_per_handle = 65\n`],
    ['a quantum under 250ms', `${BASE}[profiles.samples.limits]\nanswer_quantum = "249ms"\n`],
    ['a quantum over 60s', `${BASE}[profiles.samples.limits]\nanswer_quantum = "61s"\n`],
    ['auto on production', `${BASE}production = true\n[profiles.samples.auto]\nplan = "auto"\n`],
    ['full-auto on production', `${BASE}production = true\nauto = "full-auto"\n`],
  ])('refuses %s', (_, text) => {
    expect(load(text).ok).toBe(false);
  });

  test.each([
    ['a longer prefix tightens', BASE, `${BASE}prefix = "a/"\n`, 'tightens'],
    ['another prefix loosens', `${BASE}prefix = "a/"\n`, `${BASE}prefix = "b/"\n`, 'loosens'],
    ['fewer plugins tighten', BASE, `${BASE}plugins = ["a.b"]\n`, 'tightens'],
    ['every plugin loosens', `${BASE}plugins = ["a.b"]\n`, BASE, 'loosens'],
    ['another root loosens', BASE, 'source = "local"\nroot = "/srv"\n', 'loosens'],
    ['production tightens', BASE, `${BASE}production = true\n`, 'tightens'],
    [
      'a larger quantum tightens',
      BASE,
      `${BASE}[profiles.samples.limits]\nanswer_quantum = "2s"\n`,
      'tightens',
    ],
    [
      'a larger object loosens',
      BASE,
      `${BASE}[profiles.samples.limits]\nmax_object_bytes = 67108865\n`,
      'loosens',
    ],
    ['auto loosens', BASE, `${BASE}auto = "full-auto"\n`, 'loosens'],
    ['deny tightens', BASE, `${BASE}[profiles.samples.auto]\nplan = "deny"\n`, 'tightens'],
  ])('%s', (_, before, after, expected) => {
    expect(verdict(before, after)).toBe(expected);
  });

  test('a prefix that does not end in / is remarked on', () => {
    const prefix = fileProfile.fields['prefix'];
    expect(prefix?.remarks('invoices')).toHaveLength(1);
    expect(prefix?.remarks('invoices/')).toHaveLength(0);
  });
});
