// MCP's HTTP transport in front of a server that speaks on standard input and output, for test tools that know HTTP
// only. One process a session; answers are plain JSON. For tests on this machine: it trusts whoever connects.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}

interface Session {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly waiting: Map<string | number, (line: string) => void>;
}

export interface Bridge {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function openBridge(command: readonly [string, ...string[]], cwd: string): Promise<Bridge> {
  const sessions = new Map<string, Session>();
  const open = (): string => {
    const [program, ...args] = command;
    const env = { PATH: process.env['PATH'], HOME: cwd };
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    const waiting: Session['waiting'] = new Map();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id } = JSON.parse(line) as Message;
      if (id === undefined) return;
      waiting.get(id)?.(line);
      waiting.delete(id);
    });
    const name = `session-${String(sessions.size + 1)}`;
    sessions.set(name, { child, waiting });
    return name;
  };
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    void readBody(request).then((text) => forward(sessions, open, request, response, text));
    return undefined;
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`,
    close: async () => {
      for (const { child } of sessions.values()) child.kill('SIGKILL');
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

function forward(
  sessions: ReadonlyMap<string, Session>,
  open: () => string,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): void {
  const message = JSON.parse(text) as Message;
  const given = request.headers['mcp-session-id'];
  const name = typeof given === 'string' ? given : message.method === 'initialize' ? open() : '';
  const session = sessions.get(name);
  if (session === undefined) return void response.writeHead(404).end();
  const headers = { 'content-type': 'application/json', 'mcp-session-id': name };
  if (message.id === undefined) response.writeHead(202, headers).end();
  else session.waiting.set(message.id, (line) => response.writeHead(200, headers).end(line));
  session.child.stdin.write(`${JSON.stringify(message)}\n`);
  return undefined;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
