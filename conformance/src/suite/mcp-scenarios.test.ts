// The MCP project's own conformance tool against our servers, over HTTP through a bridge. Most of its scenarios call
// tools, prompts and resources of a sample server: they are listed with the reason and counted as skipped. 0.1.13 is its
// newest version that runs on Node 20.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { openBridge } from './test/http-bridge.js';
import { packageFolder, python, secondLock } from './test/python-lock.js';

const tool = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const SCENARIOS = ['server-initialize', 'ping', 'tools-list'];

/** Scenarios that do not apply, by why they do not. */
const NOT_OURS: Readonly<Record<string, readonly string[]>> = {
  'calls a tool of the sample server': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-logging',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
  ],
  'a lock asks its human in the console, never through the client': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
  'a lock has tools only and announces nothing else': [
    'logging-set-level',
    'completion-complete',
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
  'about the HTTP transport, which is the bridge of this test': [
    'server-sse-polling',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
};
const SERVERS: readonly (readonly [string, readonly [string, ...string[]]])[] = [
  ['lockssh', [join(packageFolder, '../lockssh/bin/lockssh.cjs'), 'mcp']],
  ['lockfile', [join(packageFolder, '../lockfile/bin/lockfile.cjs'), 'mcp']],
  ...(python === undefined ? [] : [['the second lock', [python, secondLock, 'mcp']] as const]),
];

const folder = mkdtempSync(join(tmpdir(), 'mcp-scenarios-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(
  SERVERS.flatMap(([name, command]) => SCENARIOS.map((scenario) => [scenario, name, command] as const)),
)('MCP scenario %s: %s', async (scenario, _name, command) => {
  const bridge = await openBridge(command, folder);
  const args = [tool, 'server', '--url', bridge.url, '--scenario', scenario];
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 50_000 });
  const { stdout } = await run.finally(() => bridge.close());
  expect(stdout).toMatch(/passed/i);
  expect(stdout).not.toMatch(/[1-9]\d* failed/i);
});

describe.each(Object.entries(NOT_OURS))('MCP scenarios left out, %s', (_reason, scenarios) => {
  test.skip.each(scenarios)('%s', () => undefined);
});

test('every MCP scenario of the tool is run, or told why not', () => {
  const listed = execFileSync(process.execPath, [tool, 'list', '--server'], { encoding: 'utf8' });
  const names = [...listed.matchAll(/^ +- (\S+)/gmu)].map(([, name]) => name ?? '');
  expect([...SCENARIOS, ...Object.values(NOT_OURS).flat()].toSorted()).toEqual(names.toSorted());
});
