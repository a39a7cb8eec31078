// What a lock costs: `run` of `true` through the agent's socket, against the same exec on a bare ssh2 connection and
// through ssh's own ControlMaster; and the start of the command, against node itself. Interleaved, in one run.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'ssh2';
import { runConsole } from 'lockkit/console';
import { socketPath } from 'lockkit/rpc';
import { openDemoServer } from '../lockssh/dist/demo/demo-server.js';
import { openScriptedHuman } from '../frontends/tui/dist/demo.js';
import { locksshLock } from '../lockssh/dist/console/lockssh-lock.js';

const command = resolve(dirname(fileURLToPath(import.meta.url)), '../lockssh/bin/lockssh.cjs');
const ROUNDS = Number(process.env.ROUNDS ?? 40);

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const p95 = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.95)];
async function timed(call) {
  const from = performance.now();
  await call();
  return performance.now() - from;
}

/** A line client: hello once, then one request after the other, as the agent's client does. */
function openLineClient(path) {
  const socket = createConnection(path);
  let buffer = '';
  let settle;
  socket.on('data', (chunk) => {
    buffer += chunk;
    const at = buffer.indexOf('\n');
    if (at < 0) return;
    const line = buffer.slice(0, at);
    buffer = buffer.slice(at + 1);
    settle(JSON.parse(line));
  });
  let id = 0;
  const request = (method, params) =>
    new Promise((done) => {
      settle = done;
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    });
  return { request, close: () => socket.end() };
}

function openBareClient({ port, keyFile }, user) {
  const client = new Client();
  return new Promise((done, fail) => {
    client.on('connect', () => client.setNoDelay(true));
    client.on('ready', () => done(client));
    client.on('error', fail);
    client.connect({
      host: '127.0.0.1',
      port,
      username: user,
      privateKey: readFileSync(keyFile),
      hostVerifier: () => true,
    });
  });
}

const bareExec = (client, line) =>
  new Promise((done, fail) =>
    client.exec(line, (error, channel) => {
      if (error) return fail(error);
      channel.on('close', done);
      channel.resume();
      channel.stderr.resume();
      return channel.end();
    }),
  );

async function openBenchConsole(folder, server, user) {
  const root = join(folder, 'project');
  mkdirSync(join(root, '.lockssh'), { recursive: true, mode: 0o700 });
  const demo = {
    socketDir: join(folder, 'run'),
    stateDir: join(folder, 'state'),
    configHome: join(folder, 'config'),
  };
  for (const path of Object.values(demo)) mkdirSync(path, { mode: 0o700 });
  const values = {
    host: '127.0.0.1',
    port: server.port,
    user,
    key: server.keyFile,
    known_hosts: server.knownHostsFile,
    allow: ['true'],
  };
  const toml = Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  writeFileSync(
    join(root, '.lockssh/config.toml'),
    `[profiles.bench]\n${toml.join('\n')}\n[profiles.bench.auto]\nconnect = "auto"\n`,
    { mode: 0o600 },
  );
  const stop = new AbortController();
  const human = openScriptedHuman('y', () => undefined);
  const parts = {
    human,
    uid: process.getuid(),
    env: {},
    nowMs: Date.now,
    signal: stop.signal,
    desktopLevel: 1,
  };
  let ended;
  await new Promise((ready, fail) => {
    const after = (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    };
    ended = runConsole(
      locksshLock,
      { profile: 'bench', projectDir: root, allowUnmask: false, showResults: false, allowedUids: [], demo },
      { ...parts, after, onReady: ready },
    );
    ended.catch(fail);
  });
  return {
    path: socketPath({ socketDir: demo.socketDir, projectRoot: root, profile: 'bench' }),
    env: { PATH: process.env.PATH, HOME: folder, LOCKKIT_DEMO_SOCKET_DIR: demo.socketDir },
    root,
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

function startTimes(consoleOf) {
  // The console runs in this process: a blocking spawn would wait for itself.
  const options = { env: consoleOf.env, cwd: consoleOf.root, stdio: 'ignore' };
  const run = (args) =>
    timed(() => new Promise((done) => spawn(process.execPath, args, options).once('exit', done)));
  return {
    node: () => run(['-e', '0']),
    version: () => run([command, 'version', '--json']),
    status: () => run([command, 'status', '--json']),
  };
}

export async function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'lockssh-bench-'));
  const user = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
  const server = await openDemoServer(folder);
  const lock = await openBenchConsole(folder, server, user);
  const bare = await openBareClient(server, user);
  const agent = openLineClient(lock.path);
  await agent.request('hello', { protocol_major: 1, client: 'bench' });
  const mux = join(folder, 'mux');
  const ssh = [
    '-F',
    'none',
    '-i',
    server.keyFile,
    '-p',
    String(server.port),
    '-o',
    `UserKnownHostsFile=${server.knownHostsFile}`,
    '-o',
    `ControlPath=${mux}`,
    '-o',
    'ControlMaster=auto',
    '-o',
    'ControlPersist=60',
    `${user}@127.0.0.1`,
  ];
  const byMux = () =>
    new Promise((done) => spawn('ssh', [...ssh, 'true'], { stdio: 'ignore' }).once('exit', done));
  await byMux();
  const times = { lock: [], bare: [], same: [], mux: [], node: [], version: [], status: [] };
  const starts = startTimes(lock);
  for (let i = 0; i < ROUNDS; i++) {
    if (process.env.BENCH_TRACE) console.error('round', i);
    times.bare.push(await timed(() => bareExec(bare, 'true')));
    times.same.push(await timed(() => bareExec(bare, "exec 'timeout' '-s' 'KILL' '30' 'true'")));
    times.lock.push(
      await timed(async () => {
        const reply = await agent.request('run', { argv: ['true'] });
        if (reply.result?.status !== 'done') throw new Error(JSON.stringify(reply));
      }),
    );
    if (i % 2 === 0) times.mux.push(await timed(byMux));
    if (i % 3 === 0) for (const name of ['node', 'version', 'status']) times[name].push(await starts[name]());
    // The console takes 20 requests a second from one account.
    await new Promise((done) => setTimeout(done, 40));
  }
  agent.close();
  bare.end();
  spawnSync('ssh', [...ssh.slice(0, -1), '-O', 'exit', ssh.at(-1)], { stdio: 'ignore' });
  await lock.stop();
  server.stop();
  rmSync(folder, { recursive: true, force: true });
  const row = (name, list, base) =>
    `${name.padEnd(46)} ${median(list).toFixed(1).padStart(8)} ms  p95 ${p95(list).toFixed(1).padStart(8)} ms  ${(median(list) / median(base)).toFixed(2)}×`;
  return [
    row('exec true, bare ssh2 connection', times.bare, times.bare),
    row('the same line as the lock sends, bare ssh2', times.same, times.bare),
    row('lockssh run true, agent socket', times.lock, times.bare),
    row('ssh with ControlMaster', times.mux, times.bare),
    row('node -e 0', times.node, times.node),
    row('lockssh version --json', times.version, times.node),
    row('lockssh status --json (one console)', times.status, times.node),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const line of await bench()) console.log(line);
  process.exit(0);
}
