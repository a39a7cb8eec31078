// One client's connection: hello first, then requests, each answered once. The boundary from error to reply is
// here and only here: a refusal's code becomes its row, a fault its code, everything else E_INTERNAL.
// Nothing of a request, of an error's message or of a stack may enter a reply.
import type { Socket } from 'node:net';
import { z } from 'zod';
import { Fault } from '../contract/fault.js';
import { refusalRow, type LockContract } from '../contract/lock.js';
import type { Outcome } from '../contract/outcome.js';
import { LineCutter } from '../rpc/frames.js';
import { WIRE_LIMITS } from '../rpc/limits.js';
import {
  encodeReply,
  parseRequest,
  RPC_INVALID_PARAMS,
  RPC_INVALID_REQUEST,
  RPC_METHOD_NOT_FOUND,
  RPC_PARSE_ERROR,
  type Reply,
  type Request,
  type RequestId,
} from '../rpc/messages.js';
import type { PeerInfo } from './peer-info.js';

/** What the console does with a request of a client that said hello. */
export interface Dispatcher {
  readonly contract: LockContract;
  readonly profile: string;
  readonly dispatch: (
    method: string,
    params: unknown,
    peer: PeerInfo,
    signal: AbortSignal,
  ) => Promise<Outcome<unknown>>;
  /** false: this account sends too fast. */
  readonly admit: (uid: number) => boolean;
  /** A fault or a bug, for the audit; a bug closes the connection. */
  readonly onError: (error: unknown, peer: PeerInfo) => void;
  /** How a refused request is recorded. */
  readonly onRefusal: (code: string, method: string, peer: PeerInfo) => void;
}

const helloSchema = z.strictObject({ protocol_major: z.int(), client: z.string().max(100) });

export interface ServedConnection {
  /** Calls off what waits, lets the answers that are on their way leave, then ends the connection. */
  readonly finish: () => Promise<void>;
}

/** Serves the connection until either side closes it. */
export function serveConnection(socket: Socket, peer: PeerInfo, dispatcher: Dispatcher): ServedConnection {
  const { contract } = dispatcher;
  const left = new AbortController();
  const answering = new Set<Promise<void>>();
  let greeted = false;

  const send = (reply: Reply): void => {
    const line = encodeReply(reply);
    if (Buffer.byteLength(line) > WIRE_LIMITS.replyBytes) socket.destroy();
    else if (!socket.destroyed) socket.write(line);
  };
  const refuse = (id: RequestId | null, code: string, method = '', number?: number): void => {
    const row = refusalRow(contract, code);
    dispatcher.onRefusal(code, method, peer);
    const data = { code, hint: row.hint, retry: row.retry };
    send({ kind: 'error', id, number: number ?? row.number, message: row.meaning, data });
  };

  const hello = ({ id, method, params }: Request): void => {
    const parsed = method === 'hello' ? helloSchema.safeParse(params) : undefined;
    greeted = parsed?.success === true && parsed.data.protocol_major === contract.protocolMajor;
    const { profile } = dispatcher;
    const { protocolMajor: protocol_major, name: lock, version } = contract;
    if (greeted) return send({ kind: 'result', id, result: { protocol_major, lock, version, profile } });
    refuse(id, 'E_PROTOCOL');
    socket.end();
  };

  const answer = async ({ id, method, params }: Request): Promise<void> => {
    try {
      const outcome = await dispatcher.dispatch(method, params, peer, left.signal);
      if (outcome.ok) send({ kind: 'result', id, result: outcome.value });
      else refuse(id, outcome.code, method, numberOf(method, outcome.code, contract));
    } catch (error) {
      dispatcher.onError(error, peer);
      refuse(id, error instanceof Fault ? error.code : 'E_INTERNAL', method);
      if (!(error instanceof Fault)) socket.end();
    }
  };

  const cutter = new LineCutter(
    WIRE_LIMITS.requestBytes,
    (line) => {
      const request = parseRequest(line);
      if (request === 'parse') return refuse(null, 'E_BAD_REQUEST', '', RPC_PARSE_ERROR);
      if (request === 'invalid') return refuse(null, 'E_BAD_REQUEST', '', RPC_INVALID_REQUEST);
      if (!dispatcher.admit(peer.uid)) return refuse(request.id, 'E_BUSY');
      if (!greeted) return hello(request);
      const answered = answer(request).finally(() => answering.delete(answered));
      answering.add(answered);
    },
    () => socket.destroy(),
  );
  const impatient = setTimeout(() => greeted || socket.destroy(), WIRE_LIMITS.helloMs);
  socket.on('data', (chunk: Buffer) => {
    cutter.push(chunk);
    // A client that sends without reading its answers is not served further.
    if (socket.writableLength > WIRE_LIMITS.replyBytes) socket.destroy();
  });
  socket.on('error', () => socket.destroy());
  socket.on('end', () => left.abort());
  socket.on('close', () => {
    clearTimeout(impatient);
    cutter.close();
    left.abort();
  });
  return {
    finish: async () => {
      left.abort();
      await Promise.all(answering);
      socket.end();
    },
  };
}

/** JSON-RPC's own number where the message is at fault, else the row's. */
function numberOf(method: string, code: string, contract: LockContract): number | undefined {
  if (code !== 'E_BAD_REQUEST') return undefined;
  return contract.actions.some(({ name }) => name === method) ? RPC_INVALID_PARAMS : RPC_METHOD_NOT_FOUND;
}
