// HTTP to a hub: one request, one answer, or one event stream; bounded in time and size (docs/hub-protocol.md, sections
// 7 to 9). Used by the lock's and the decider's client. The account at the other end of a Unix socket is checked before
// the first byte is sent. What a hub says is data to be judged by the caller, never an error with a reason of its own.
import { request as sendHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as sendHttps } from 'node:https';
import { accepted, refused, type Outcome } from '../../contract/outcome.js';
import type { Peer } from '../../native/kernel.js';
import { isHubCode, type HubCode } from '../hub/hub-codes.js';
import { HUB_LIMITS } from '../hub/hub-limits.js';
import { EventReader, parseJson, type HubEvent } from './event-reader.js';
import type { HubAddress } from './hub-address.js';
import { asLost, HubLost } from './hub-lost.js';
import { UnixAgent } from './unix-agent.js';

export interface HubWireParts {
  readonly address: HubAddress;
  /** PEM; the only authority for `tls`. Default: the system's. */
  readonly ca?: string;
  /** Who may serve a Unix socket. */
  readonly mayServe: (peer: Peer) => boolean;
  readonly later: (ms: number, call: () => void) => () => void;
  /** For each answer; default 10 s. */
  readonly timeoutMs?: number;
}

export class HubWire {
  readonly #parts: HubWireParts;
  readonly #agent: UnixAgent | undefined;
  /** Sent with every request, once known. */
  authorization: string | undefined;

  constructor(parts: HubWireParts) {
    this.#parts = parts;
    if (parts.address.kind === 'unix') this.#agent = new UnixAgent(parts.address.path, parts.mayServe);
  }

  /** The body of a good answer, or the hub's code. Throws HubLost. */
  async ask(method: string, path: string, body?: object): Promise<Outcome<unknown, HubCode>> {
    const ended = new AbortController();
    const cancel = this.#parts.later(this.#parts.timeoutMs ?? HUB_LIMITS.requestMs, () => ended.abort());
    try {
      const response = await this.#send(method, path, body, ended.signal);
      const value = await readJson(response);
      const { statusCode = 0 } = response;
      return statusCode >= 200 && statusCode < 300 ? accepted(value) : refused(codeIn(value));
    } catch (error) {
      throw ended.signal.aborted ? new HubLost('slow') : asLost(error);
    } finally {
      cancel();
    }
  }

  /**
   * Gives events until the stream ends, which is a HubLost, or `signal` aborts, which resolves.
   * A refusal is the outcome. `onOpen` when the hub took it.
   */
  async listen(
    path: string,
    parts: {
      readonly onOpen: () => void;
      readonly onEvent: (event: HubEvent) => void;
      readonly signal: AbortSignal;
    },
  ): Promise<Outcome<void, HubCode>> {
    const silent = new AbortController();
    let cancel = (): void => undefined;
    const heard = (): void => {
      cancel();
      cancel = this.#parts.later(HUB_LIMITS.silentMs, () => silent.abort());
    };
    try {
      heard();
      const response = await this.#send(
        'GET',
        path,
        undefined,
        AbortSignal.any([silent.signal, parts.signal]),
      );
      if (response.statusCode !== 200) return refused(codeIn(await readJson(response)));
      parts.onOpen();
      const reader = new EventReader(parts.onEvent);
      for await (const chunk of response as AsyncIterable<Buffer>) {
        heard();
        reader.push(chunk);
      }
      throw new HubLost('down');
    } catch (error) {
      if (parts.signal.aborted) return accepted(undefined);
      throw silent.signal.aborted ? new HubLost('slow') : asLost(error);
    } finally {
      cancel();
    }
  }

  close(): void {
    this.#agent?.destroy();
  }

  #send(
    method: string,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string | number> = {
      ...(this.authorization === undefined ? {} : { authorization: this.authorization }),
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const request = this.#open({ method, path, headers, signal, maxHeaderSize: HUB_LIMITS.headBytes });
      request.once('response', resolve);
      request.once('error', reject);
      request.end(text);
    });
  }

  #open(options: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string | number>>;
    readonly signal: AbortSignal;
    readonly maxHeaderSize: number;
  }): ClientRequest {
    const { address, ca } = this.#parts;
    const headers = { ...options.headers };
    if (address.kind === 'unix')
      return sendHttp({ ...options, headers, host: 'hub', agent: this.#agent as UnixAgent });
    const { host, port } = address;
    return sendHttps({
      ...options,
      headers,
      host,
      port,
      minVersion: 'TLSv1.3',
      ...(ca === undefined ? {} : { ca }),
    });
  }
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > HUB_LIMITS.answerBytes) throw new HubLost('nonsense');
    parts.push(part);
  }
  return parseJson(Buffer.concat(parts));
}

function codeIn(value: unknown): HubCode {
  const { error } = (typeof value === 'object' ? value : null) as { readonly error?: { code?: unknown } };
  if (typeof error?.code === 'string' && isHubCode(error.code)) return error.code;
  throw new HubLost('nonsense');
}
