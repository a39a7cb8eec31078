// A request's body as JSON, bounded while it arrives. Called by the hub server after the sender is known.
// Anything that is not one JSON value in UTF-8 of the right type and size is refused.
import type { IncomingMessage } from 'node:http';
import { HubRefusal } from './hub-codes.js';

export async function readBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new HubRefusal('E_BAD_REQUEST');
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new HubRefusal('E_TOO_LARGE');
  const bytes = await readBytes(request, maxBytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HubRefusal('E_BAD_REQUEST');
  }
}

/** Leaves the request open where it is too large, so that the answer can still be told. */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= maxBytes) return void parts.push(part);
      request.removeAllListeners('data').pause();
      return reject(new HubRefusal('E_TOO_LARGE'));
    });
    request.once('end', () => resolve(Buffer.concat(parts)));
    request.once('error', reject);
    request.once('close', () => reject(new HubRefusal('E_BAD_REQUEST')));
  });
}
