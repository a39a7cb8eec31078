// A request's body as JSON, bounded while it arrives. Called by the hub server after the sender is known.
// Anything that is not one JSON value in UTF-8 of the right type and size is refused.
import type { IncomingMessage } from 'node:http';
import { HubRefusal } from './hub-codes.js';

export async function readBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new HubRefusal('E_BAD_REQUEST');
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new HubRefusal('E_TOO_LARGE');
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new HubRefusal('E_TOO_LARGE');
    parts.push(part);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)));
  } catch {
    throw new HubRefusal('E_BAD_REQUEST');
  }
}
