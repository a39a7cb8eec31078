// A real console of a test project against a real server, and the agent's side as real processes: the command and
// an MCP client. The human is the test: it sees every screen as data and answers it. Used by the e2e tests.
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
import { auditFolder } from 'lockkit/setting';
import { locksshLock } from '../console/lockssh-lock.js';

const command = resolve(dirname(fileURLToPath(import.meta.url)), '../../bin/lockssh.cjs');

export type Decide = (screen: Screen) => Answer | Promise<Answer>;

const yes: Answer = { kind: 'yes' };

/** Approves what asks for a yes or a typed word. */
export const approve: Decide = () => yes;

export interface TestHuman extends Human {
  readonly screens: readonly Screen[];
  readonly notes: readonly string[];
  decide: Decide;
  readonly type: (name: CommandName) => Promise<void>;
}

export function openTestHuman(): TestHuman {
  const screens: Screen[] = [];
  const notes: string[] = [];
  const handlers = new Map<CommandName, (argument: string) => void | Promise<void>>();
  const human: TestHuman = {
    screens,
    notes,
    decide: approve,
    show: (screen) => Promise.resolve(void screens.push(screen)),
    ask: async (screen, options) => {
      screens.push(screen);
      const withdrawn = new Promise<Answer>((done) =>
        options?.signal?.addEventListener('abort', () => done({ kind: 'withdrawn' })),
      );
      return Promise.race([human.decide(screen), withdrawn]);
    },
    note: (line) => void notes.push(JSON.stringify(line)),
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

export interface TestConsole {
  readonly human: TestHuman;
  readonly projectRoot: string;
  readonly socketDir: string;
  readonly auditDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly writeConfig: (toml: string) => void;
  readonly cli: (...argv: readonly string[]) => Promise<CliResult>;
  readonly openMcp: () => Promise<Client>;
  /** Ends the console as SIGTERM would. */
  readonly stop: () => Promise<ConsoleEnd>;
  readonly ended: Promise<ConsoleEnd>;
}

export interface ConsoleWishes {
  readonly config: string;
  readonly pii?: string;
  readonly profile?: string;
  readonly desktopLevel?: 1 | 2 | 3;
  readonly allowUnmask?: boolean;
  readonly showResults?: boolean;
  readonly decide?: Decide;
  /** Tickets are decided through this hub. */
  readonly hub?: { readonly url: string; readonly keyFile: string };
}

/** TOML of one profile; JSON strings are valid TOML strings. */
export function profileToml(values: Readonly<Record<string, unknown>>, name = 'web'): string {
  return `[profiles.${name}]\n${Object.entries(values)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join('')}`;
}

export function runCommand(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  input?: string,
): Promise<CliResult> {
  const child = spawn(process.execPath, [command, ...argv], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
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

/** Resolves when agents may ask; rejects when the console does not start. */
export async function openTestConsole(wishes: ConsoleWishes): Promise<TestConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'lockssh-e2e-'));
  const projectRoot = join(folder, 'project');
  mkdirSync(join(projectRoot, '.lockssh'), { recursive: true, mode: 0o700 });
  const demo = {
    socketDir: join(folder, 'run'),
    stateDir: join(folder, 'state/lockssh'),
    configHome: join(folder, 'config'),
  };
  for (const path of Object.values(demo)) mkdirSync(path, { recursive: true, mode: 0o700 });
  const writeConfig = (toml: string): void =>
    writeFileSync(join(projectRoot, '.lockssh/config.toml'), toml, { mode: 0o600 });
  writeConfig(wishes.config);
  if (wishes.pii !== undefined)
    writeFileSync(join(projectRoot, '.lockssh/pii.toml'), wishes.pii, { mode: 0o600 });
  const human = openTestHuman();
  human.decide = wishes.decide ?? approve;
  const stop = new AbortController();
  const profile = wishes.profile ?? 'web';
  const { allowUnmask = false, showResults = false, desktopLevel = 1 } = wishes;
  const hub = wishes.hub === undefined ? {} : { hub: wishes.hub };
  let ended: Promise<ConsoleEnd> | undefined;
  await new Promise<void>((ready, fail) => {
    ended = runConsole(
      locksshLock,
      { profile, projectDir: projectRoot, allowUnmask, showResults, allowedUids: [], demo, ...hub },
      {
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
      },
    );
    ended.catch((error: unknown) => {
      rmSync(folder, { recursive: true, force: true });
      fail(error);
    });
  });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    [DEMO_SOCKET_DIR]: demo.socketDir,
  };
  return {
    human,
    projectRoot,
    socketDir: demo.socketDir,
    auditDir: auditFolder(demo.stateDir, projectRoot, profile, ''),
    env,
    writeConfig,
    cli: (...argv) => runCommand(argv, projectRoot, env),
    openMcp: async () => {
      const client = new Client({ name: 'test', version: '0' });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [command, 'mcp'],
          cwd: projectRoot,
          env,
        }),
      );
      return client;
    },
    ended: ended as unknown as Promise<ConsoleEnd>,
    stop: async () => {
      stop.abort();
      const end = await (ended as unknown as Promise<ConsoleEnd>);
      rmSync(folder, { recursive: true, force: true });
      return end;
    },
  };
}
