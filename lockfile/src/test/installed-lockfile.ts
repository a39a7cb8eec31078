// lockfile installed between two real accounts: a project of the agent's, files of the console's, plugins, the console in
// a terminal. For the test of the account boundary alone.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AttackedConsole } from 'lockkit/console-attempts';
import { openConsolePane, type ConsolePane } from 'lockkit/console-pane';
import {
  asAccount,
  cleanEnv,
  CLIENTS,
  openTwoAccounts,
  type TestPerson,
  type TwoAccounts,
} from 'lockkit/two-accounts';

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = resolve(here, '../../bin/lockfile.cjs');
export const PROJECT = '/var/lib/locks-test-install/project';
export const KEY = 'invoices/2026/10/abc123.pdf';
export const HANGS = 'invoices/order';
export const OUTSIDE = 'private.txt';
/** Stands in the files and must never be seen by the agent. */
export const MARKER = 'invoice 4711 of somebody';

function give(who: TestPerson, ...paths: readonly string[]): void {
  for (const path of paths) chownSync(path, who.uid, who.gid);
}

function writeProject(agent: TestPerson, files: string): void {
  rmSync(PROJECT, { recursive: true, force: true });
  mkdirSync(join(PROJECT, '.lockfile'), { recursive: true, mode: 0o755 });
  const config = join(PROJECT, '.lockfile/config.toml');
  writeFileSync(
    config,
    `[profiles.samples]\nsource = "local"\nroot = ${JSON.stringify(files)}\nprefix = "invoices/"\n` +
      '[profiles.samples.limits]\nanswer_quantum = "250ms"\n',
  );
  give(agent, PROJECT, join(PROJECT, '.lockfile'), config);
}

function writeFiles(console: TestPerson, files: string): void {
  const folder = dirname(join(files, KEY));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const written = { [KEY]: `${MARKER}\n`, [HANGS]: 'hang', [OUTSIDE]: MARKER };
  for (const [key, content] of Object.entries(written))
    writeFileSync(join(files, key), content, { mode: 0o600 });
  execFileSync('chown', ['-R', `${console.uid}:${console.gid}`, files]);
}

/** A plugin of one's own that hangs when the file says so. */
function writeHanging(console: TestPerson): string {
  const folder = join(console.home, 'hangs');
  mkdirSync(folder, { mode: 0o700 });
  execFileSync('gcc', ['-O1', '-static', '-o', join(folder, 'plugin'), join(here, 'misbehave.c')]);
  const manifest =
    'name = "test.hangs"\nversion = "1.0.0"\nprotocol = 1\nquestion = "Does it?"\none = "y"\nzero = "n"\n';
  writeFileSync(join(folder, 'plugin.toml'), `${manifest}limits = { timeout_s = 240 }\n`);
  execFileSync('chown', ['-R', `${console.uid}:${console.gid}`, folder]);
  return folder;
}

export interface AgentRan {
  readonly exit: number | null;
  readonly json: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export interface InstalledLockfile {
  readonly two: TwoAccounts;
  /** The console's terminal; a restart opens another. */
  readonly pane: () => ConsolePane;
  readonly restart: () => void;
  /** Types once the prompt is up and its guard is over: the time is the product's own. */
  readonly answer: (prompt: string, typed: string) => Promise<void>;
  /** The agent's command, which may wait for the human meanwhile. */
  readonly agentAsks: (...argv: readonly string[]) => Promise<AgentRan>;
  /** `plan --run` */
  readonly ask: (key: string, ...plugins: readonly string[]) => Promise<AgentRan>;
  /** A path below the console's state folder. */
  readonly state: (...more: readonly string[]) => string;
  /** Paths of the fetched files. */
  readonly fetched: () => readonly string[];
  readonly attacked: () => AttackedConsole;
  readonly close: () => void;
}

function agentAsks(agent: TestPerson, argv: readonly string[]): Promise<AgentRan> {
  const [program = '', ...args] = [...asAccount(agent), 'lockfile', ...argv, '--json'];
  const child = spawn(program, args, {
    cwd: PROJECT,
    env: cleanEnv(agent),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (exit) => done({ exit, json: JSON.parse(Buffer.concat(chunks).toString('utf8')) }));
  });
}

/** The only file below a folder whose name ends so. */
function findBelow(folder: string, ending: string): string {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(ending),
  );
  if (found.length !== 1) throw new Error(`${folder}: ${found.join(', ')}`);
  return join(folder, found[0] as string);
}

/** Installs lockfile and starts its console; throws when that fails. */
export async function openInstalledLockfile(): Promise<InstalledLockfile> {
  const two = await openTwoAccounts('lockfile', COMMAND);
  const files = join(two.console.home, 'files');
  writeFiles(two.console, files);
  writeProject(two.agent, files);
  const install = ['lockfile', 'plugin', 'install', '--official', writeHanging(two.console)];
  const { exit, stderr } = two.runAs(two.console, install);
  const openPane = (): ConsolePane =>
    openConsolePane(two.console, PROJECT, '/usr/local/bin/lockfile console --profile samples');
  const state = (...more: readonly string[]): string =>
    join(two.console.home, '.local/state/lockfile', ...more);
  let pane = openPane();
  const lock: InstalledLockfile = {
    two,
    pane: () => pane,
    restart: () => {
      pane.kill();
      pane = openPane();
    },
    answer: async (prompt, typed) => {
      await pane.shows(prompt);
      await new Promise((done) => setTimeout(done, 1100));
      pane.keys(typed, 'Enter');
    },
    agentAsks: (...argv) => agentAsks(two.agent, argv),
    ask: (key, ...plugins) =>
      lock.agentAsks('plan', '--key', key, ...plugins.flatMap((name) => ['--plugin', name]), '--run'),
    state,
    fetched: () =>
      readdirSync(state('workspace'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('/file'))
        .map((name) => state('workspace', name)),
    attacked: () => ({
      lock: 'lockfile',
      pid: pane.program(),
      tty: pane.tty(),
      tmux: pane.socket,
      home: two.console.home,
      account: two.console.name,
      agent: two.agent.name,
      group: CLIENTS,
      secret: join(files, KEY),
      policy: findBelow(state('policy'), '-samples.json'),
      auditLog: findBelow(state('audit'), '.jsonl'),
      socket: findBelow('/run/lockfile', '-samples.sock'),
      project: PROJECT,
      profile: 'samples',
    }),
    close: () => {
      pane.kill();
      two.close();
      rmSync(PROJECT, { recursive: true, force: true });
    },
  };
  if (exit === 0) return lock;
  lock.close();
  throw new Error(stderr);
}
