// The suite as a console: listens where the lock's client looks and answers as the case says. Called by play-command.
// It decides nothing about the lock but what the client sent; what the client prints is judged elsewhere.
import { createHash } from 'node:crypto';
import { chownSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Json } from '../kind.js';
import { LineReader } from '../line-reader.js';
import { parseJson } from './check-expectation.js';
import { fillText, fillValue } from './fill-words.js';
import { checkShape, isObject } from './shape.js';
import type { ConsoleReply, ConsoleScript } from './suite-case.js';
import type { CaseRun } from './suite-run.js';

const MAX_LINE_BYTES = 2 * 1024 * 1024;

export interface Listener {
  /** What the client did wrong so far, or null. */
  readonly problem: () => string | null;
  readonly close: () => Promise<void>;
}

/** docs/decisions.md, "Wire": where the socket of a project's profile is. */
function consoleSocketPath(folder: string, projectRoot: string, profile: string): string {
  const place = createHash('sha256').update(projectRoot).digest('hex').slice(0, 8);
  return join(folder, `${place}-${profile}.sock`);
}

export async function listenAsConsole(run: CaseRun, { profile, replies }: ConsoleScript): Promise<Listener> {
  const left = [...replies];
  const open = new Set<Socket>();
  let problem: string | null = null;
  const answer = (socket: Socket, text: string): void => {
    const next = left.shift();
    problem ??= answerOne(run, socket, text, next);
  };
  const server = createServer((socket) => {
    open.add(socket);
    const reader = new LineReader(
      MAX_LINE_BYTES,
      (line) => answer(socket, line),
      () => (problem ??= 'the client sent a line over 2 MiB'),
    );
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', () => undefined);
  });
  const path = consoleSocketPath(run.home.sockets, run.home.project, profile);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  if (run.uid !== undefined) chownSync(path, run.uid, run.uid);
  return {
    problem: () =>
      problem ??
      (left.length > 0
        ? `the client sent ${String(replies.length - left.length)} of ${String(replies.length)} expected requests`
        : null),
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Answers one line; gives what was wrong with it. */
function answerOne(
  run: CaseRun,
  socket: Socket,
  text: string,
  next: ConsoleReply | undefined,
): string | null {
  if (next === undefined) return 'the client sent a request too many';
  const request = parseJson(text);
  if (!isObject(request)) return 'the client sent a line that is not a JSON object';
  const { words, setting } = run;
  const wrong =
    next.request === undefined
      ? null
      : checkShape(fillValue(next.request, words, setting.facts), request, 'request');
  if (next.reply_text !== undefined) socket.write(fillText(next.reply_text, words).repeat(next.times ?? 1));
  if (next.reply !== undefined)
    socket.write(
      `${JSON.stringify(withId(fillValue(next.reply, words, setting.facts), request['id'] ?? null))}\n`,
    );
  if (next.close) socket.end();
  return wrong;
}

/** `"id": "{id}"` in a reply is the id of the request. */
function withId(reply: Json, id: Json): Json {
  return isObject(reply) && reply['id'] === '{id}' ? { ...reply, id } : reply;
}
