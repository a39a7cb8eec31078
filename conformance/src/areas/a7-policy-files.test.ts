// The cases of A7 that are told in words: files on a real disk, an approval in a real store, and changes by class.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  addMaskRule,
  approvePolicy,
  decidePolicy,
  diffPolicies,
  loadPolicies,
  loadPolicy,
  openPolicySources,
  openPolicyStore,
  type PolicyDecision,
  type PolicyKey,
} from 'lockkit/policy';
import { sshProfile, type SshPolicy } from '@lockkit/lockssh/profile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const uid = process.getuid?.() ?? 0;
const options = { checkPattern: () => null };
const web = '[profiles.web]\nhost = "web1.example.com"\nuser = "deploy"\nexec = false\nallow = ["ls *"]\n';

let top: string;
let root: string;
let config: string;
let key: PolicyKey;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'a7-'));
  chmodSync(top, 0o755);
  root = join(top, 'project');
  config = join(root, '.lockssh', 'config.toml');
  key = { projectRoot: root, profile: 'web' };
  mkdirSync(dirname(config), { recursive: true });
  write(web);
});
afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});

const write = (text: string) => writeFileSync(config, text, { mode: 0o644 });
const sources = () =>
  openPolicySources({ lock: 'lockssh', projectRoot: root, home: join(top, 'home'), uid, trustedGids: [] });
const store = () => openPolicyStore({ folder: join(top, 'state'), definition: sshProfile, uid });

/** What a console does before a request: read, decide, save. */
function decide(): PolicyDecision<SshPolicy> {
  const read = sources();
  const file = read.ok ? loadPolicy(sshProfile, read.value, 'web', options) : read;
  const decision = decidePolicy(sshProfile, { state: store().read(key), file });
  if (decision.kind === 'in_force' && decision.next !== undefined) store().write(key, decision.next);
  return decision;
}

/** The human's yes to what is in the file. */
function approve(): SshPolicy {
  const decision = decide();
  if (decision.kind !== 'first') throw new Error('not a first start');
  store().write(key, approvePolicy(store().read(key), decision.file.policy));
  return decision.file.policy;
}

const problemCodes = () => {
  const read = sources();
  return read.ok ? [] : read.problems.map(({ code }) => code);
};

describe('A7: the file after the approval', () => {
  it('A7-089: an edit after the approval leaves the approved policy in force and waits', () => {
    const approved = approve();
    write(web.replace('exec = false', 'exec = true'));
    expect(decide()).toMatchObject({
      kind: 'in_force',
      inForce: { policy: approved },
      pending: { waiting: [{ path: 'exec', direction: 'loosens' }] },
    });
  });

  it('A7-090: an edit that keeps size and times is seen, and one that is taken back leaves nothing', () => {
    const approved = approve();
    const stamp = new Date('2026-01-01T00:00:00Z');
    utimesSync(config, stamp, stamp);
    write(web.replace('deploy', 'deplox'));
    utimesSync(config, stamp, stamp);
    expect(decide()).toMatchObject({ inForce: { policy: approved }, pending: { endsSession: true } });
    write(web);
    utimesSync(config, stamp, stamp);
    expect(decide()).toMatchObject({ kind: 'in_force', inForce: { policy: approved } });
    expect(decide()).not.toHaveProperty('pending');
  });

  it('A7-096: a file that cannot be read any more opens nothing and loses nothing', () => {
    const approved = approve();
    chmodSync(config, 0o200);
    if (uid === 0) process.seteuid?.(65_534);
    const read = sources();
    if (uid === 0) process.seteuid?.(0);
    expect(!read.ok && read.problems[0]?.code).toBe('unreadable');
    const state = store().read(key);
    const file = read.ok ? loadPolicy(sshProfile, read.value, 'web', options) : read;
    expect(decidePolicy(sshProfile, { state, file })).toMatchObject({ kind: 'broken' });
    expect(state.approved?.policy).toEqual(approved);
    chmodSync(config, 0o644);
    expect(decide()).toMatchObject({ kind: 'in_force', inForce: { policy: approved } });
  });

  it('A7-097: whatever a partial write leaves, nothing more than the approved policy is ever in force', () => {
    const approved = approve();
    const saved = store().read(key);
    for (let length = 0; length < web.length; length += 1) {
      store().write(key, saved);
      write(web.slice(0, length));
      const decision = decide();
      expect(decision.kind).not.toBe('first');
      if (decision.kind !== 'in_force') continue;
      const loosens = { ...approved, allow: decision.inForce.policy.allow };
      expect(decision.inForce.policy).toEqual(loosens);
      expect([[['ls *']], [[]]]).toContainEqual(decision.inForce.policy.allow);
    }
  });
});

describe('A7: whose files', () => {
  it('A7-091: a config.toml that is a link to a file outside is refused', () => {
    renameSync(config, join(top, 'outside.toml'));
    symlinkSync(join(top, 'outside.toml'), config);
    expect(problemCodes()).toEqual(['unsafe_file']);
  });
  it('A7-092: a .lockssh that is a link is refused', () => {
    renameSync(join(root, '.lockssh'), join(top, 'elsewhere'));
    symlinkSync(join(top, 'elsewhere'), join(root, '.lockssh'));
    expect(problemCodes()).toEqual(['unsafe_file']);
  });
  it('A7-093: a FIFO or a device is refused without waiting for it', () => {
    rmSync(config);
    execFileSync('mkfifo', [config]);
    expect(problemCodes()).toEqual(['unsafe_file']);
    if (uid !== 0) return;
    rmSync(config);
    execFileSync('mknod', [config, 'c', '1', '3']);
    expect(problemCodes()).toEqual(['unsafe_file']);
  });

  const user = () => join(top, 'home', '.config', 'lockssh', 'config.toml');
  const writeUser = () => {
    mkdirSync(dirname(user()), { recursive: true });
    writeFileSync(user(), web, { mode: 0o644 });
  };
  it('A7-094: a world-writable user config is refused', () => {
    writeUser();
    expect(problemCodes()).toEqual([]);
    chmodSync(user(), 0o666);
    expect(problemCodes()).toEqual(['unsafe_file']);
  });
  it.runIf(uid === 0)('A7-095: a user config of another account is refused', () => {
    writeUser();
    chownSync(user(), 12_345, 12_345);
    expect(problemCodes()).toEqual(['unsafe_file']);
  });
});

describe('A7: pii add', () => {
  it('A7-098: a pattern full of TOML adds one mask rule and nothing else', () => {
    const place = { folder: dirname(config), guard: { trustedGids: [], maxBytes: 1 << 20 } };
    const pattern = `x"'\n[[allow]]\nkind = "email"\nvalue = "a@b.c"\n#]]\\`;
    expect(addMaskRule(sshProfile, place, pattern, options)).toEqual({ ok: true, value: true });
    const pii = { name: 'pii.toml', bytes: readFileSync(join(place.folder, 'pii.toml')) };
    const files = { config: { name: 'config.toml', bytes: Buffer.from(web) }, pii };
    const loaded = loadPolicies(sshProfile, { project: files }, options);
    expect(loaded.ok && loaded.value.get('web')?.policy.pii).toEqual({ mask: [pattern], allow: [] });
  });
});

describe('A7: the class of a change', () => {
  const classOf = (before: string, after: string, pii = ['', '']) => {
    const head = '[profiles.web]\nhost = "WEB1"\nuser = "deploy"\n';
    const files = (lines: string, rules: string) => ({
      config: { name: 'c', bytes: Buffer.from(`${head}${lines}\n`) },
      pii: { name: 'p', bytes: Buffer.from(rules) },
    });
    const got = diffPolicies(sshProfile, files(before, pii[0] ?? ''), files(after, pii[1] ?? ''), options);
    if (!got.ok) throw new Error('does not load');
    return got.value.verdict;
  };
  it.each<[string, string, string, string]>([
    ['A7-099: ls * replaced by ls **', 'allow = ["ls *"]', 'allow = ["ls **"]', 'loosens'],
    ['A7-100: cat a replaced by cat b', 'allow = ["cat a"]', 'allow = ["cat b"]', 'loosens'],
    ['A7-101: the order of rules', 'allow = ["a", "b"]', 'allow = ["b", "a"]', 'same'],
    ['A7-102: a larger limit', '', 'limits = {max_output_bytes = 65537}', 'loosens'],
    ['A7-103: production turned on', '', 'production = true', 'tightens'],
    ['A7-104: another known_hosts', '', 'known_hosts = "/tmp/kh"', 'loosens'],
    ['A7-105: run from auto to ask', '', 'auto = {run = "ask"}', 'tightens'],
    ['A7-108: another key path', 'key = "~/a"', 'key = "~/b"', 'loosens'],
    ['A7-109: one rule added and one removed', 'allow = ["a", "b"]', 'allow = ["b", "c"]', 'loosens'],
    ['A7-110: comments and layout', 'allow = ["a", "b"]', '# c\nallow = [\n "a",\n "b", # d\n]', 'same'],
  ])('%s', (_title, before, after, verdict) => {
    expect(classOf(before, after)).toBe(verdict);
  });
  it('A7-106: letter case of the host', () => {
    const files = (host: string) => ({
      config: { name: 'c', bytes: Buffer.from(`[profiles.web]\nhost = "${host}"\nuser = "u"\n`) },
    });
    const got = diffPolicies(sshProfile, files('WEB1'), files('web1'), options);
    expect(got.ok && got.value.verdict).toBe('loosens');
  });
  it('A7-107: a mask rule removed', () => {
    expect(classOf('', '', [`[[mask]]\npattern = 'a'\n`, ''])).toBe('loosens');
    expect(classOf('', '', ['', `[[mask]]\npattern = 'a'\n`])).toBe('tightens');
  });
  it('A7-109: the removal applies at once, the addition waits', () => {
    write(web.replace('"ls *"', '"uptime", "df"'));
    approve();
    write(web.replace('"ls *"', '"df", "ls"'));
    expect(decide()).toMatchObject({
      inForce: {
        policy: {
          allow: [
            ['df', 'ls'],
            ['df', 'uptime'],
          ],
        },
      },
      pending: { waiting: [{ path: 'allow', witness: ['ls'] }] },
    });
  });
});
