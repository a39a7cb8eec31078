import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadPolicies, loadPolicy, type PolicyFiles } from './load.js';
import { renderProblem, type ProblemCode } from './problem.js';
import { checkPattern, sampleProfile } from './test/sample-profile.js';
import { MAX_POLICY_BYTES, parseTomlFile } from './toml.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (text: string, name = 'config.toml') => ({ name, bytes: bytes(text) });
const options = { checkPattern };

function load(config: string, pii?: string) {
  const files: PolicyFiles = {
    config: file(config),
    ...(pii === undefined ? {} : { pii: file(pii, 'pii.toml') }),
  };
  return loadPolicies(sampleProfile, { project: files }, options);
}

function problems(config: string, pii?: string) {
  const loaded = load(config, pii);
  return loaded.ok ? [] : loaded.problems;
}

const web = '[profiles.web]\nhost = "web1"\n';

describe('loadPolicies: what loads', () => {
  it('fills the defaults in', () => {
    const loaded = load(web);
    expect(loaded.ok && loaded.value.get('web')?.policy).toMatchObject({
      host: 'web1',
      allow: [[]],
      detectors: ['email', 'ip', 'secret'],
      limits: { timeout: 30_000 },
      auto: { run: 'ask' },
      pii: { mask: [], allow: [] },
    });
  });
  it('sorts sets and drops doubles, so that layout never matters', () => {
    const one = load(`${web}allow = ["b", "a", "a"]\ndetectors = ["ip", "email"]\n`);
    const two = load(`# c\r\n[profiles]\r\nweb = {detectors=["email","ip"],allow=["a","b"],host="web1"}\r\n`);
    expect(one.ok && two.ok && one.value.get('web')?.policy).toEqual(two.ok && two.value.get('web')?.policy);
  });
  it('takes a shorthand word for its table', () => {
    const loaded = load(`${web}auto = "full-auto"\n`);
    expect(loaded.ok && loaded.value.get('web')?.policy.auto).toEqual({ run: 'auto' });
  });
  it('takes an empty file, and a file that starts with a byte order mark', () => {
    expect(load('').ok).toBe(true);
    expect(load(`\ufeff${web}`).ok).toBe(true);
  });
});

describe('loadPolicies: what is refused, with file, line and key', () => {
  it.each<[string, string, ProblemCode, number | undefined, string | undefined]>([
    ['a typo', `${web}\nexce = true\n`, 'unknown_key', 4, 'profiles.web.exce'],
    ['letter case', `${web}Exec = true\n`, 'unknown_key', 3, 'profiles.web.Exec'],
    ['a top table', `[profile.web]\nhost = "a"\n`, 'unknown_key', 1, 'profile'],
    [
      'a key of a table',
      `${web}[profiles.web.auto]\nruns = "ask"\n`,
      'unknown_key',
      4,
      'profiles.web.auto.runs',
    ],
    ['a key of the prototype', `${web}__proto__ = 1\n`, 'unknown_key', 3, 'profiles.web.__proto__'],
    ['an inherited key', `${web}toString = 1\n`, 'unknown_key', 3, 'profiles.web.toString'],
    ['a hostile key', `${web}"a\\u202eb\\n" = 1\n`, 'unknown_key', 3, 'profiles.web."a\\u{202e}b\\n"'],
    ['a password', `${web}password = "hunter2"\n`, 'secret_key', 3, 'profiles.web.password'],
    ['a passphrase', `${web}key_passphrase = "x"\n`, 'secret_key', 3, 'profiles.web.key_passphrase'],
    ['a missing key', `[profiles.web]\nexec = true\n`, 'missing_key', 1, 'profiles.web.host'],
    ['a wrong value', `${web}exec = "yes"\n`, 'bad_value', 3, 'profiles.web.exec'],
    ['a text for a list', `${web}allow = "uptime"\n`, 'bad_value', 3, 'profiles.web.allow'],
    ['an element', `${web}allow = [\n"a",\n5]\n`, 'bad_value', 5, 'profiles.web.allow[2]'],
    ['a rule', `${web}allow = ["a", ""]\n`, 'bad_value', 3, 'profiles.web.allow[2]'],
    ['a double', `${web}detectors = ["ip", "ip"]\n`, 'bad_value', 3, 'profiles.web.detectors'],
    ['a float', `${web}limits = {bytes = 22.0}\n`, 'bad_value', 3, undefined],
    ['infinity', `${web}limits = {bytes = inf}\n`, 'bad_value', 3, undefined],
    ['a date', `${web}limits = {bytes = 2020-01-01}\n`, 'bad_value', 3, undefined],
    [
      'a number that a double cannot hold',
      `${web}limits = {bytes = 9007199254740993}\n`,
      'bad_value',
      3,
      undefined,
    ],
    ['a table for a value', `${web}host.x = 1\n`, 'not_toml', 3, undefined],
    ['a shorthand in another case', `${web}auto = "Full-auto"\n`, 'bad_value', 3, 'profiles.web.auto'],
    ['an inherited shorthand', `${web}auto = "constructor"\n`, 'bad_value', 3, 'profiles.web.auto'],
    ['a conflict', `${web}production = true\nauto = "full-auto"\n`, 'conflict', 4, 'profiles.web.auto'],
    ['a name', `[profiles."a/b"]\nhost = "a"\n`, 'bad_name', 1, 'profiles."a/b"'],
    ['a profile that is no table', 'profiles = {web = 1}\n', 'bad_value', 1, 'profiles.web'],
    ['profiles that are no table', 'profiles = 1\n', 'bad_value', 1, 'profiles'],
    ['two names that differ in case', `${web}[profiles.WEB]\nhost = "a"\n`, 'bad_name', 3, 'profiles.WEB'],
    ['two keys', `${web}host = "b"\n`, 'not_toml', 3, undefined],
    ['deep tables', `[a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a]\n`, 'too_deep', undefined, undefined],
  ])('%s', (_what, config, code, line, key) => {
    expect(problems(config)[0]).toMatchObject({
      code,
      file: 'config.toml',
      ...(line && { line }),
      ...(key && { key }),
    });
  });

  it('suggests the key that was meant', () => {
    expect(problems(`${web}exce = true\n`)[0]?.message).toContain('exec');
  });

  it('lists every problem of a file up to a bound', () => {
    expect(problems(`${web}exce = 1\nhots = 2\n[profiles.db]\n`)).toHaveLength(3);
    const many = Array.from({ length: 5000 }, (_, index) => `k${String(index)} = 1`).join('\n');
    expect(problems(`${web}${many}\n`)).toHaveLength(50);
  });

  it.each([
    'y',
    'N',
    'yes',
    'no',
    'continue',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__',
    '',
    '../x',
    'a b',
    'é',
    '-a',
    'a.b',
    'web\u200b',
    'a'.repeat(64),
  ])('a profile that is called %j', (name) => {
    expect(problems(`[profiles.${JSON.stringify(name)}]\nhost = "a"\n`)[0]?.code).toBe('bad_name');
    expect(({} as Record<string, unknown>)['host']).toBeUndefined();
  });

  it.each<[string, Uint8Array, ProblemCode]>([
    [
      'a file over the limit, before it is parsed',
      new Uint8Array(MAX_POLICY_BYTES + 1).fill(0x23),
      'too_large',
    ],
    ['invalid UTF-8', Uint8Array.of(0x23, 0xff, 0xfe), 'not_utf8'],
    ['an overlong form', Uint8Array.of(0x23, 0xc0, 0xaf), 'not_utf8'],
    ['a surrogate in UTF-8', Uint8Array.of(0x23, 0xed, 0xa0, 0x80), 'not_utf8'],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x23, 0), 'not_utf8'],
    ['a bare CR in a comment', bytes('# a\rexec = true\n'), 'not_toml'],
    ['a NUL', bytes('a = "\0"\n'), 'not_toml'],
    ['20,000 dots', bytes(`${'a.'.repeat(20_000)}b = 1`), 'too_deep'],
    ['5,000 brackets', bytes(`a = ${'['.repeat(5000)}`), 'not_toml'],
  ])('%s', (_what, content, code) => {
    const parsed = parseTomlFile({ name: 'f', bytes: content });
    expect(parsed.ok ? [] : parsed.problems.map((one) => one.code)).toEqual([code]);
  });
});

describe('loadPolicies: a problem never holds a value', () => {
  const places: readonly ((secret: string) => string)[] = [
    (secret) => `${web}password = ${secret}\n`,
    (secret) => `${web}exec = ${secret}\n`,
    (secret) => `${web}limits = {timeout = ${secret}}\n`,
    (secret) => `${web}detectors = [${secret}]\n`,
    (secret) => `${web}auto = ${secret}\n`,
    (secret) => `[profiles.web]\nhost = ${secret}\n`,
    (secret) => `${web}key = ${secret} rubbish\n`,
    (secret) => `x = ${secret}\n${web}x = ${secret}\n`,
    (secret) => `${web}unfinished = [${secret}\n`,
  ];
  it('whatever the value and wherever it stands', () => {
    const secrets = fc.stringMatching(/^q[A-Za-z0-9 -]{8,30}!$/);
    fc.assert(
      fc.property(secrets, fc.constantFrom(...places), (secret, place) => {
        const found = problems(place(JSON.stringify(secret)));
        expect(found.length).toBeGreaterThan(0);
        for (const problem of found) expect(renderProblem(problem)).not.toContain(secret);
      }),
    );
  });

  it.each([
    ['key', '-----BEGIN OPENSSH PRIVATE KEY-----\\nabc'],
    ['host', 'https://u:pass@web1'],
    ['allow', 'mysql --password=hunter2'],
    ['allow', 'curl -H token=abcd1234'],
    ['host', 'hvs.CAESIJlU02LQ5Kz9sS4wX5Yz'],
    ['host', 'AKIAIOSFODNN7EXAMPLE'],
  ])('a secret in %s is refused as one', (key, value) => {
    const text = key === 'allow' ? `allow = ["${value}"]` : `"${key}" = "${value}"`;
    const found = problems(`[profiles.web]\n${text}\n`);
    expect(found.map(({ code }) => code)).toContain('secret_value');
    expect(found.map(renderProblem).join()).not.toContain(value);
  });

  it.each(['mysql --password=*', 'systemctl show --property=Id', 'vault token lookup', 'cat /etc/passwd'])(
    'the rule %s is no secret',
    (rule) => {
      expect(problems(`${web}allow = ["${rule}"]\n`)).toEqual([]);
    },
  );
});

describe('loadPolicies: pii.toml', () => {
  it('reads mask and allow rules', () => {
    const loaded = load(
      web,
      `[[mask]]\npattern = 'b+'\n[[mask]]\npattern = 'a+'\n[[allow]]\nkind = "email"\nvalue = "x@y"\n`,
    );
    expect(loaded.ok && loaded.value.get('web')?.policy.pii).toEqual({
      mask: ['a+', 'b+'],
      allow: [{ kind: 'email', value: 'x@y' }],
    });
  });
  it.each<[string, string, ProblemCode, number]>([
    ['an unknown key', `[[mask]]\npatern = 'a'\n`, 'unknown_key', 2],
    ['an unknown table', `[[masks]]\npattern = 'a'\n`, 'unknown_key', 1],
    ['a missing pattern', `[[mask]]\n[[allow]]\nkind = "ip"\nvalue = "x"\n`, 'missing_key', 1],
    ['a list instead of tables', `mask = ["a"]\n`, 'bad_value', 1],
    ['a pattern that is no text', `[[mask]]\npattern = 5\n`, 'bad_value', 2],
    ['an empty pattern', `[[mask]]\npattern = ""\n`, 'bad_value', 2],
    [
      'a pattern that matches nothing',
      `[[mask]]\npattern = 'a'\n[[mask]]\npattern = 'x*'\n`,
      'bad_pattern',
      4,
    ],
    ['a pattern that RE2 refuses', `[[mask]]\npattern = '(?=a)'\n`, 'bad_pattern', 2],
    ['an allow rule for secrets', `[[allow]]\nkind = "secret"\nvalue = "x"\n`, 'bad_value', 2],
    ['an allow rule for an unknown kind', `[[allow]]\nkind = "toString"\nvalue = "x"\n`, 'bad_value', 2],
    ['an allow rule without a value', `[[allow]]\nkind = "ip"\n`, 'missing_key', 1],
    ['an empty value', `[[allow]]\nkind = "ip"\nvalue = ""\n`, 'bad_value', 3],
  ])('refuses %s', (_what, pii, code, line) => {
    expect(problems(web, pii)[0]).toMatchObject({ code, line, file: 'pii.toml' });
  });
  it('takes a pattern that names secrets', () => {
    expect(
      problems(web, `[[mask]]\npattern = 'password=[^ ]+|-----BEGIN [A-Z ]*PRIVATE KEY-----'\n`),
    ).toEqual([]);
  });
});

describe('loadPolicy: a project and its user', () => {
  const user: PolicyFiles = {
    config: file(`${web}exec = true\n[profiles.db]\nhost = "db"\n`, 'user.toml'),
    pii: file(`[[mask]]\npattern = 'u+'\n`, 'user-pii.toml'),
  };
  const project: PolicyFiles = {
    config: file(`[profiles.web]\nhost = "other"\n`, 'project.toml'),
    pii: file(`[[mask]]\npattern = 'p+'\n[[allow]]\nkind = "ip"\nvalue = "::1"\n`, 'project-pii.toml'),
  };
  it('replaces a user’s profile as a whole and keeps it for comparison', () => {
    const loaded = loadPolicy(sampleProfile, { project, user }, 'web', options);
    expect(loaded.ok && loaded.value).toMatchObject({
      source: 'project',
      policy: { host: 'other', exec: false, pii: { mask: ['p+', 'u+'] } },
      replaces: { host: 'web1', exec: true, pii: { mask: ['u+'], allow: [] } },
    });
  });
  it('adds a project’s rules to a user’s profile', () => {
    const loaded = loadPolicy(sampleProfile, { project, user }, 'db', options);
    expect(loaded.ok && loaded.value).toMatchObject({
      source: 'user',
      policy: { pii: { mask: ['p+', 'u+'] } },
    });
    expect(loaded.ok && loaded.value.replaces).toBeUndefined();
  });
  it('refuses everything when one of the files is broken', () => {
    const broken = { project: { config: file('x') }, user };
    expect(loadPolicy(sampleProfile, broken, 'db', options).ok).toBe(false);
  });
  it('says when there is no such profile', () => {
    const loaded = loadPolicy(sampleProfile, { project, user }, 'toString', options);
    expect(!loaded.ok && loaded.problems[0]?.code).toBe('no_profile');
  });
});
