// `lock-conformance verbs|mcp|socket` from words to report and exit status, against the lock in Python and broken ones.
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { parseArguments } from './arguments.js';
import { runMain } from './run-main.js';
import { brokenLock, packageFolder, python, secondFacts, secondLock } from './suite/test/python-lock.js';

async function run(...argv: readonly string[]) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const status = await runMain({
    argv,
    stdin: Readable.from([]),
    stdout,
    stderr,
    version: '0.1.0',
    judgementsPath: '/nowhere',
    folder: packageFolder,
    cwd: packageFolder,
    path: process.env['PATH'] ?? '',
    loadKinds: () => Promise.reject(new Error('no kit is needed')),
  });
  return { status, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

const good = ['--lock', `${python ?? ''} ${secondLock}`, '--describe', secondFacts];
const bad = (variant: string) => [
  '--lock',
  `${python ?? ''} ${brokenLock} ${variant}`,
  '--describe',
  secondFacts,
];
const here = test.skipIf(python === undefined);

here('a lock that passes: exit 0, the requirement among those that passed', async () => {
  const { status, stdout } = await run('verbs', ...good, '--only', 'VRB-001', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    suite: 'verbs',
    lock: { name: 'locknote', version: '0.1.0' },
    areas: { version: { passed: ['version-json'], failed: [], unsupported: [] } },
    requirements: { failed: [] },
    total: { passed: 1, failed: 0, unsupported: 0 },
    ok: true,
  });
});

here('a broken lock: exit 1, the case with its requirements, level and reason', async () => {
  const { status, stdout } = await run(
    'verbs',
    ...bad('version-text-major'),
    '--only',
    'version-json',
    '--report',
    'json',
  );
  expect(status).toBe(1);
  const { areas } = JSON.parse(stdout);
  expect(areas.version.failed).toMatchObject([
    { id: 'version-json', level: 'MUST', reason: expect.any(String) },
  ]);
  expect(areas.version.failed[0].requirements).toContain('VRB-001');
});

here('a SHOULD that fails is told and fails nobody', async () => {
  const { status, stdout } = await run('verbs', ...bad('doctor-without-fix'), '--only', 'VRB-045');
  expect(status).toBe(0);
  expect(stdout).toContain('failed SHOULD doctor-every-fix');
});

here('what could not be run is unsupported, and not called passed', async () => {
  const { status, stdout } = await run('socket', ...good, '--only', 'hello');
  expect(status).toBe(0);
  expect(stdout).toContain('unsupported hello:');
  expect(stdout).not.toContain('all MUST passed');
});

here('the relative path of a script still names it when the suite has changed folder', async () => {
  const { status } = await run(
    'verbs',
    '--lock',
    `${python ?? ''} second-lock/locknote.py`,
    '--describe',
    secondFacts,
    '--only',
    'VRB-001',
  );
  expect(status).toBe(0);
});

here.each([
  ['junit', /^<\?xml .*\n<testsuites name="verbs" tests="1" failures="1"/],
  ['tap', /^TAP version 14\n1\.\.1\nnot ok 1 - version-json/],
])('--report %s', async (form, pattern) => {
  const { stdout } = await run('verbs', ...bad('banner'), '--only', 'version-json', '--report', form);
  expect(stdout).toMatch(pattern);
});

test.each([
  ['no --lock', ['verbs']],
  ['a PATH', ['verbs', '--lock', 'sh', 'more']],
  ['a program that is nowhere', ['verbs', '--lock', '/nowhere/lock']],
  ['an open quote', ['verbs', '--lock', "sh '"]],
  ['facts that are missing', ['verbs', '--lock', 'sh', '--describe', '/nowhere.json']],
  ['a flag of another verb', ['verbs', '--lock', 'sh', '--socket', '/x']],
  ['--lock for cases', ['cases', 'x', '--lock', 'sh']],
  ['an unknown report', ['mcp', '--lock', 'sh', '--report', 'html']],
  ['--json beside another report', ['mcp', '--lock', 'sh', '--report', 'tap', '--json']],
  ['a --client-env without a value', ['socket', '--lock', 'sh', '--client-env', 'X']],
])('lock-conformance: %s is usage (64), with a sentence and no report', async (_name, argv) => {
  const { status, stdout, stderr } = await run(...argv);
  expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
  expect(stderr).toMatch(/^lock-conformance: .+\n$/u);
});

test('parseArguments: what points a client at the suite’s sockets is ours by default, and can be said', () => {
  expect(parseArguments(['socket', '--lock', 'x'])).toMatchObject({
    clientEnv: { LOCKKIT_DEMO_SOCKET_DIR: '{sockets}' },
  });
  expect(
    parseArguments(['mcp', '--lock', 'x', '--client-env', 'A={sockets}', '--client-env', 'B=c=d']),
  ).toMatchObject({
    clientEnv: { A: '{sockets}', B: 'c=d' },
  });
});
