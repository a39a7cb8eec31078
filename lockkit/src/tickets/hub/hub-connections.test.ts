// Connections to the hub's socket: strangers, floods, other hubs, too many streams (docs/hub-protocol.md, section 7).
import { writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserMistake } from '../../contract/fault.js';
import { makeSigningKey } from '../signing.js';
import { openTestHub, type TestHub } from '../test/open-hub.js';
import { sendToHub, type Answer } from '../test/send-to-hub.js';
import { HUB_LIMITS } from './hub-limits.js';
import { listenServer } from './listen.js';

let hub: TestHub;
const signing = makeSigningKey();

beforeEach(async () => {
  hub = await openTestHub();
});
afterEach(() => hub.close());

const announce = (): Promise<Answer> =>
  sendToHub(hub.folder, {
    method: 'PUT',
    path: '/v1/console',
    headers: { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ lock: 'lockssh', instance: '', profile: 'web', version: '1', key: signing.key }),
  });
const code = ({ status, body }: Answer): unknown => body?.error?.code ?? status;

describe('openHubServer: connections', () => {
  test('an account that is no lock’s and not the hub’s gets no byte', async () => {
    await hub.close();
    hub = await openTestHub({ lock: { uid: 4242 } });
    // The test’s own account is the hub’s: it may connect, and the token is still another account’s.
    expect(code(await announce())).toBe('E_UNAUTHORIZED');
  });

  test('no request line, half a request, a flood of bytes: cut, and the hub serves on', async () => {
    const path = join(hub.folder, 'hub.sock');
    const talk = (bytes: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = createConnection(path);
        let heard = '';
        socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(heard));
        socket.write(bytes);
      });
    expect(await talk('nonsense\r\n\r\n')).toContain('400');
    expect(await talk(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`)).toContain('431');
    expect((await announce()).status).toBe(200);
  });

  test('a second hub at the same place, or a file there: refused, and the first is not touched', async () => {
    await expect(hub.start()).rejects.toThrow(UserMistake);
    const path = join(hub.folder, 'file.sock');
    writeFileSync(path, 'mine');
    await expect(listenServer({ kind: 'unix', path }, {}, () => undefined)).rejects.toThrow(UserMistake);
    const socket = join(hub.folder, 'hub.sock');
    await expect(listenServer({ kind: 'unix', path: socket }, {}, () => undefined)).rejects.toThrow(
      UserMistake,
    );
    expect((await announce()).status).toBe(200);
  });

  test('streams: more than four of one lock are E_BUSY', async () => {
    const locks = [];
    for (let i = 0; i < HUB_LIMITS.streamsPerPrincipal; i++) locks.push(await hub.openLock({ signing }));
    await expect(hub.openLock({ signing })).rejects.toMatchObject({ code: 'E_BUSY' });
    for (const lock of locks) lock.shutDown();
    await expect.poll(async () => (await announce()).status).toBe(200);
  });
});
