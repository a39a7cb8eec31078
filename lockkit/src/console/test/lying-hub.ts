// A hub that lies: it speaks the protocol on a real socket and says whatever the test wants. For tests of the console.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHubUrl, type HubAddress } from '../../tickets/client/hub-address.js';
import type { Ticket } from '../../tickets/ticket.js';

export interface LyingHub {
  readonly address: HubAddress;
  readonly url: string;
  /** What it answers to a posted ticket beside the ticket; undefined: no answer at all. */
  onPost: (ticket: Ticket) => object | undefined;
  /** An event on every open stream. */
  readonly push: (data: unknown, event?: string) => void;
  readonly pushRaw: (text: string) => void;
  readonly closings: { readonly id: string; readonly state: string; readonly why?: string }[];
  readonly close: () => Promise<void>;
}

export async function openLyingHub(): Promise<LyingHub> {
  const folder = mkdtempSync(join(tmpdir(), 'lock-lying-'));
  const path = join(folder, 'hub.sock');
  const streams = new Set<ServerResponse>();
  const closings: LyingHub['closings'] = [];
  let seq = 1;
  const hub: LyingHub = {
    address: parseHubUrl(`unix:${path}`) as HubAddress,
    url: `unix:${path}`,
    onPost: () => ({ state: 'pending' }),
    push: (data, event = 'ticket') =>
      hub.pushRaw(`id: ${++seq}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    pushRaw: (text) => {
      for (const stream of streams) stream.write(text);
    },
    closings,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = request.url ?? '';
    if (url.startsWith('/v1/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': beat\n\n');
      streams.add(response);
      response.once('close', () => streams.delete(response));
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString() || '{}');
    const closed = /^\/v1\/tickets\/([^/]+)\/close$/.exec(url);
    if (closed) closings.push({ id: closed[1], ...body });
    const said =
      url === '/v1/tickets' ? hub.onPost(body.ticket as Ticket) : url === '/v1/console' ? { seq } : {};
    if (said === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(url === '/v1/tickets' ? { ticket: body.ticket, ...said } : said));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return hub;
}
