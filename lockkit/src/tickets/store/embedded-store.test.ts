import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserMistake } from '../../contract/fault.js';
import { lockFile } from '../../native/kernel.js';
import { makeSigningKey } from '../signing.js';
import { after, sampleConsole, sampleDecision, START } from '../test/samples.js';
import { describeStore } from '../test/store-contract.js';
import { openEmbeddedStore } from './embedded-store.js';
import { StoreFault, type TicketStore } from './ticket-store.js';

let folder: string;
let opened: TicketStore[] = [];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lock-hub-')), 'hub');
});
afterEach(async () => {
  for (const store of opened) await store.shutDown().catch(() => undefined);
  opened = [];
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

async function open(fileBytes?: number): Promise<TicketStore> {
  const size = fileBytes === undefined ? {} : { fileBytes };
  const store = await openEmbeddedStore({ folder, lock: lockFile, ...size });
  opened.push(store);
  return store;
}

const file = (): string => join(folder, 'hub.jsonl');

async function fill(store: TicketStore) {
  const lock = sampleConsole();
  await store.announce('web', lock.row);
  const signed = lock.sign();
  await store.post({ ...signed, owner: 'web', key: lock.signing.key, now: START, maxWaiting: 9 });
  await store.decide(signed.ticket.id, sampleDecision(signed.ticket, makeSigningKey()), after(1));
  return { lock, ticket: signed.ticket };
}

describe.each([
  ['one file', undefined],
  ['a new file at every change', 1],
])('%s', (_name, fileBytes) => {
  describeStore('openEmbeddedStore', async () => {
    const store = await open(fileBytes);
    return {
      store,
      reopen: async () => {
        await store.shutDown();
        return open(fileBytes);
      },
    };
  });
});

describe('openEmbeddedStore: the file', () => {
  test('is private, and of one hub at a time', async () => {
    const store = await open();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    await expect(open()).rejects.toThrow(UserMistake);
    await store.shutDown();
    await (await open()).shutDown();
  });

  test('a folder or file open to others, a link, a second name: refused', async () => {
    mkdirSync(folder, { mode: 0o755 });
    await expect(open()).rejects.toThrow(UserMistake);
    chmodSync(folder, 0o700);
    writeFileSync(file(), '', { mode: 0o644 });
    await expect(open()).rejects.toThrow(UserMistake);
    rmSync(file());
    symlinkSync('/dev/null', file());
    await expect(open()).rejects.toThrow();
  });

  test('a torn last line, whatever its length, is set aside; what was answered is there', async () => {
    const first = await open();
    const { ticket } = await fill(first);
    await first.shutDown();
    const whole = readFileSync(file());
    const lines = whole.toString().split('\n');
    const last = `${lines[2]}\n`;
    for (let cut = 1; cut < last.length; cut += 97) {
      writeFileSync(file(), whole.subarray(0, whole.length - cut));
      const store = await open();
      expect(await store.head()).toBe(2);
      expect((await store.find(ticket.id))?.entry.state).toBe('pending');
      await store.shutDown();
      expect(readFileSync(file(), 'utf8').endsWith('\n')).toBe(true);
    }
    expect(readdirSync(folder).some((name) => name.startsWith('hub.torn-'))).toBe(true);
  });

  test('a crash after a torn line was set aside and before it was cut off: the hub starts', async () => {
    const first = await open();
    await fill(first);
    await first.shutDown();
    const torn = readFileSync(file()).subarray(0, -1);
    for (let start = 0; start < 2; start += 1) {
      writeFileSync(file(), torn);
      const store = await open();
      expect(await store.head()).toBe(2);
      await store.shutDown();
    }
  });

  test('a changed, lost, repeated or foreign line in the middle: the hub does not start on it', async () => {
    const store = await open();
    await fill(store);
    await store.shutDown();
    const [a = '', b = '', c = ''] = readFileSync(file(), 'utf8').split('\n');
    const spoiled = [
      [a, b.replace('"profile":"web"', '"profile":"wob"'), c],
      [a, c],
      [b, c],
      [a, b, b, c],
      [a, '', b, c],
      [a, '{}', b, c],
      [a, b, c.replace('"approved"', '"denied"')],
    ];
    for (const lines of spoiled) {
      writeFileSync(file(), `${lines.join('\n')}\n`);
      await expect(open()).rejects.toThrow(UserMistake);
    }
    writeFileSync(file(), `${[a, b, c].join('\n')}\n`);
    appendFileSync(file(), Buffer.alloc(3 * 1024 * 1024, 0x61));
    await expect(open()).rejects.toThrow(UserMistake);
  });

  test('a file that is full is read on: everything stays listed, and nothing is written to it any more', async () => {
    const store = await open(20_000);
    const lock = sampleConsole();
    await store.announce('web', lock.row);
    const posted = Array.from({ length: 40 }, () => lock.sign());
    for (const signed of posted)
      await store.post({ ...signed, owner: 'web', key: lock.signing.key, now: START, maxWaiting: 99 });
    for (const { ticket } of posted)
      await store.close({ owner: 'web', id: ticket.id, state: 'withdrawn', now: after(1) });
    const listed = await store.page({ state: 'closed', from: { after: 0 }, count: 99 });
    expect(listed.map(({ ticket }) => ticket.id)).toEqual(posted.map(({ ticket }) => ticket.id));
    await store.shutDown();
    const names = readdirSync(folder).sort();
    expect(names.slice(0, 2)).toEqual(['hub-000001.jsonl', 'hub-000002.jsonl']);
    for (const name of names) {
      expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(20_000);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    const again = await open(20_000);
    expect(await again.page({ state: 'closed', from: { after: 0 }, count: 99 })).toEqual(listed);
  });

  test('a crash between the two steps of a new file loses nothing; a file that is gone or cut stops the start', async () => {
    const first = await open(1);
    const { ticket } = await fill(first);
    await first.shutDown();
    // As a crash leaves it: the next file is there under its first name, the full one has its number.
    renameSync(file(), join(folder, 'hub-000003.jsonl'));
    await expect(open(1)).rejects.toThrow(UserMistake);
    writeFileSync(join(folder, 'hub.next.jsonl'), '', { mode: 0o600 });
    const second = await open(1);
    expect(await second.head()).toBe(3);
    expect((await second.find(ticket.id))?.entry.state).toBe('approved');
    await second.close({ owner: 'web', id: ticket.id, state: 'used', now: after(2) });
    await second.shutDown();
    const middle = join(folder, 'hub-000002.jsonl');
    const bytes = readFileSync(middle);
    writeFileSync(middle, bytes.subarray(0, -1));
    await expect(open()).rejects.toThrow(UserMistake);
    writeFileSync(middle, bytes.subarray(0, -40));
    await expect(open()).rejects.toThrow(UserMistake);
    rmSync(middle);
    await expect(open()).rejects.toThrow(UserMistake);
    writeFileSync(middle, bytes, { mode: 0o600 });
    chmodSync(middle, 0o644);
    await expect(open()).rejects.toThrow(UserMistake);
    chmodSync(middle, 0o600);
    expect(await (await open()).head()).toBe(4);
  });

  test('after a write that failed nothing is taken any more, and nothing that failed is seen', async () => {
    const store = await open();
    const { lock, ticket } = await fill(store);
    const head = await store.head();
    // The real file, closed under the store: every later write fails as a lost disk would.
    await store.shutDown();
    const late = { ...lock.sign(), owner: 'web', key: lock.signing.key, now: START, maxWaiting: 9 };
    await expect(store.post(late)).rejects.toThrow(StoreFault);
    const closing = { owner: 'web', id: ticket.id, state: 'used' as const, now: after(2) };
    await expect(store.close(closing)).rejects.toThrow(StoreFault);
    expect(await store.head()).toBe(head);
    expect((await store.find(ticket.id))?.entry.state).toBe('approved');
  });
});
