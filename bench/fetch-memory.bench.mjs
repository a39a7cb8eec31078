// What a fetched file costs a console in memory: from one byte to 4 GiB, each through a console of its own in a
// process of its own, asked by the real command. The peak is the kernel's (VmHWM). Run by `npm run bench` on the built
// packages. It measures and prints; it asserts nothing. The copies need 4 GiB of disk for a moment.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, '../lockfile/bin/lockfile.cjs');
const CONSOLE = join(here, '../lockfile/src/test/console-process.mjs');
const SIZES = { 'one byte': 1, '64 MiB': 64 * 2 ** 20, '1 GiB': 2 ** 30, '4 GiB': 4 * 2 ** 30 };
const CONFIG = '[profiles.samples.limits]\nmax_object_bytes = 4294967296\nanswer_quantum = "250ms"\n';

function makeFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'lockfile-bench-'));
  const at = (name) => join(folder, name);
  const demo = { socketDir: at('run'), stateDir: at('state'), configHome: at('config') };
  const projectRoot = at('project');
  for (const path of [...Object.values(demo), at('files'), join(projectRoot, '.lockfile')])
    mkdirSync(path, { recursive: true, mode: 0o700 });
  const profile = `[profiles.samples]\nsource = "local"\nroot = ${JSON.stringify(at('files'))}\n${CONFIG}`;
  writeFileSync(join(projectRoot, '.lockfile/config.toml'), profile, { mode: 0o600 });
  const env = { PATH: process.env.PATH, HOME: folder, LOCKKIT_DEMO_SOCKET_DIR: demo.socketDir };
  const install = [COMMAND, 'plugin', 'install', '--official'];
  execFileSync(process.execPath, install, { env: { ...env, XDG_DATA_HOME: folder }, stdio: 'pipe' });
  return { folder, projectRoot, demo, env, pluginsDir: at('lockfile/plugins') };
}

const peakMiB = (pid) =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

async function measure(folders, bytes) {
  const key = `file-${bytes}`;
  writeFileSync(join(folders.folder, 'files', key), '');
  truncateSync(join(folders.folder, 'files', key), bytes);
  const console = spawn(process.execPath, [CONSOLE, JSON.stringify(folders)], {
    stdio: ['ignore', 'pipe', 2],
  });
  try {
    await once(console.stdout, 'data');
    const readyMiB = peakMiB(console.pid);
    const start = performance.now();
    const plan = [COMMAND, 'plan', '--key', key, '--plugin', 'file.non-empty', '--run', '--json'];
    const asked = spawn(process.execPath, plan, {
      cwd: folders.projectRoot,
      env: folders.env,
      stdio: ['ignore', 'pipe', 2],
    });
    const [answer] = await Promise.all([once(asked.stdout, 'data'), once(asked, 'close')]);
    if (JSON.parse(String(answer)).answers[0].result !== 1) throw new Error(String(answer));
    return { readyMiB, peakMiB: peakMiB(console.pid), seconds: (performance.now() - start) / 1000 };
  } finally {
    console.kill('SIGKILL');
    await once(console, 'exit');
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const round = (value) => Math.round(value * 100) / 100;

/** Rows {bench, name, readyMiB, peakMiB, grownMiB, seconds}, medians of the rounds, then the ratio of the peaks. */
export async function bench(rounds = 1) {
  const folders = makeFolders();
  try {
    const found = new Map(Object.keys(SIZES).map((name) => [name, []]));
    for (let at = 0; at < rounds; at++)
      for (const [name, bytes] of Object.entries(SIZES)) found.get(name).push(await measure(folders, bytes));
    const rows = [...found].map(([name, runs]) => ({
      bench: 'fetch-memory',
      name,
      readyMiB: round(median(runs.map((run) => run.readyMiB))),
      peakMiB: round(median(runs.map((run) => run.peakMiB))),
      grownMiB: round(median(runs.map((run) => run.peakMiB - run.readyMiB))),
      seconds: round(median(runs.map((run) => run.seconds))),
    }));
    for (const { name, readyMiB, peakMiB: peak, grownMiB, seconds } of rows)
      console.log(
        `${name.padEnd(10)} ready ${readyMiB} MiB, peak ${peak} MiB (+${grownMiB}), answered in ${seconds} s`,
      );
    const peak = Object.fromEntries(rows.map((row) => [row.name, row.peakMiB]));
    const ratio = round(peak['4 GiB'] / peak['64 MiB']);
    console.log(`peak of 4 GiB over peak of 64 MiB: ${ratio} (aim 1)`);
    return [...rows, { bench: 'fetch-memory', name: 'peak of 4 GiB over that of 64 MiB', ratio, aim: '1' }];
  } finally {
    rmSync(folders.folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bench(Number(process.argv[2] ?? 1));
