// A real lockfile console of a test project over a local directory, with the official plugins, and the agent's side
// as the real command and a real MCP client. The human is the test: it sees every screen as data and answers it.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { DEMO_SOCKET_DIR } from 'lockkit/agent';
import type { Answer, CommandName, Human, Screen } from 'lockkit/approval';
import { runConsole, type ConsoleEnd } from 'lockkit/console';
import { openBinaryStore } from 'lockkit/sandbox';
import { auditFolder } from 'lockkit/setting';
import { makeLockfileLock } from '../console/lockfile-lock.js';
import { installPlugin } from '../plugin/install-plugin.js';
import { builtPlugins, usableKernel } from './built-plugins.js';

export const COMMAND = resolve(dirname(fileURLToPath(import.meta.url)), '../../bin/lockfile.cjs');

export type Decide = (screen: Screen) => Answer | Promise<Answer>;

export interface TestHuman extends Human {
  readonly screens: Screen[];
  readonly notes: string[];
  decide: Decide;
  readonly type: (name: CommandName) => Promise<void>;
}

/** Says yes to everything until a test says otherwise. */
export function openTestHuman(): TestHuman {
  const handlers = new Map<CommandName, (argument: string) => void | Promise<void>>();
  const human: TestHuman = {
    screens: [],
    notes: [],
    decide: () => ({ kind: 'yes' }),
    show: (screen) => Promise.resolve(void human.screens.push(screen)),
    ask: async (screen, options) => {
      human.screens.push(screen);
      const withdrawn = new Promise<Answer>((done) =>
        options?.signal?.addEventListener('abort', () => done({ kind: 'withdrawn' })),
      );
      return Promise.race([human.decide(screen), withdrawn]);
    },
    note: (line) => void human.notes.push(JSON.stringify(line)),
    onCommand: (name, handler) => {
      handlers.set(name, handler);
      return () => void handlers.delete(name);
    },
    type: async (name) => handlers.get(name)?.(''),
    gone: new AbortController().signal,
    close: () => Promise.resolve(),
  };
  return human;
}

export interface CliResult {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON, or undefined. */
  readonly json: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export function runCommand(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  onStart?: (kill: () => void) => void,
): Promise<CliResult> {
  const child = spawn(process.execPath, [COMMAND, ...argv], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onStart?.(() => child.kill('SIGKILL'));
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (exit) => {
      const text = Buffer.concat(stdout).toString('utf8');
      done({ exit, stdout: text, stderr: Buffer.concat(stderr).toString('utf8'), json: parseJson(text) });
    });
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface TestFolders {
  readonly folder: string;
  readonly projectRoot: string;
  readonly root: string;
  readonly pluginsDir: string;
  readonly demo: { readonly socketDir: string; readonly stateDir: string; readonly configHome: string };
}

/** A project with one profile `samples` over `<folder>/files`, and the official plugins installed. */
export async function makeTestFolders(config: string): Promise<TestFolders> {
  const folder = mkdtempSync(join(tmpdir(), 'lockfile-e2e-'));
  const at = (name: string): string => join(folder, name);
  const demo = { socketDir: at('run'), stateDir: at('state'), configHome: at('config') };
  const folders = { folder, projectRoot: at('project'), root: at('files'), pluginsDir: at('plugins'), demo };
  for (const path of [folders.projectRoot, folders.root, ...Object.values(demo)])
    mkdirSync(path, { mode: 0o700 });
  mkdirSync(join(folders.projectRoot, '.lockfile'), { mode: 0o700 });
  writeConfig(folders, config);
  const store = openBinaryStore(usableKernel());
  for (const { dir } of builtPlugins()) {
    const source = {
      manifestPath: join(dir, 'plugin.toml'),
      binaryPath: join(dir, 'plugin'),
      marketplace: 'official',
    };
    await installPlugin(source, folders.pluginsDir, store);
  }
  store.close();
  return folders;
}

export function writeConfig({ projectRoot, root }: TestFolders, more: string): void {
  const text = `[profiles.samples]\nsource = "local"\nroot = ${JSON.stringify(root)}\n${more}`;
  writeFileSync(join(projectRoot, '.lockfile/config.toml'), text, { mode: 0o600 });
}

export interface TestConsole extends TestFolders {
  readonly human: TestHuman;
  readonly auditDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly put: (key: string, content: string | Buffer) => void;
  readonly cli: (...argv: readonly string[]) => Promise<CliResult>;
  readonly openMcp: () => Promise<Client>;
  readonly stop: () => Promise<ConsoleEnd>;
}

export interface ConsoleWishes {
  readonly config?: string;
  readonly desktopLevel?: 1 | 2 | 3;
  readonly showResults?: boolean;
  /** Tickets are decided through this hub. */
  readonly hub?: { readonly url: string; readonly keyFile: string };
}

/** Resolves when agents may ask; rejects when the console does not start. */
export async function openTestConsole(wishes: ConsoleWishes = {}): Promise<TestConsole> {
  const folders = await makeTestFolders(
    wishes.config ?? '[profiles.samples.limits]\nanswer_quantum = "250ms"\n',
  );
  const { folder, projectRoot, root, demo } = folders;
  const human = openTestHuman();
  const stop = new AbortController();
  const { showResults = false, desktopLevel = 3 } = wishes;
  const wish = {
    profile: 'samples',
    projectDir: projectRoot,
    allowUnmask: false,
    showResults,
    allowedUids: [],
    demo,
    ...(wishes.hub === undefined ? {} : { hub: wishes.hub }),
  };
  let ended: Promise<ConsoleEnd> = Promise.resolve('failed');
  await new Promise<void>((ready, fail) => {
    ended = runConsole(makeLockfileLock(folders), wish, {
      human,
      uid: process.getuid?.() ?? -1,
      env: {},
      nowMs: Date.now,
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      signal: stop.signal,
      desktopLevel,
      onReady: ready,
    });
    ended.catch((error: unknown) => {
      rmSync(folder, { recursive: true, force: true });
      fail(error);
    });
  });
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, [DEMO_SOCKET_DIR]: demo.socketDir };
  return {
    ...folders,
    human,
    auditDir: auditFolder(demo.stateDir, projectRoot, 'samples', ''),
    env,
    put: (key, content) => {
      mkdirSync(dirname(join(root, key)), { recursive: true });
      writeFileSync(join(root, key), content);
    },
    cli: (...argv) => runCommand(argv, projectRoot, env),
    openMcp: async () => {
      const client = new Client({ name: 'test', version: '0' });
      const transport = { command: process.execPath, args: [COMMAND, 'mcp'], cwd: projectRoot, env };
      await client.connect(new StdioClientTransport(transport));
      return client;
    },
    stop: async () => {
      stop.abort();
      const end = await ended;
      rmSync(folder, { recursive: true, force: true });
      return end;
    },
  };
}
