// One line from the client as a message for the SDK, or the JSON-RPC error that answers it. Called by the transport.
// Nothing of the line enters an error, and no line ends the session.
import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  LATEST_PROTOCOL_VERSION,
} from '@modelcontextprotocol/sdk/types.js';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;

export type Admitted =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'error'; readonly id: string | number | null; readonly code: number }
  | { readonly kind: 'nothing' };

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseMessageLine(line: Buffer): Admitted {
  const raw = parseJson(line);
  if (raw === undefined) return { kind: 'error', id: null, code: PARSE_ERROR };
  if (raw === BLANK) return { kind: 'nothing' };
  const parsed = JSONRPCMessageSchema.safeParse(withVersion(raw));
  return parsed.success
    ? { kind: 'message', message: parsed.data }
    : { kind: 'error', id: idOf(raw), code: INVALID_REQUEST };
}

const BLANK = Symbol('a line of blanks');

function parseJson(line: Buffer): unknown {
  try {
    const text = utf8.decode(line);
    return text.trim() === '' ? BLANK : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A client that does not say its protocol version, or who it is, is answered all the same. */
function withVersion(raw: unknown): unknown {
  if (!isObject(raw) || raw['method'] !== 'initialize') return raw;
  const params = isObject(raw['params']) ? raw['params'] : {};
  const { protocolVersion, capabilities, clientInfo } = params;
  return {
    ...raw,
    params: {
      ...params,
      protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : LATEST_PROTOCOL_VERSION,
      capabilities: isObject(capabilities) ? capabilities : {},
      clientInfo: isObject(clientInfo) ? clientInfo : { name: 'unknown', version: '0' },
    },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function idOf(raw: unknown): string | number | null {
  const id = isObject(raw) ? raw['id'] : null;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}
