// docs/new-lock: the lock of that page, as it stands there, in front of a real web service; and against the suites.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { verifyAudit } from 'lockkit/audit';
import type { Answer, Human, Screen } from 'lockkit/approval';
import { runConsole } from 'lockkit/console';
import { socketPath } from 'lockkit/rpc';
import { auditFolder } from 'lockkit/setting';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lock } from '../docs/new-lock/lock.js';

const ROOT = join(import.meta.dirname, '..');
const DESCRIBE = join(ROOT, 'docs/new-lock/describe.json');
const TOKEN = 'token-that-no-agent-may-hold-4f8a';
const LEAK = `{"owner":"ann@example.com","echo":"${TOKEN}"}`;

let folder: string;
let command: string;
let service: Server;
const asked: { url: string | undefined; authorization: string | undefined }[] = [];

/** The lock as a package of its own beside the others: what `npm run build` of its author would make. */
async function buildLock(): Promise<string> {
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  const home = mkdtempSync(join(ROOT, 'node_modules/.cache/lockhttp-'));
  const outfile = join(home, 'dist/lockhttp.mjs');
  const banner = { js: '#!/usr/bin/env node' };
  const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm', banner } as const;
  await build({ entryPoints: [join(ROOT, 'docs/new-lock/main.ts')], outfile, ...options });
  writeFileSync(join(home, 'package.json'), '{"name": "lockhttp", "version": "0.1.0", "type": "module"}\n');
  return outfile;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'new-lock-'));
  command = await buildLock();
  service = createServer((request, reply) => {
    asked.push({ url: request.url, authorization: request.headers.authorization });
    reply.end(LEAK);
  });
  await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready));
});

afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(command, '../..'), { recursive: true, force: true });
});

/** Types the token, approves the policy, and answers what agents ask as told. */
function openHuman(answers: readonly ('yes' | 'no')[], shown: Screen[]): Human {
  const left = [...answers];
  const answer = (screen: Screen): Answer => {
    if (screen.question?.kind === 'secret') return { kind: 'secret', value: Buffer.from(TOKEN) };
    return { kind: shown.length === 1 ? 'yes' : (left.shift() ?? 'no') };
  };
  return {
    show: () => Promise.resolve(),
    ask: (screen) => {
      shown.push(screen);
      return Promise.resolve(answer(screen));
    },
    note: () => undefined,
    onCommand: () => () => undefined,
    gone: new AbortController().signal,
    close: () => Promise.resolve(),
  };
}

async function openConsole(name: string, auto: string, answers: readonly ('yes' | 'no')[]) {
  const home = join(folder, name);
  const project = join(home, 'project');
  const demo = {
    socketDir: join(home, 'run'),
    stateDir: join(home, 'state'),
    configHome: join(home, 'config'),
  };
  for (const path of [join(project, '.lockhttp'), ...Object.values(demo)])
    mkdirSync(path, { recursive: true, mode: 0o700 });
  const { port } = service.address() as AddressInfo;
  writeFileSync(
    join(project, '.lockhttp/config.toml'),
    `[profiles.api]\nurl = "http://127.0.0.1:${String(port)}"\npaths = ["/v1/health"]\nauto.get = "${auto}"\n`,
    { mode: 0o600 },
  );
  const stop = new AbortController();
  const shown: Screen[] = [];
  const wish = {
    profile: 'api',
    projectDir: project,
    allowUnmask: false,
    showResults: false,
    allowedUids: [],
    demo,
  };
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((ready, fail) => {
    ended = runConsole(lock, wish, {
      human: openHuman(answers, shown),
      uid: process.getuid?.() ?? -1,
      env: {},
      nowMs: Date.now,
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      signal: stop.signal,
      desktopLevel: 1,
      onReady: ready,
    });
    ended.catch(fail);
  });
  const env = { PATH: process.env['PATH'], HOME: home, LOCKKIT_DEMO_SOCKET_DIR: demo.socketDir };
  const agent = (...argv: readonly string[]) =>
    new Promise<{ exit: number; out: string }>((done) => {
      const child = execFile(
        process.execPath,
        [command, ...argv],
        { cwd: project, env },
        (_error, stdout, stderr) => done({ exit: child.exitCode ?? -1, out: stdout + stderr }),
      );
    });
  const close = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  const socket = socketPath({ socketDir: demo.socketDir, projectRoot: project, profile: 'api' });
  return { agent, close, shown, socket, audit: auditFolder(demo.stateDir, project, 'api', '') };
}

describe('the lock of docs/new-lock', () => {
  test('an allowed path is read with the token, and comes back masked and without it', async () => {
    asked.length = 0;
    const { agent, close, audit } = await openConsole('auto', 'auto', []);
    const { exit, out } = await agent('get', '/v1/health', '--json');
    const refused = await agent('get', '/v1/secrets', '--json');
    await close();
    expect({ exit, ...JSON.parse(out) }).toMatchObject({ exit: 0, status: 'done', http_status: 200 });
    expect(out).not.toContain('ann@example.com');
    expect(out).not.toContain(TOKEN);
    expect(asked).toEqual([{ url: '/v1/health', authorization: `Bearer ${TOKEN}` }]);
    expect({ exit: refused.exit, code: JSON.parse(refused.out).error.code }).toEqual({
      exit: 1,
      code: 'E_PATH',
    });
    expect(await verifyAudit(audit)).toMatchObject({ verdict: 'intact' });
  });

  test('what waits for the human runs once after yes, and never after no', async () => {
    asked.length = 0;
    const { agent, close, shown } = await openConsole('ask', 'ask', ['yes', 'no']);
    const outcomes = [];
    for (let request = 0; request < 2; request += 1) {
      const { ticket } = JSON.parse((await agent('get', '/v1/health', '--json')).out);
      const decided = await agent('get', '/v1/health', '--json', '--ticket', ticket);
      const again = await agent('get', '/v1/health', '--json', '--ticket', ticket);
      outcomes.push(JSON.parse(decided.out), JSON.parse(again.out));
    }
    await close();
    expect(outcomes).toMatchObject([
      { status: 'done' },
      { error: { code: 'E_UNKNOWN_TICKET' } },
      { error: { code: 'E_DENIED' } },
      { error: { code: 'E_DENIED' } },
    ]);
    expect(asked.length).toBe(1);
    expect(shown.length).toBe(4);
  });

  const runSuite = (suite: string, ...more: readonly string[]) =>
    new Promise<{ exit: number; end: string }>((done) => {
      const words = ['conformance/bin/lock-conformance.mjs', suite, '--describe', DESCRIBE, ...more];
      const argv = [...words, '--lock', `${process.execPath} ${command}`];
      const options = { cwd: ROOT, maxBuffer: 1 << 26 };
      const child = execFile(process.execPath, argv, options, (_error, stdout, stderr) =>
        done({ exit: child.exitCode ?? -1, end: (stdout + stderr).slice(-400) }),
      );
    });
  const passed = { exit: 0, end: expect.stringMatching(/total: \d{2,3} passed, 0 failed/) };

  test.each(['verbs', 'mcp'])(
    'fails nothing of the suite: %s',
    async (suite) => {
      expect(await runSuite(suite)).toMatchObject(passed);
    },
    600_000,
  );

  test('fails nothing of the suite: socket, as client and as console', async () => {
    const { close, socket } = await openConsole('suite', 'auto', []);
    expect(await runSuite('socket', '--socket', socket).finally(close)).toMatchObject(passed);
  }, 600_000);

  test('is as short as the page says', () => {
    const files = readdirSync(join(ROOT, 'docs/new-lock'), { recursive: true, encoding: 'utf8' });
    const lines = files
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => readFileSync(join(ROOT, 'docs/new-lock', name), 'utf8').split('\n'))
      .filter((line) => !/^\s*(?:\/\/|$)/.test(line));
    expect(lines.length).toBeLessThan(250);
  });
});
