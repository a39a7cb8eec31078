import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Action, LockContract } from '../contract/lock.js';
import { COMMON_REFUSALS } from '../contract/refusals.js';
import { socketPath } from '../rpc/socket-path.js';
import { ANSWER_LIMIT_MS, callAction } from './call-action.js';
import { callStatus } from './call-status.js';

const shape = { summary: '', description: '', flags: [], operands: { kind: 'none' }, mcp: true } as const;
const action = (name: string, readOnly: boolean): Action => ({
  ...shape,
  name,
  words: [name],
  readOnly,
  waits: !readOnly,
});
const contract = {
  name: 'lockdemo',
  version: '1.0.0',
  protocolMajor: 1,
  actions: [action('status', true), action('run', false)],
  refusals: COMMON_REFUSALS,
} as unknown as LockContract;

/** A clock that stands until it is moved. */
class HandClock {
  waiting: { readonly ms: number; readonly call: () => void }[] = [];
  #heard: (() => void) | undefined;

  readonly after = (ms: number, call: () => void): (() => void) => {
    const entry = { ms, call };
    this.waiting.push(entry);
    this.#heard?.();
    return () => (this.waiting = this.waiting.filter((other) => other !== entry));
  };

  async timer(): Promise<{ readonly ms: number; readonly call: () => void }> {
    while (this.waiting[0] === undefined) await new Promise<void>((heard) => (this.#heard = heard));
    return this.waiting[0];
  }
}

let folder: string;
let server: Server;
let clock: HandClock;
let lines: string[];
let answers: boolean;
let heardLine: (() => void) | undefined;
const sockets: Socket[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lk-silent-'));
  mkdirSync(join(folder, '.lockdemo'));
  writeFileSync(join(folder, '.lockdemo/config.toml'), '[profiles.web]\n');
  clock = new HandClock();
  [lines, answers, heardLine] = [[], false, undefined];
  // A console that reads and, unless it is told to say hello, says nothing.
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const request = JSON.parse(chunk.toString()) as { readonly id: number; readonly method: string };
      lines.push(request.method);
      heardLine?.();
      if (answers && request.method === 'hello')
        socket.write(
          `${JSON.stringify({ jsonrpc: '2.0', id: request.id, result: { protocol_major: 1 } })}\n`,
        );
    });
  });
  const path = socketPath({ socketDir: folder, projectRoot: folder, profile: 'web' });
  await new Promise<void>((ready) => server.listen(path, ready));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((closed) => server.close(closed));
  rmSync(folder, { recursive: true });
});

const call = (method: string, signal?: AbortSignal) => ({
  contract,
  place: { projectRoot: folder, socketDir: folder, consoleUid: process.getuid?.() ?? -1 },
  choice: { profile: 'web' },
  method,
  params: {},
  after: clock.after,
  ...(signal === undefined ? {} : { signal }),
});

test('callAction: a console that is silent at hello is no console, in bounded time', async () => {
  const outcome = callAction(call('run'));
  const timer = await clock.timer();
  expect(timer.ms).toBe(ANSWER_LIMIT_MS);
  timer.call();
  expect(await outcome).toMatchObject({ kind: 'error', error: { code: 'E_NO_CONSOLE' }, exit: 'noConsole' });
});

test('callAction: what only tells what is known is bounded too, after hello', async () => {
  answers = true;
  const outcome = callAction(call('status'));
  while (!lines.includes('status')) await new Promise<void>((heard) => (heardLine = heard));
  (await clock.timer()).call();
  expect(await outcome).toMatchObject({ kind: 'error', error: { code: 'E_NO_CONSOLE' } });
});

test('callAction: a request that a human decides has no bound of its own, and leaves when it is cancelled', async () => {
  answers = true;
  const abort = new AbortController();
  const outcome = callAction(call('run', abort.signal));
  while (!lines.includes('run')) await new Promise<void>((heard) => (heardLine = heard));
  expect(clock.waiting).toEqual([]);
  abort.abort();
  expect(await outcome).toMatchObject({ kind: 'error', error: { code: 'E_CONNECTION' } });
});

test('callStatus: a silent console is shown as none', async () => {
  const outcome = callStatus(call('status'));
  (await clock.timer()).call();
  expect(await outcome).toMatchObject({
    kind: 'result',
    result: { profiles: [{ profile: 'web', console: 'none' }] },
  });
});
