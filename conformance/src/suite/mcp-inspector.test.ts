// The MCP inspector's command-line mode as a client that is not ours: it starts our servers and calls their tools.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { packageFolder } from './test/python-lock.js';

const inspector = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli/build/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspector-'));
afterAll(() => rmSync(folder, { recursive: true }));
const project = join(folder, 'project');
for (const lock of ['lockssh', 'lockfile']) {
  mkdirSync(join(project, `.${lock}`), { recursive: true });
  writeFileSync(join(project, `.${lock}/config.toml`), '[profiles.web]\n');
}
// The inspector takes "../package.json" of the folder it runs in for a sign of where its own is.
writeFileSync(join(folder, 'package.json'), '{}');

/** The result that the inspector prints for one request to a lock's server. */
async function inspect(lock: string, ...request: readonly string[]): Promise<any> {
  const server = [process.execPath, join(packageFolder, `../${lock}/bin/${lock}.cjs`), 'mcp'];
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    LOCKKIT_DEMO_SOCKET_DIR: join(folder, 'no-console'),
  };
  const args = [inspector, '--cli', ...server, '--method', ...request];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: project,
    env,
    timeout: 60_000,
  });
  return JSON.parse(stdout);
}

test.each([
  [
    'lockssh',
    ['lockssh_pii_add', 'lockssh_pii_list', 'lockssh_request_change', 'lockssh_run', 'lockssh_status'],
  ],
  ['lockfile', ['lockfile_plan', 'lockfile_run', 'lockfile_status']],
])('MCP inspector, tools/list: %s', async (lock, wanted) => {
  const { tools } = await inspect(lock, 'tools/list');
  const names = tools.map(({ name }: { readonly name: string }) => name);
  expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
});

test.each(['lockssh', 'lockfile'])('MCP inspector, tools/call: the status of %s', async (lock) => {
  const result = await inspect(lock, 'tools/call', '--tool-name', `${lock}_status`);
  expect(result.isError).not.toBe(true);
  expect(result.structuredContent).toMatchObject({ lock, profiles: [{ profile: 'web', console: 'none' }] });
});

test('MCP inspector, tools/call: an argv arrives as a list, and a missing console is an error of the table', async () => {
  const tool = ['tools/call', '--tool-name', 'lockssh_run', '--tool-arg'];
  const result = await inspect('lockssh', ...tool, 'argv=["cat","a b"]');
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'E_NO_CONSOLE' } } });
  const wrong = await inspect('lockssh', ...tool, 'argv={"cat":1}');
  expect(wrong).toMatchObject({ isError: true, structuredContent: { error: { code: 'E_BAD_REQUEST' } } });
});
