// A project with one profile, a socket folder, the built server, and clients for it: the real SDK client, and a raw
// one that may write anything. Everything that was started is ended by `close`.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build } from 'esbuild';
import { type DemoConsole, openDemoConsole } from './demo-console.js';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** Builds the server once per test file; the file lies inside the repository, so that it finds the native helper. */
export async function buildServer(): Promise<string> {
  const folder = join(repository, 'node_modules/.cache/lockkit-mcp-test');
  mkdirSync(folder, { recursive: true });
  const outdir = mkdtempSync(join(folder, 'server-'));
  await build({
    entryPoints: [fileURLToPath(new URL('./demo-server.ts', import.meta.url))],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    logLevel: 'error',
    banner: {
      js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);',
    },
  });
  return join(outdir, 'demo-server.mjs');
}

export interface RawServer {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Writes one message and a line end; a text is written as it is. */
  readonly send: (message: unknown) => void;
  /** The next line of standard output. */
  readonly line: () => Promise<string>;
  readonly message: () => Promise<Record<string, never>>;
  readonly stderr: () => string;
  readonly exit: Promise<number | null>;
}

export interface DemoPlace {
  readonly project: string;
  readonly console: DemoConsole;
  readonly env: Readonly<Record<string, string>>;
  readonly connect: () => Promise<Client>;
  /** Ended by `endRaw`; `kept` ends with the place. */
  readonly startRaw: (env?: Readonly<Record<string, string>>, kept?: boolean) => RawServer;
  /** Ends the raw servers that were started. */
  readonly endRaw: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openDemoPlace(server: string): Promise<DemoPlace> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockmcp-')));
  const [project, socketDir] = [join(base, 'project'), join(base, 's')];
  for (const folder of [join(project, '.lockdemo'), socketDir])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(project, '.lockdemo/config.toml'), '[profiles.web]\n');
  const demo = await openDemoConsole(socketDir, project);
  const env = {
    PATH: '/usr/bin:/bin',
    LOCKKIT_DEMO_SOCKET_DIR: socketDir,
    XDG_CONFIG_HOME: join(base, 'config'),
  };
  const ends: (() => Promise<unknown>)[] = [demo.close];
  const raws: RawServer[] = [];
  const kept: RawServer[] = [];
  const end = async (servers: RawServer[]): Promise<void> => {
    for (const raw of servers.splice(0)) {
      raw.process.kill('SIGKILL');
      await raw.exit;
    }
  };
  return {
    project,
    console: demo,
    env,
    connect: async () => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [server],
        cwd: project,
        env,
        stderr: 'pipe',
      });
      const client = new Client({ name: 'test', version: '1' });
      ends.push(() => client.close());
      await client.connect(transport);
      return client;
    },
    startRaw: (other = env, isKept = false) => {
      const raw = startRaw(server, project, other);
      (isKept ? kept : raws).push(raw);
      return raw;
    },
    endRaw: () => end(raws),
    close: async () => {
      await end([...raws, ...kept]);
      await Promise.all(ends.map((end) => end()));
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function startRaw(server: string, cwd: string, env: Readonly<Record<string, string>>): RawServer {
  const child = spawn(process.execPath, [server], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  const line = async (): Promise<string> => {
    const next = await lines.next();
    if (next.done === true) throw new Error('the server ended');
    return next.value as string;
  };
  return {
    process: child,
    send: (message) =>
      void child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    line,
    message: async () => JSON.parse(await line()) as Record<string, never>,
    stderr: () => stderr,
    exit: once(child, 'exit').then(([code]) => code as number | null),
  };
}
