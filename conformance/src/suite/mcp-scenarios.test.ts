// The MCP project's own conformance tool against our servers, over HTTP through a bridge. Its scenarios call tools of a
// sample server, so three apply to any server. The tool is no dependency of ours (a hundred packages, and its newest
// version needs Node 22): the test runs where it is installed, or where MCP_CONFORMANCE names its dist/index.js.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openBridge } from './test/http-bridge.js';
import { packageFolder, python, secondLock } from './test/python-lock.js';

const installed = join(packageFolder, '../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const tool = [process.env['MCP_CONFORMANCE'] ?? '', installed].find(
  (path) => path !== '' && existsSync(path),
);
const SCENARIOS = ['server-initialize', 'ping', 'tools-list'];
const SERVERS: readonly (readonly [string, readonly [string, ...string[]]])[] = [
  ['lockssh', [join(packageFolder, '../lockssh/bin/lockssh.cjs'), 'mcp']],
  ['lockfile', [join(packageFolder, '../lockfile/bin/lockfile.cjs'), 'mcp']],
  ['the second lock', [python ?? 'python3', secondLock, 'mcp']],
];

const folder = mkdtempSync(join(tmpdir(), 'mcp-scenarios-'));
afterAll(() => rmSync(folder, { recursive: true }));

test
  .skipIf(tool === undefined)
  .each(
    SERVERS.flatMap(([name, command]) => SCENARIOS.map((scenario) => [scenario, name, command] as const)),
  )('MCP scenario %s: %s', async (scenario, _name, command) => {
  const bridge = await openBridge(command, folder);
  const args = [tool ?? '', 'server', '--url', bridge.url, '--scenario', scenario];
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 50_000 });
  const { stdout } = await run.finally(() => bridge.close());
  expect(stdout).toMatch(/passed/i);
  expect(stdout).not.toMatch(/[1-9]\d* failed/i);
});
