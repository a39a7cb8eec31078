// The hub: locks post, deciders decide, everybody reads what is theirs (docs/hub-protocol.md). Opened by lox, or by a
// shared service. It holds no power over what runs: every answer of it is checked again at both ends. The one boundary
// from error to reply is here, and nothing of a request enters a reply.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { peerOf } from '../../native/kernel.js';
import { StoreFault, type TicketStore } from '../store/ticket-store.js';
import { isTicketId } from '../ticket.js';
import { hashToken, type HubAccess, type Principal } from './access.js';
import { runEventStream } from './event-stream.js';
import { HUB_CODES, HubRefusal, type HubCode } from './hub-codes.js';
import { HUB_LIMITS } from './hub-limits.js';
import { listenServer, type HubListen } from './listen.js';
import { Rates } from './rates.js';
import { readBody } from './read-body.js';
import {
  announceConsole,
  closeTicket,
  decideTicket,
  getTicket,
  listConsoles,
  listTickets,
  parseAfter,
  postTicket,
  type RouteAnswer,
  type RouteCall,
  type RouteParts,
} from './routes.js';
import { Sessions } from './sessions.js';

export interface HubServerOptions {
  readonly listen: HubListen;
  readonly access: HubAccess;
  readonly store: TicketStore;
  readonly nowMs: () => number;
  readonly randomBytes: (count: number) => Buffer;
  /** Returns a function that takes the timer back. */
  readonly later: (ms: number, call: () => void) => () => void;
  /** For the human at the hub: the record failed, or the hub has a bug. */
  readonly onFault: (message: string) => void;
}

export interface HubServer {
  /** What stands in a key file: `unix:/path` or `https://host:port`. */
  readonly url: string;
  /** Ends the connections; the store is its opener's to shut down. */
  readonly close: () => Promise<void>;
}

/** Throws UserMistake where something else stands or runs at the address. */
export async function openHubServer(options: HubServerOptions): Promise<HubServer> {
  const hub = new Hub(options);
  const limits = {
    maxHeaderSize: HUB_LIMITS.headBytes,
    headersTimeout: HUB_LIMITS.requestMs,
    requestTimeout: HUB_LIMITS.requestMs,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 2000,
  };
  const { url, server, remove } = await listenServer(options.listen, limits, (request, response) => {
    void hub.answer(request, response);
  });
  server.maxConnections = HUB_LIMITS.connections;
  if (options.listen.kind === 'unix') server.on('connection', (socket) => hub.admit(socket));
  hub.keepExpiring();
  return { url, close: () => closeServer(server, hub, remove) };
}

function closeServer(server: Server, hub: Hub, remove: () => void): Promise<void> {
  remove();
  hub.stop();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

type Handler = (parts: RouteParts, call: RouteCall) => Promise<RouteAnswer>;

const ROUTES: Readonly<Record<string, Handler>> = {
  'PUT /v1/console': announceConsole,
  'GET /v1/consoles': listConsoles,
  'POST /v1/tickets': postTicket,
  'GET /v1/tickets': listTickets,
  'GET /v1/tickets/ID': getTicket,
  'POST /v1/tickets/ID/close': closeTicket,
  'POST /v1/tickets/ID/decision': decideTicket,
};

const TICKET_PATH = /^\/v1\/tickets\/([^/]+)((?:\/[a-z]+)?)$/;

class Hub {
  readonly #options: HubServerOptions;
  readonly #sessions: Sessions;
  readonly #rates: Rates;
  readonly #uids = new WeakMap<Socket, number>();
  readonly #connections = new Map<number, number>();
  readonly #streams = new Map<string, number>();
  #stopTimer: () => void = () => undefined;
  #isStopped = false;

  constructor(options: HubServerOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options);
    this.#rates = new Rates(options.nowMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
  }

  keepExpiring(): void {
    if (this.#isStopped) return;
    const { store, nowMs, later } = this.#options;
    this.#stopTimer = later(HUB_LIMITS.expireEveryMs, () => {
      void store
        .expire(new Date(nowMs()))
        .catch((error: unknown) => this.#report(error))
        .finally(() => this.keepExpiring());
    });
  }

  /** Who is at the other end, by the kernel; a stranger gets no byte. */
  admit(socket: Socket): void {
    let uid: number;
    try {
      uid = peerOf(descriptorOf(socket)).uid;
    } catch {
      return void socket.destroy();
    }
    const open = this.#connections.get(uid) ?? 0;
    if (!this.#options.access.mayConnect(uid) || open >= HUB_LIMITS.connectionsPerUid)
      return void socket.destroy();
    this.#uids.set(socket, uid);
    this.#connections.set(uid, open + 1);
    socket.once('close', () => this.#connections.set(uid, (this.#connections.get(uid) ?? 1) - 1));
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      // A client that left in the middle of its own request has nothing to be told.
      if (request.destroyed && !request.complete) return void response.destroy();
      const code = codeOf(error);
      if (!(error instanceof HubRefusal)) this.#report(error);
      // A body that was not read to its end would be taken for the next request.
      if (!request.complete) response.setHeader('connection', 'close');
      const { status, meaning } = HUB_CODES[code];
      this.#reply(response, status, { error: { code, meaning } });
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.origin !== undefined) throw new HubRefusal('E_FORBIDDEN');
    const { path, query } = splitTarget(request.url ?? '');
    const name = `${request.method} ${path}`;
    const body = (maxBytes: number): Promise<unknown> => readBody(request, maxBytes);
    if (name === 'POST /v1/session/challenge' || name === 'POST /v1/session') {
      const opened = await this.#openSession(name, body);
      return this.#reply(response, 200, opened);
    }
    const principal = this.#authenticate(request);
    if (!this.#rates.admit(principal.id, HUB_LIMITS.requestsPerSecond)) throw new HubRefusal('E_BUSY');
    if (name === 'GET /v1/events') return this.#stream(principal, query, response);
    const [, id = '', action = ''] = TICKET_PATH.exec(path) ?? [];
    const route = ROUTES[id === '' ? name : `${request.method} /v1/tickets/ID${action}`];
    if (route === undefined) throw new HubRefusal('E_UNKNOWN_PATH');
    if (id !== '' && !isTicketId(id)) throw new HubRefusal('E_UNKNOWN_TICKET');
    const answer = await route(this.#options, { principal, query, id, readBody: body });
    this.#reply(response, answer.status, answer.body);
  }

  async #openSession(name: string, body: (maxBytes: number) => Promise<unknown>): Promise<object> {
    // Every attempt counts as a failed one: who has a session needs no other.
    if (!this.#rates.admit('failures', HUB_LIMITS.failuresPerSecond)) throw new HubRefusal('E_BUSY');
    const value = await body(HUB_LIMITS.otherBytes);
    return name.endsWith('/challenge') ? this.#sessions.challenge(value) : this.#sessions.open(value);
  }

  #authenticate({ headers, socket }: IncomingMessage): Principal {
    const [, scheme, secret = ''] =
      /^(Bearer|Session) ([A-Za-z0-9_-]{43})$/.exec(headers.authorization ?? '') ?? [];
    if (scheme === 'Bearer') {
      const access = this.#options.access.findLock(hashToken(secret));
      const uid = this.#uids.get(socket);
      const isTheirs = access?.uid === undefined || uid === undefined || access.uid === uid;
      if (access && isTheirs) return { kind: 'lock', id: `lock ${access.owner}`, access };
    } else if (scheme === 'Session') {
      const key = this.#sessions.find(secret);
      if (key !== undefined) return { kind: 'decider', id: `decider ${key}`, key };
    }
    if (!this.#rates.admit('failures', HUB_LIMITS.failuresPerSecond)) throw new HubRefusal('E_BUSY');
    throw new HubRefusal('E_UNAUTHORIZED');
  }

  async #stream(principal: Principal, query: URLSearchParams, response: ServerResponse): Promise<void> {
    const after = parseAfter(query);
    const { store, later } = this.#options;
    if (after > (await store.head())) throw new HubRefusal('E_UNKNOWN_SEQ');
    const open = this.#streams.get(principal.id) ?? 0;
    if (open >= HUB_LIMITS.streamsPerPrincipal) throw new HubRefusal('E_BUSY');
    this.#streams.set(principal.id, open + 1);
    response.once('close', () => this.#streams.set(principal.id, (this.#streams.get(principal.id) ?? 1) - 1));
    const owner = principal.kind === 'lock' ? { owner: principal.access.owner } : {};
    runEventStream({ response, store, after, later, ...owner });
  }

  #reply(response: ServerResponse, status: number, body: object): void {
    if (response.headersSent || response.destroyed) return;
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    });
    response.end(text);
  }

  #report(error: unknown): void {
    this.#options.onFault(error instanceof Error ? error.message : 'unknown');
  }
}

function codeOf(error: unknown): HubCode {
  if (error instanceof HubRefusal) return error.code;
  return error instanceof StoreFault ? 'E_STORE' : 'E_INTERNAL';
}

function splitTarget(target: string): { readonly path: string; readonly query: URLSearchParams } {
  const at = target.indexOf('?');
  if (at < 0) return { path: target, query: new URLSearchParams() };
  return { path: target.slice(0, at), query: new URLSearchParams(target.slice(at + 1)) };
}

function descriptorOf(socket: Socket): number {
  const fd = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle?.fd;
  if (typeof fd !== 'number' || fd < 0) throw new Error('this Node.js does not tell a socket’s descriptor');
  return fd;
}
