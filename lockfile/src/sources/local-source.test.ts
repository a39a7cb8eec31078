import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scratchDir } from '../test/built-plugins.js';
import { fetchObject, type FetchParts } from './fetch-object.js';
import { openLocalSource } from './local-source.js';
import { openBeneath } from './open-beneath.js';
import { FetchFailure, type OpenObject, type Source } from './source.js';

let dir: string;
let remove: () => void;
let root: string;

beforeEach(() => {
  ({ dir, remove } = scratchDir());
  root = join(dir, 'root');
  mkdirSync(join(root, 'invoices/2026'), { recursive: true });
  writeFileSync(join(root, 'invoices/2026/a.pdf'), '%PDF-1.7\n');
  writeFileSync(join(dir, 'outside.txt'), 'secret');
});
afterEach(() => remove());

const after = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

function parts(source: Source, changes: Partial<FetchParts> = {}): FetchParts {
  return {
    source,
    limits: { maxBytes: 1_000_000, stallMs: 60_000 },
    signal: new AbortController().signal,
    after,
    ...changes,
  };
}

async function causeOf(running: Promise<unknown>): Promise<string> {
  try {
    await running;
    return 'none';
  } catch (error) {
    return error instanceof FetchFailure ? error.cause : `bug: ${String(error)}`;
  }
}

const fetchKey = (key: string, changes?: Partial<FetchParts>) =>
  fetchObject(key, join(dir, 'fetched'), parts(openLocalSource(root), changes));

/** Descriptors of this process that point beneath the scratch folder. */
function openHere(): readonly string[] {
  return readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    })
    .filter((path) => path.startsWith(dir));
}

describe('openLocalSource, fetchObject', () => {
  test('copies a file whole, tells its size and hash, and leaves nothing open but the copy', async () => {
    const file = await fetchKey('invoices/2026/a.pdf');
    expect(readFileSync(file.fd, 'utf8')).toBe('%PDF-1.7\n');
    expect(file.bytes).toBe(9);
    expect(file.contentHash).toBe(createHash('sha256').update('%PDF-1.7\n').digest('hex'));
    expect(openHere()).toStrictEqual([join(dir, 'fetched')]);
    closeSync(file.fd);
  });

  test('an empty file is a file', async () => {
    writeFileSync(join(root, 'empty'), '');
    const file = await fetchKey('empty');
    expect(file.bytes).toBe(0);
    closeSync(file.fd);
  });

  test.each([
    ['a missing file', 'invoices/none.pdf', 'missing'],
    ['a missing folder', 'none/a.pdf', 'missing'],
    ['a file as a folder', 'invoices/2026/a.pdf/x', 'missing'],
    ['a folder', 'invoices/2026', 'not_a_file'],
    ['a name that is too long', 'x'.repeat(300), 'missing'],
  ])('%s: %s', async (_, key, cause) => {
    expect(await causeOf(fetchKey(key))).toBe(cause);
    expect(openHere()).toStrictEqual([]);
  });

  test('a link is refused wherever it stands and wherever it points', async () => {
    symlinkSync(join(dir, 'outside.txt'), join(root, 'out'));
    symlinkSync('a.pdf', join(root, 'invoices/2026/inside'));
    symlinkSync(dir, join(root, 'up'));
    symlinkSync('invoices', join(root, 'folder'));
    symlinkSync('loop', join(root, 'loop'));
    for (const key of [
      'out',
      'invoices/2026/inside',
      'up/outside.txt',
      'folder/2026/a.pdf',
      'loop',
      '/proc/self/root',
    ])
      expect(await causeOf(fetchKey(key)), key).toMatch(/^(link|missing|not_a_file)$/);
    expect(openHere()).toStrictEqual([]);
  });

  test('a root that is a link is the human’s own', async () => {
    symlinkSync(root, join(dir, 'alias'));
    const source = openLocalSource(join(dir, 'alias'));
    const file = await fetchObject('invoices/2026/a.pdf', join(dir, 'fetched'), parts(source));
    expect(file.bytes).toBe(9);
    closeSync(file.fd);
  });

  test('FIFO, socket and device are refused without being opened for reading', async () => {
    execFileSync('mkfifo', [join(root, 'fifo')]);
    const server = createServer().listen(join(root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await causeOf(fetchKey('fifo'))).toBe('not_a_file');
    expect(await causeOf(fetchKey('socket'))).toBe('not_a_file');
    server.close();
    expect(() => openBeneath('/dev', ['zero'])).toThrow(FetchFailure);
  });

  test('a folder that is swapped for a link between its check and its use cannot win', () => {
    // The descriptor of the first component is held; the name then points elsewhere.
    mkdirSync(join(dir, 'elsewhere/2026'), { recursive: true });
    writeFileSync(join(dir, 'elsewhere/2026/a.pdf'), 'secret');
    renameSync(join(root, 'invoices'), join(root, 'moved'));
    symlinkSync(join(dir, 'elsewhere'), join(root, 'invoices'));
    expect(() => openBeneath(root, ['invoices', '2026', 'a.pdf'])).toThrow(FetchFailure);
  });

  test('a segment that climbs is found out on the descriptor, should one ever get here', () => {
    let cause = '';
    try {
      openBeneath(join(root, 'invoices'), ['..', '..', 'outside.txt']);
    } catch (error) {
      cause = (error as FetchFailure).cause;
    }
    expect(cause).toBe('leaves_root');
    expect(openHere()).toStrictEqual([]);
  });

  test('max_object_bytes stops the copy, and no file stays', async () => {
    writeFileSync(join(root, 'big'), Buffer.alloc(700_000));
    expect(await causeOf(fetchKey('big', { limits: { maxBytes: 699_999, stallMs: 60_000 } }))).toBe(
      'too_large',
    );
    expect(readdirSync(dir)).not.toContain('fetched');
    expect(openHere()).toStrictEqual([]);
    const file = await fetchKey('big', { limits: { maxBytes: 700_000, stallMs: 60_000 } });
    expect(file.bytes).toBe(700_000);
    closeSync(file.fd);
  });

  test('a 10 GiB object is refused at the limit, not at its end', async () => {
    writeFileSync(join(root, 'huge'), '');
    truncateSync(join(root, 'huge'), 10 * 1024 ** 3);
    expect(await causeOf(fetchKey('huge'))).toBe('too_large');
  });

  test('the memory of a fetch does not grow with the object', async () => {
    const peakOf = async (bytes: number): Promise<number> => {
      const path = join(dir, `fetched-${bytes}`);
      writeFileSync(join(root, 'sparse'), '');
      truncateSync(join(root, 'sparse'), bytes);
      const source = openLocalSource(root);
      let peak = 0;
      const watched: Source = {
        ...source,
        open: async (key, signal) => {
          const object = await source.open(key, signal);
          const read: OpenObject['read'] = (into, inner) => {
            peak = Math.max(peak, process.memoryUsage().arrayBuffers);
            return object.read(into, inner);
          };
          return { read, close: () => object.close() };
        },
      };
      const limits = { maxBytes: bytes, stallMs: 60_000 };
      const file = await fetchObject('sparse', path, parts(watched, { limits }));
      closeSync(file.fd);
      rmSync(path);
      return peak;
    };
    const small = await peakOf(1024 * 1024);
    expect((await peakOf(128 * 1024 * 1024)) - small).toBeLessThan(4 * 1024 * 1024);
  });

  test('a file that grows while it is read is refused', async () => {
    writeFileSync(join(root, 'grows'), Buffer.alloc(600_000));
    const source = openLocalSource(root);
    const growing: Source = {
      ...source,
      open: async (key, signal) => {
        const object = await source.open(key, signal);
        let reads = 0;
        const read: OpenObject['read'] = async (into, inner) => {
          if (reads++ === 1) appendFileSync(join(root, 'grows'), 'more');
          return object.read(into, inner);
        };
        return { read, close: () => object.close() };
      },
    };
    expect(await causeOf(fetchObject('grows', join(dir, 'fetched'), parts(growing)))).toBe('changed');
  });

  test('a source that stalls is given up, and what it opens later is closed', async () => {
    let closed = 0;
    let answer: (object: OpenObject) => void = () => undefined;
    const object: OpenObject = { read: () => new Promise(() => undefined), close: async () => void closed++ };
    const slowOpen: Source = {
      open: () => new Promise((resolve) => (answer = resolve)),
      close: async () => undefined,
    };
    const fires: (() => void)[] = [];
    const manual = (_: number, call: () => void): (() => void) => {
      fires.push(call);
      return () => undefined;
    };
    const opening = causeOf(fetchObject('k', join(dir, 'fetched'), parts(slowOpen, { after: manual })));
    fires.at(-1)?.();
    expect(await opening).toBe('stalled');
    answer(object);
    await Promise.resolve();
    await Promise.resolve();
    expect(closed).toBe(1);

    const slowRead: Source = { open: async () => object, close: async () => undefined };
    const limits = { maxBytes: 10, stallMs: 20 };
    expect(await causeOf(fetchObject('k', join(dir, 'fetched'), parts(slowRead, { limits })))).toBe(
      'stalled',
    );
    expect(closed).toBe(2);
    expect(readdirSync(dir)).not.toContain('fetched');
  });

  test('an abort ends a fetch at once', async () => {
    const left = new AbortController();
    const object: OpenObject = { read: () => new Promise(() => undefined), close: async () => undefined };
    const source: Source = { open: async () => object, close: async () => undefined };
    const fetching = causeOf(fetchObject('k', join(dir, 'fetched'), parts(source, { signal: left.signal })));
    left.abort();
    expect(await fetching).toBe('aborted');
    expect(await causeOf(fetchKey('invoices/2026/a.pdf', { signal: left.signal }))).toBe('aborted');
  });

  test('a full or missing workspace is a failure of the fetch', async () => {
    const source = openLocalSource(root);
    const path = join(dir, 'no-such-folder/fetched');
    expect(await causeOf(fetchObject('invoices/2026/a.pdf', path, parts(source)))).toBe('disk');
    rmSync(root, { recursive: true });
    expect(await causeOf(fetchKey('invoices/2026/a.pdf'))).toBe('missing');
  });

  test('an existing file of the workspace is never written over', async () => {
    writeFileSync(join(dir, 'fetched'), 'there');
    expect(await causeOf(fetchKey('invoices/2026/a.pdf'))).toBe('disk');
    expect(readFileSync(join(dir, 'fetched'), 'utf8')).toBe('there');
  });
});
