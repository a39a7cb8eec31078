// Requests to a hub as any program could send them, without our clients. For tests of the hub's door.
import { request } from 'node:http';
import { join } from 'node:path';

export interface Answer {
  readonly status: number;
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** One request as any program could send it. `0`: the connection was cut without an answer. */
export function sendToHub(
  folder: string,
  { method = 'GET', path, headers = {}, body }: Sent,
): Promise<Answer> {
  const socketPath = join(folder, 'hub.sock');
  return new Promise((resolve) => {
    const sent = request({ socketPath, method, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', () => resolve({ status: 0, body: undefined }));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) });
      });
    });
    sent.on('error', () => resolve({ status: 0, body: undefined }));
    sent.end(body);
  });
}
