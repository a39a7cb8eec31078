import * as fc from 'fast-check';
import { ALL_DETECTORS, DEFAULT_DETECTORS } from 'lockkit/detectors';
import { parseAllowValue, parseDetectorName } from 'lockkit/masking';
import {
  checkPolicyFile,
  comparePolicies,
  diffPolicies,
  fingerprint,
  loadPolicies,
  meetPolicies,
  verdictOf,
} from 'lockkit/policy';
import { describe, expect, it } from 'vitest';
import { PII_KINDS } from './detector-kinds.js';
import { sshProfile, type SshPolicy } from './profile.js';

const options = { checkPattern: () => null };
const file = (toml: string) => ({ config: { name: 'config.toml', bytes: Buffer.from(toml) } });
const head = '[profiles.web]\nhost = "web1.example.com"\nuser = "deploy"\n';

function problems(toml: string) {
  const got = loadPolicies(sshProfile, { project: file(toml) }, options);
  return got.ok ? [] : got.problems.map(({ code, key }) => `${code} ${key ?? ''}`);
}

function load(toml: string): SshPolicy {
  const got = loadPolicies(sshProfile, { project: file(toml) }, options);
  const policy = got.ok ? got.value.get('web')?.policy : undefined;
  if (policy === undefined) throw new Error('does not load');
  return policy;
}

describe('sshProfile: defaults of the page', () => {
  it('are those of the smallest profile', () => {
    expect(load(head)).toEqual({
      host: 'web1.example.com',
      port: 22,
      user: 'deploy',
      auth: 'key',
      key: '~/.ssh/id_ed25519',
      credentials: 'none',
      vault_path: '',
      known_hosts: '',
      production: false,
      exec: false,
      allow: [[]],
      detectors: ['card', 'email', 'iban', 'ip', 'phone', 'secret'],
      limits: {
        request_timeout: 30_000,
        max_output_bytes: 65_536,
        idle_timeout: 1_200_000,
        max_session: 14_400_000,
      },
      auto: { connect: 'ask', run: 'auto', exec: 'ask', unmask: 'ask' },
      pii: { mask: [], allow: [] },
    });
  });
  it('ask for a password where the login is one', () => {
    expect(load(`${head}auth = "password"\n`)).toMatchObject({ credentials: 'ask', key: '' });
  });
  it('are spelled out on the page with the same meaning', () => {
    const page = `[profiles.web]
host        = "web1.example.com"
port        = 22
user        = "deploy"
auth        = "key"
key         = "~/.ssh/id_ed25519"
credentials = "none"
vault_path  = ""
known_hosts = ""
production  = false
exec        = false
detectors   = ["card", "email", "iban", "ip", "phone", "secret"]
[profiles.web.limits]
request_timeout  = "30s"
max_output_bytes = 65536
idle_timeout     = "20m"
max_session      = "4h"
[profiles.web.auto]
connect = "ask"
run     = "auto"
exec    = "ask"
unmask  = "ask"
`;
    expect(fingerprint(load(page))).toBe(fingerprint(load(head)));
  });
  it('full-auto sets every action to auto that a rule may decide', () => {
    expect(load(`${head}auto = "full-auto"\n`).auto).toEqual({
      connect: 'auto',
      run: 'auto',
      exec: 'auto',
      unmask: 'ask',
    });
  });
});

describe('sshProfile: the kinds of value', () => {
  it.each(ALL_DETECTORS)('%s is a detector that a profile may name, and one more only tightens', (name) => {
    expect(parseDetectorName(name)).toBe(name);
    const others = ALL_DETECTORS.filter((other) => other !== name);
    const one = load(`${head}detectors = ${JSON.stringify(others)}\n`);
    const more = load(`${head}detectors = ${JSON.stringify(ALL_DETECTORS)}\n`);
    expect(verdictOf(compare(one, more))).toBe('tightens');
    expect(verdictOf(compare(more, one))).toBe('loosens');
    expect(meetPolicies(sshProfile, one, more)).toMatchObject({ detectors: more.detectors });
  });
  it('of a new profile are the six of the page; the others are added by name', () => {
    expect(load(head).detectors).toEqual([...DEFAULT_DETECTORS].toSorted());
    expect(DEFAULT_DETECTORS).toEqual(['card', 'email', 'iban', 'ip', 'phone', 'secret']);
  });
  it('of an allow rule in pii.toml are all but secret, and the masker knows each', () => {
    const pii = (kind: string) =>
      loadPolicies(
        sshProfile,
        {
          project: {
            ...file(head),
            pii: { name: 'pii.toml', bytes: Buffer.from(`[[allow]]\nkind = "${kind}"\nvalue = "x"\n`) },
          },
        },
        options,
      ).ok;
    expect(ALL_DETECTORS.filter(pii)).toEqual(PII_KINDS);
    expect(PII_KINDS).toEqual(ALL_DETECTORS.filter((kind) => kind !== 'secret'));
    expect(PII_KINDS.filter((kind) => !parseAllowValue(kind, 'x').ok)).toEqual([]);
  });
});

describe('sshProfile: what is refused', () => {
  it.each<[string, string]>([
    ['production = true\n[profiles.web.auto]\nexec = "auto"\n', 'conflict profiles.web.auto'],
    ['production = true\nauto = "full-auto"\n', 'conflict profiles.web.auto'],
    ['auth = "password"\ncredentials = "none"\n', 'conflict profiles.web.credentials'],
    ['auth = "password"\nkey = "~/.ssh/id"\n', 'conflict profiles.web.key'],
    ['key = ""\n', 'conflict profiles.web.key'],
    ['credentials = "vault"\n', 'conflict profiles.web.vault_path'],
    ['auto = {unmask = "auto"}\n', 'bad_value profiles.web.auto.unmask'],
    ['auto = "auto"\n', 'bad_value profiles.web.auto'],
    ['allow = ["eval x"]\n', 'bad_value profiles.web.allow[1]'],
    ['allow = ["ls", "ls [a"]\n', 'bad_value profiles.web.allow[2]'],
    ['limits = {request_timeout = "10m1s"}\n', 'bad_value profiles.web.limits.request_timeout'],
    ['limits = {max_output_bytes = 524289}\n', 'bad_value profiles.web.limits.max_output_bytes'],
    ['limits = {idle_timeout = "0s"}\n', 'bad_value profiles.web.limits.idle_timeout'],
    ['limits = {max_session = "169h"}\n', 'bad_value profiles.web.limits.max_session'],
    ['port = 0\n', 'bad_value profiles.web.port'],
    ['detectors = ["ssn"]\n', 'bad_value profiles.web.detectors[1]'],
    ['password = "x"\n', 'secret_key profiles.web.password'],
    ['passphrase = "x"\n', 'secret_key profiles.web.passphrase'],
  ])('%j', (lines, problem) => {
    expect(problems(head + lines)).toContain(problem);
  });
  it('says where a rule stops being one', () => {
    const got = loadPolicies(sshProfile, { project: file(`${head}allow = ["ls [a"]\n`) }, options);
    expect(!got.ok && got.problems[0]?.message).toMatch(/column \d/);
  });
  it('takes 2,000 rules and says that more are too many', () => {
    const rules = (count: number) =>
      Array.from({ length: count }, (_, index) => `"a ${String(index)}"`).join(',');
    expect(problems(`${head}allow = [${rules(2_000)}]\n`)).toEqual([]);
    expect(problems(`${head}allow = [${rules(2_001)}]\n`)).toEqual(['too_many profiles.web.allow']);
  });
  it('takes production with every other setting', () => {
    expect(problems(`${head}production = true\nexec = true\n[profiles.web.auto]\nexec = "ask"\n`)).toEqual(
      [],
    );
  });
});

describe('sshProfile: what a change means', () => {
  const base = `${head}allow = ["uptime", "ls *"]\n`;
  it.each<[string, string, string]>([
    ['allow = ["uptime"]', 'allow = ["uptime", "df -h"]', 'loosens'],
    ['allow = ["uptime", "df -h"]', 'allow = ["uptime"]', 'tightens'],
    ['allow = ["systemctl status *"]', 'allow = ["systemctl status nginx"]', 'tightens'],
    ['allow = ["ls *"]', 'allow = ["ls **"]', 'loosens'],
    ['allow = ["cat a"]', 'allow = ["cat b"]', 'loosens'],
    ['allow = ["a", "b"]', 'allow = ["b", "a", "a"]', 'same'],
    ['allow = ["ls [ab]"]', 'allow = ["ls a", "ls b"]', 'same'],
    ['', 'exec = true', 'loosens'],
    ['exec = true', '', 'tightens'],
    ['', 'production = true', 'tightens'],
    ['production = true', '', 'loosens'],
    ['', 'port = 2222', 'loosens'],
    ['', 'key = "~/.ssh/other"', 'loosens'],
    ['', 'known_hosts = "/etc/kh"', 'loosens'],
    ['known_hosts = "/etc/kh"', '', 'loosens'],
    ['', 'detectors = ["card"]', 'loosens'],
    ['', 'detectors = ["card", "email", "iban", "ip", "phone", "secret", "mac"]', 'tightens'],
    ['', 'credentials = "ask"', 'tightens'],
    ['credentials = "ask"', 'credentials = "keychain"', 'loosens'],
    ['', 'auto = {run = "ask"}', 'tightens'],
    ['', 'auto = {connect = "auto"}', 'loosens'],
    ['', 'auto = {unmask = "deny"}', 'tightens'],
    ['', 'limits = {request_timeout = "30001ms"}', 'loosens'],
    ['', 'limits = {max_output_bytes = 65537}', 'loosens'],
    ['', 'limits = {max_session = "1h"}', 'tightens'],
    ['', 'limits = {request_timeout = "0.5m"}', 'same'],
  ])('%s → %s %s', (before, after, verdict) => {
    const got = diffPolicies(sshProfile, file(`${head}${before}\n`), file(`${head}${after}\n`), options);
    expect(got.ok && got.value.verdict).toBe(verdict);
  });
  it('shows a witness of a wider rule', () => {
    const got = diffPolicies(sshProfile, file(base), file(base.replace('ls *', 'ls **')), options);
    expect(got.ok && got.value.changes).toMatchObject([{ path: 'profiles.web.allow', witness: ['ls'] }]);
  });
  it('remarks on risky rules', () => {
    const got = checkPolicyFile(sshProfile, file(`${head}allow = ["find **", "uptime"]\n`), options);
    expect(got.remarks).toMatchObject([{ key: 'profiles.web.allow', subject: 'find **' }]);
  });
});

const rules = ['uptime', 'ls *', 'ls a*', 'ls [ab]', 'ls **', 'cat /var/log/*', 'systemctl status nginx'];
const policies = fc
  .record({
    allow: fc.array(fc.subarray(rules), { minLength: 1, maxLength: 2 }),
    exec: fc.boolean(),
    production: fc.boolean(),
    host: fc.constantFrom('web1', 'web2'),
    run: fc.constantFrom<'auto' | 'ask' | 'deny'>('auto', 'ask', 'deny'),
    detectors: fc.subarray([...ALL_DETECTORS]),
  })
  .map(({ run, ...rest }): SshPolicy => {
    const base = load(head);
    return { ...base, ...rest, auto: { ...base.auto, run } };
  });
const compare = (a: SshPolicy, b: SshPolicy) => comparePolicies(sshProfile, a, b);
const below = (inner: SshPolicy, outer: SshPolicy) => verdictOf(compare(outer, inner)) !== 'loosens';

describe('sshProfile: laws over whole policies', () => {
  it('compares reflexively, and same exactly when each is at most the other', () => {
    fc.assert(
      fc.property(policies, policies, (a, b) => {
        expect(compare(a, a)).toEqual([]);
        expect(verdictOf(compare(a, b)) === 'same').toBe(below(a, b) && below(b, a));
      }),
    );
  });
  it('meets below the approved policy, comes to rest, and never joins what must not go together', () => {
    fc.assert(
      fc.property(policies, policies, (a, b) => {
        const met = meetPolicies(sshProfile, a, b);
        expect(below(met, a)).toBe(true);
        const above = compare(b, met).filter(({ direction }) => direction === 'loosens');
        expect(above.every(({ path }) => path === 'host')).toBe(true);
        expect(fingerprint(meetPolicies(sshProfile, met, b))).toBe(fingerprint(met));
        expect(sshProfile.checks(met)).toEqual([]);
      }),
    );
  });
});
