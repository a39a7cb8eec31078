// Many connections or many requests at once on a console's socket, and who may reach the socket at all.
// Called by run-case. After each it waits until the console's second is over, so that the next case is not refused.
import { lstatSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { LineReader } from '../line-reader.js';
import { parseJson } from './check-expectation.js';
import { isObject } from './shape.js';
import type { CrowdStep, FloodStep } from './suite-case.js';

const PACE_MS = 60;
const SECOND_MS = 1_200;
const ANSWER_MS = 5_000;
const MAX_LINE_BYTES = 20 * 1024 * 1024;
const HELLO = { jsonrpc: '2.0', method: 'hello', params: { protocol_major: 1, client: 'suite' } };

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

interface Conversation {
  readonly socket: Socket;
  /** Resolves with what came: answers, up to `count`, or fewer when the connection ended or time is over. */
  readonly answers: (count: number) => Promise<readonly Record<string, unknown>[]>;
}

function open(path: string): Conversation {
  const socket = createConnection(path);
  const came: Record<string, unknown>[] = [];
  let wake = (): void => undefined;
  let ended = false;
  const reader = new LineReader(
    MAX_LINE_BYTES,
    (line) => {
      const value = parseJson(line);
      if (isObject(value)) came.push(value);
      wake();
    },
    () => socket.destroy(),
  );
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  socket.on('error', () => undefined);
  socket.on('close', () => {
    ended = true;
    wake();
  });
  return {
    socket,
    answers: async (count) => {
      const untilMs = performance.now() + ANSWER_MS;
      while (came.length < count && !ended && performance.now() < untilMs)
        await Promise.race([new Promise<void>((done) => (wake = done)), wait(100)]);
      return came;
    },
  };
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

export async function playCrowd(path: string, { crowd, at_most }: CrowdStep): Promise<string | null> {
  await wait(SECOND_MS);
  const open_: Conversation[] = [];
  let answered = 0;
  for (let at = 0; at < crowd; at++) {
    const one = open(path);
    open_.push(one);
    one.socket.write(line({ ...HELLO, id: 1 }));
    await wait(PACE_MS);
    const [hello] = await one.answers(1);
    if (hello !== undefined && 'result' in hello) answered++;
  }
  for (const { socket } of open_) socket.destroy();
  await wait(SECOND_MS);
  if (answered === 0) return 'no connection was answered';
  return answered <= at_most
    ? null
    : `${String(answered)} connections of one account were served, expected at most ${String(at_most)}`;
}

export async function playFlood(path: string, { flood, at_most }: FloodStep): Promise<string | null> {
  await wait(SECOND_MS);
  const one = open(path);
  one.socket.write(line({ ...HELLO, id: 'hello' }));
  await one.answers(1);
  one.socket.write(
    Array.from({ length: flood }, (_, id) => line({ jsonrpc: '2.0', id, method: 'status', params: {} })).join(
      '',
    ),
  );
  const answers = (await one.answers(flood + 1)).filter(({ id }) => typeof id === 'number');
  one.socket.destroy();
  await wait(SECOND_MS);
  const served = answers.filter((answer) => 'result' in answer).length;
  if (answers.length !== flood) return `${String(answers.length)} of ${String(flood)} requests were answered`;
  if (new Set(answers.map(({ id }) => id)).size !== flood) return 'a request was answered twice';
  return served <= at_most
    ? null
    : `${String(served)} requests of one second were served, expected at most ${String(at_most)}`;
}

export function checkSocketFile(path: string): string | null {
  const socket = lstatSync(path, { throwIfNoEntry: false });
  if (socket === undefined || !socket.isSocket()) return 'there is no socket';
  if ((socket.mode & 0o007) !== 0)
    return `the socket has mode ${(socket.mode & 0o7777).toString(8)}: any account may connect`;
  const folder = lstatSync(dirname(path));
  if (folder.uid !== socket.uid && folder.uid !== 0) return 'the socket’s folder belongs to another account';
  return (folder.mode & 0o022) === 0
    ? null
    : `the socket’s folder has mode ${(folder.mode & 0o7777).toString(8)}: others may write in it`;
}
