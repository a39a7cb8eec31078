// The messages on the socket: JSON-RPC 2.0, strictly read (docs/decisions.md, "Wire").
// Used by both sides. A message that is not exactly of this shape is refused, never repaired.
import type { RefusalData } from '../contract/refusals.js';

export type RequestId = number | string;

export interface Request {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
}

export type Reply =
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: unknown }
  | {
      readonly kind: 'error';
      readonly id: RequestId | null;
      readonly number: number;
      readonly message: string;
      readonly data?: RefusalData;
    };

/** JSON-RPC's own numbers, for what is wrong with the message itself. */
export const RPC_PARSE_ERROR = -32700;
export const RPC_INVALID_REQUEST = -32600;
export const RPC_METHOD_NOT_FOUND = -32601;
export const RPC_INVALID_PARAMS = -32602;

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseObject(line: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(line));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function isId(id: unknown): id is RequestId {
  return (typeof id === 'number' && Number.isSafeInteger(id)) || (typeof id === 'string' && id.length <= 128);
}

const REQUEST_KEYS = new Set(['jsonrpc', 'id', 'method', 'params']);

/** A request, or what is wrong with the line: `parse` (no JSON object) or `invalid` (no request). */
export function parseRequest(line: Buffer): Request | 'parse' | 'invalid' {
  const object = parseObject(line);
  if (object === null) return 'parse';
  const strict = Object.keys(object).every((key) => REQUEST_KEYS.has(key));
  const { jsonrpc, id, method } = object;
  if (!strict || jsonrpc !== '2.0' || !isId(id) || typeof method !== 'string') return 'invalid';
  return { id, method, params: object['params'] ?? {} };
}

export function encodeRequest(request: Request): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`;
}

export function encodeReply(reply: Reply): string {
  if (reply.kind === 'result')
    return `${JSON.stringify({ jsonrpc: '2.0', id: reply.id, result: reply.result })}\n`;
  const { id, number: code, message, data } = reply;
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: data ? { code, message, data } : { code, message } })}\n`;
}

function isRefusalData(data: unknown): data is RefusalData {
  if (typeof data !== 'object' || data === null) return false;
  const { code, hint, retry } = data as Record<string, unknown>;
  return (
    typeof code === 'string' &&
    /^E_[A-Z_]{1,40}$/.test(code) &&
    typeof hint === 'string' &&
    (retry === 'rewrite' || retry === 'ask_user' || retry === 'stop')
  );
}

/** A reply of a console, or null when the line is none: the client then closes the connection. */
export function parseReply(line: Buffer): Reply | null {
  const object = parseObject(line);
  if (object === null || object['jsonrpc'] !== '2.0') return null;
  const id = object['id'];
  if ('result' in object && isId(id)) return { kind: 'result', id, result: object['result'] };
  const error = object['error'];
  if (typeof error !== 'object' || error === null || !(id === null || isId(id))) return null;
  const { code, message, data } = error as Record<string, unknown>;
  if (typeof code !== 'number' || typeof message !== 'string') return null;
  return { kind: 'error', id, number: code, message, ...(isRefusalData(data) ? { data } : {}) };
}
