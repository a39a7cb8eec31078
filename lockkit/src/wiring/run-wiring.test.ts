import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AGENT_NAMES, type AgentName } from './agent-name.js';
import { checkWiring, detectAgents, runWiring, type WiringResult } from './run-wiring.js';
import type { WiredLock } from './wired-lock.js';

const lock: WiredLock = {
  name: 'lockdemo',
  command: ['lockdemo', 'mcp'],
  summary: 'asks: a "quoted" question',
  instructions: ['Send an argv, never a shell line.'],
  readOnlyTools: ['lockdemo_status'],
};

let base = '';
let root = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'wiring-'));
  root = join(base, 'project');
  mkdirSync(root);
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function put(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const get = (path: string): string => readFileSync(join(root, path), 'utf8');
const wire = (...agents: readonly AgentName[]): WiringResult => runWiring({ root, agents, lock });
const statuses = (result: WiringResult): Readonly<Record<string, string>> =>
  Object.fromEntries(result.files.map(({ path, status }) => [path, status]));

function tree(folder = root): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Every file with its bytes, to prove that nothing changed. */
function snapshot(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tree(base).map((path) => [path, lstatSync(path).isFile() ? readFileSync(path, 'hex') : 'x']),
  );
}

test('runWiring: an empty project gets every agent’s files, with time for a human', () => {
  const result = wire(...AGENT_NAMES);
  expect(result.ok).toBe(true);
  expect(new Set(result.files.map(({ status }) => status))).toEqual(new Set(['created']));
  const server = { command: 'lockdemo', args: ['mcp'] };
  expect(parseJsonc(get('.mcp.json'))).toEqual({
    mcpServers: { lockdemo: { type: 'stdio', ...server, timeout: 600000 } },
  });
  expect(JSON.parse(get('.cursor/mcp.json'))).toEqual({
    mcpServers: { lockdemo: { type: 'stdio', ...server } },
  });
  const gemini = { ...server, timeout: 600000, trust: false };
  expect(JSON.parse(get('.gemini/settings.json'))).toEqual({ mcpServers: { lockdemo: gemini } });
  const codex = { ...server, startup_timeout_sec: 30, tool_timeout_sec: 600 };
  expect(parseToml(get('.codex/config.toml'))).toEqual({ mcp_servers: { lockdemo: codex } });
  expect(JSON.parse(get('.claude/settings.json'))).toEqual({
    permissions: { allow: ['mcp__lockdemo__lockdemo_status'], ask: ['Edit(.lockdemo/**)'] },
  });
});

test.each(['.claude/skills/lockdemo/SKILL.md', 'AGENTS.md', '.cursor/rules/lockdemo.mdc', 'GEMINI.md'])(
  'runWiring: %s holds the four shared instructions and the lock’s own',
  (path) => {
    wire(...AGENT_NAMES);
    const text = get(path);
    for (const words of ['user asked', 'denial is final', 'untrusted', 'policy', 'Send an argv']) {
      expect(text).toContain(words);
    }
  },
);

test.each(AGENT_NAMES)('runWiring %s: a second run changes nothing', (agent) => {
  wire(agent);
  const before = snapshot();
  const again = wire(agent);
  expect(again.ok).toBe(true);
  expect(new Set(again.files.map(({ status }) => status))).toEqual(new Set(['unchanged']));
  expect(snapshot()).toEqual(before);
});

test('runWiring: comments, order, tabs and CRLF stay; other entries stay', () => {
  const mcp =
    '{\r\n\t// ours\r\n\t"mcpServers": {\r\n\t\t"z": { "command": "z" }, // last\r\n\t\t"a": { "command": "a" }\r\n\t},\r\n\t"other": 1,\r\n}\r\n';
  put('.mcp.json', mcp);
  const toml = '# top\r\nmodel = "x" # why\r\n\r\n[mcp_servers.z]\r\ncommand = "z"\r\n';
  put('.codex/config.toml', toml);
  put('AGENTS.md', '# Rules\r\n\r\nkeep me');
  expect(wire('claude', 'codex').ok).toBe(true);
  expect(get('.mcp.json')).toContain('// ours');
  expect(get('.mcp.json')).toContain('// last');
  expect(get('.mcp.json').replaceAll('\r\n', '')).not.toContain('\n');
  expect(Object.keys(parseJsonc(get('.mcp.json')).mcpServers)).toEqual(['z', 'a', 'lockdemo']);
  expect(get('.codex/config.toml').startsWith(toml)).toBe(true);
  expect(get('AGENTS.md').startsWith('# Rules\r\n\r\nkeep me')).toBe(true);
  expect(get('AGENTS.md').replaceAll('\r\n', '')).not.toContain('\n');
});

test('runWiring: a byte-order mark stays and does not count as a fault', () => {
  put('.mcp.json', '\uFEFF{}\n');
  put('.codex/config.toml', '\uFEFFmodel = "x"\n');
  expect(wire('claude', 'codex').ok).toBe(true);
  expect(get('.mcp.json').startsWith('\uFEFF{')).toBe(true);
  expect(get('.codex/config.toml').startsWith('\uFEFFmodel')).toBe(true);
});

test('runWiring: an existing entry of the same name is kept', () => {
  put('.mcp.json', '{"mcpServers":{"lockdemo":{"command":"mine"}}}');
  put('.codex/config.toml', '[mcp_servers.lockdemo]\ncommand = "mine"\n');
  put('.cursor/rules/lockdemo.mdc', 'mine');
  put('GEMINI.md', '<!-- lockdemo:begin -->\nmine\n<!-- lockdemo:end -->\n');
  const result = wire(...AGENT_NAMES);
  expect(result.ok).toBe(true);
  expect(statuses(result)).toMatchObject({
    '.mcp.json': 'kept',
    '.codex/config.toml': 'kept',
    '.cursor/rules/lockdemo.mdc': 'kept',
    'GEMINI.md': 'kept',
  });
  expect(get('.mcp.json')).toBe('{"mcpServers":{"lockdemo":{"command":"mine"}}}');
});

test('runWiring: permission lists only grow', () => {
  put(
    '.claude/settings.json',
    '{"permissions": {"allow": ["Bash(ls)", "mcp__lockdemo__lockdemo_status"], "deny": ["x"]}}',
  );
  expect(wire('claude').ok).toBe(true);
  expect(JSON.parse(get('.claude/settings.json'))).toEqual({
    permissions: {
      allow: ['Bash(ls)', 'mcp__lockdemo__lockdemo_status'],
      deny: ['x'],
      ask: ['Edit(.lockdemo/**)'],
    },
  });
});

test.each<[string, AgentName, string, string | Buffer]>([
  ['JSON that is cut off', 'claude', '.mcp.json', '{"mcpServers": {'],
  ['JSON of another kind', 'claude', '.mcp.json', '[]'],
  ['servers that are a list', 'claude', '.mcp.json', '{"mcpServers": []}'],
  ['servers that are null', 'claude', '.mcp.json', '{"mcpServers": null}'],
  ['a key that stands twice', 'claude', '.mcp.json', '{"mcpServers": {}, "mcpServers": {"lockdemo": {}}}'],
  ['permissions that are a text', 'claude', '.claude/settings.json', '{"permissions": "all"}'],
  ['an allow list that is a text', 'claude', '.claude/settings.json', '{"permissions": {"allow": "all"}}'],
  ['TOML that does not parse', 'codex', '.codex/config.toml', 'model = \n'],
  ['servers as an inline table', 'codex', '.codex/config.toml', 'mcp_servers = { z = { command = "z" } }\n'],
  ['servers that are a number', 'codex', '.codex/config.toml', 'mcp_servers = 5\n'],
  ['bytes that are no UTF-8', 'gemini', 'GEMINI.md', Buffer.from([0x61, 0xff, 0xfe])],
  ['a NUL byte', 'gemini', 'GEMINI.md', 'a\0b'],
  ['a file of 2 MiB', 'cursor', '.cursor/mcp.json', ' '.repeat(2 * 1024 * 1024)],
])('runWiring: %s is named and nothing is written for any agent', (_name, agent, path, content) => {
  put(path, content);
  const before = snapshot();
  const result = wire(...AGENT_NAMES);
  expect(result.ok).toBe(false);
  const refused = result.files.filter(({ status }) => status === 'refused');
  expect(refused.map((file) => [file.agent, file.path])).toEqual([[agent, path]]);
  expect(refused[0]?.reason).toMatch(/\S/u);
  expect(result.files.filter(({ status }) => status === 'created' || status === 'updated')).toEqual([]);
  expect(snapshot()).toEqual(before);
});

test.each<[string, () => void]>([
  [
    'a file that is a link out of the project',
    () => symlinkSync(join(base, 'outside.json'), join(root, '.mcp.json')),
  ],
  ['a folder that is a link out of the project', () => symlinkSync(base, join(root, '.claude'))],
  ['a link that leads nowhere', () => symlinkSync('nowhere', join(root, '.mcp.json'))],
  ['a link that leads nowhere inside', () => symlinkSync(join(root, 'x/y'), join(root, '.claude'))],
  ['a link to itself', () => symlinkSync('.mcp.json', join(root, '.mcp.json'))],
  [
    'a link to a prefix of the project’s name',
    () => (mkdirSync(`${root}2`), symlinkSync(`${root}2`, join(root, '.claude'))),
  ],
  ['a folder in place of the file', () => mkdirSync(join(root, '.mcp.json'))],
  ['a fifo in place of the file', () => void execFileSync('mkfifo', [join(root, '.mcp.json')])],
  ['a file in place of the folder', () => put('.claude', 'x')],
])('runWiring: %s is refused and nothing is written', (_name, arrange) => {
  writeFileSync(join(base, 'outside.json'), '{}');
  arrange();
  const before = snapshot();
  expect(wire('claude').ok).toBe(false);
  expect(snapshot()).toEqual(before);
  expect(readFileSync(join(base, 'outside.json'), 'utf8')).toBe('{}');
});

test('runWiring: a link inside the project is followed and stays a link', () => {
  put('config/mcp.json', '{}');
  symlinkSync('config/mcp.json', join(root, '.mcp.json'));
  expect(wire('claude').ok).toBe(true);
  expect(lstatSync(join(root, '.mcp.json')).isSymbolicLink()).toBe(true);
  expect(get('config/mcp.json')).toContain('lockdemo');
});

test('runWiring: mode stays, and no temporary file is left', () => {
  put('.mcp.json', '{}');
  chmodSync(join(root, '.mcp.json'), 0o600);
  wire('claude');
  expect(statSync(join(root, '.mcp.json')).mode & 0o777).toBe(0o600);
  expect(tree().filter((path) => path.endsWith('.tmp'))).toEqual([]);
});

test('runWiring: a write that fails leaves no file and no folder behind', () => {
  // A name that is too long for the file system fails in the middle of the plan, after other files were staged.
  const long: WiredLock = { ...lock, name: `l${'o'.repeat(250)}` };
  const result = runWiring({ root, agents: ['codex', 'cursor'], lock: long });
  expect(result.ok).toBe(false);
  expect(result.files.filter(({ status }) => status === 'created')).toEqual([]);
  expect(readdirSync(root)).toEqual([]);
});

/** Only root may mount; elsewhere the two tests say that they were skipped. */
const onOwnDisk = test.skipIf(process.getuid?.() !== 0);

function mountDisk(options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', root]);
}

onOwnDisk('runWiring: a disk that fills up in the middle leaves everything as it was', () => {
  mountDisk('size=16k');
  try {
    // One page is left: the first file fits, a later one does not.
    put('GEMINI.md', 'x'.repeat(8000));
    const before = snapshot();
    const result = wire(...AGENT_NAMES);
    expect(result.ok).toBe(false);
    expect(result.files.filter(({ status }) => status === 'failed')).toHaveLength(1);
    expect(result.files.filter(({ status }) => status === 'created' || status === 'updated')).toEqual([]);
    expect(snapshot()).toEqual(before);
    expect(readdirSync(root)).toEqual(['GEMINI.md']);
  } finally {
    execFileSync('umount', [root]);
  }
});

onOwnDisk('runWiring: a project that is read-only is named and stays', () => {
  mountDisk('size=64k');
  try {
    execFileSync('mount', ['-o', 'remount,ro', root]);
    const result = wire('codex');
    expect(result.ok).toBe(false);
    expect(result.files.map(({ status }) => status)).toEqual(['failed', 'skipped']);
    expect(readdirSync(root)).toEqual([]);
  } finally {
    execFileSync('umount', [root]);
  }
});

test('checkWiring: tells the plan and writes nothing', () => {
  const result = checkWiring({ root, agents: ['codex'], lock });
  expect(result.ok).toBe(true);
  expect(new Set(result.files.map(({ status }) => status))).toEqual(new Set(['skipped']));
  expect(existsSync(join(root, '.codex'))).toBe(false);
});

test('detectAgents: by what lies in the project', () => {
  expect(detectAgents(root)).toEqual([]);
  put('CLAUDE.md', 'x');
  put('.gemini/settings.json', '{}');
  expect(detectAgents(root)).toEqual(['claude', 'gemini']);
});

test('runWiring: an agent named twice is wired once', () => {
  expect(wire('codex', 'codex').files).toHaveLength(2);
});
