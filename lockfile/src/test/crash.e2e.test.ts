// A console that dies by SIGKILL in the middle of a run: the plugin dies with it, the fetched file is gone at the next
// start, and the log verifies and says that the run's end is unknown.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEMO_SOCKET_DIR } from 'lockkit/agent';
import { verifyAudit } from 'lockkit/audit';
import { openBinaryStore } from 'lockkit/sandbox';
import { auditFolder } from 'lockkit/setting';
import { installPlugin } from '../plugin/install-plugin.js';
import { usableKernel } from './built-plugins.js';
import { childrenOf, isAlive } from './processes.js';
import { makeTestFolders, runCommand, type TestFolders } from './test-console.js';

const LIMITS = '[profiles.samples.limits]\nanswer_quantum = "250ms"\n';
const PATIENT = { timeout: 30_000 };
let folders: TestFolders;
const consoles: ChildProcess[] = [];

async function installHanging({ folder, pluginsDir }: TestFolders): Promise<void> {
  const binaryPath = join(folder, 'misbehave');
  const source = fileURLToPath(new URL('misbehave.c', import.meta.url));
  execFileSync('gcc', ['-O1', '-static', '-o', binaryPath, source]);
  const manifestPath = join(folder, 'plugin.toml');
  writeFileSync(
    manifestPath,
    'name = "test.hangs"\nversion = "1.0.0"\nprotocol = 1\nquestion = "Does it?"\none = "y"\nzero = "n"\nlimits = { timeout_s = 200 }\n',
  );
  const store = openBinaryStore(usableKernel());
  await installPlugin({ manifestPath, binaryPath, marketplace: 'local' }, pluginsDir, store);
  store.close();
}

/** Resolves once agents may ask. */
async function startConsole(): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('console-process.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(folders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  consoles.push(child);
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('the console did not start')));
  await Promise.race([once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data'), gone]);
  gone.catch(() => undefined);
  return child;
}

const workspaceFiles = (): readonly string[] =>
  readdirSync(join(folders.demo.stateDir, 'workspace'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('/file'),
  );

beforeEach(async () => {
  folders = await makeTestFolders(LIMITS);
  await installHanging(folders);
  writeFileSync(join(folders.root, 'order'), 'hang');
});
afterEach(() => {
  for (const child of consoles.splice(0)) child.kill('SIGKILL');
  rmSync(folders.folder, { recursive: true, force: true });
});

test('a killed console leaves no plugin, no file after the next start, and a log that verifies', async () => {
  const { projectRoot, demo, folder } = folders;
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, [DEMO_SOCKET_DIR]: demo.socketDir };
  const child = await startConsole();
  const pid = child.pid as number;
  const asked = runCommand(
    ['plan', '--key', 'order', '--plugin', 'test.hangs', '--run', '--json'],
    projectRoot,
    env,
  );
  await expect.poll(() => childrenOf(pid).length, PATIENT).toBe(1);
  await expect.poll(() => workspaceFiles().length, PATIENT).toBe(1);
  const plugin = childrenOf(pid)[0] as number;
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect.poll(() => isAlive(plugin), PATIENT).toBe(false);
  const answer = await asked;
  expect([answer.exit, answer.json.error.code]).toStrictEqual([1, 'E_CONNECTION']);
  expect(workspaceFiles()).toHaveLength(1);

  await startConsole();
  expect(workspaceFiles()).toStrictEqual([]);
  const auditDir = auditFolder(demo.stateDir, projectRoot, 'samples', '');
  expect((await verifyAudit(auditDir)).verdict).toBe('intact');
  const log = readdirSync(auditDir)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(auditDir, name), 'utf8'))
    .join('');
  expect(log).toMatch(/unknown/);
});
