import { existsSync, fstatSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from '../sources/workspace.js';
import { scratchDir } from '../test/built-plugins.js';
import { countingBytes } from '../test/counting-bytes.js';
import { FILE_NON_EMPTY, FORMAT_IS_PDF, PDF_PARSES } from '../test/sample-plugins.js';
import { HandleTable, MAX_HANDLES_PER_PEER, randomWord, releasedAnswers } from './handle-table.js';
import type { Question } from './question.js';

describe('randomWord', () => {
  test('uses every character and never the biased bytes', () => {
    const bytes = (count: number): Uint8Array =>
      Uint8Array.from({ length: count }, (_, at) => (at * 37 + 248) % 256);
    expect(randomWord(8, bytes)).toMatch(/^[0-9A-Za-z]{8}$/);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (given) => {
        fc.pre(given.some((byte) => byte < 248));
        expect(
          randomWord(6, (count) =>
            Uint8Array.from({ length: count }, () => given.find((byte) => byte < 248) ?? 0),
          ),
        ).toMatch(/^[0-9A-Za-z]{6}$/);
      }),
      { numRuns: 50 },
    );
  });
});

describe('HandleTable', () => {
  let dir: string;
  let remove: () => void;
  let workspace: Workspace;
  let handles: HandleTable;

  beforeEach(() => {
    ({ dir, remove } = scratchDir());
    workspace = openWorkspace(dir);
    handles = new HandleTable(workspace, countingBytes());
  });
  afterEach(() => {
    handles.releaseAll();
    workspace.close();
    remove();
  });

  const question = (plugin: typeof FILE_NON_EMPTY): Question => ({ plugin, bindings: [] });

  function fetched(peerUid = 1000): { readonly id: string; readonly path: string; readonly fd: number } {
    const begun = handles.begin(peerUid);
    if (!begun.ok) throw new Error(begun.code);
    const path = workspace.create(begun.value);
    writeFileSync(path, 'x');
    const fd = openSync(path, 'r');
    handles.add(begun.value, 'k', { fd, bytes: 1, contentHash: 'h' });
    return { id: begun.value, path, fd };
  }

  test('a handle is found by its own account alone, until it is released', () => {
    const { id, path, fd } = fetched();
    expect(id).toMatch(/^f_[0-9A-Za-z]{6}$/);
    expect(handles.find(id, 1000)?.key).toBe('k');
    expect(handles.find(id, 1001)).toBeUndefined();
    handles.release(id);
    expect(handles.find(id, 1000)).toBeUndefined();
    expect(existsSync(path)).toBe(false);
    expect(() => fstatSync(fd)).toThrow('EBADF');
    handles.release(id);
  });

  test('a file that a run reads is closed only when the run is done', async () => {
    const { id, path, fd } = fetched();
    await handles.using(id, async (file) => {
      handles.release(id);
      expect(existsSync(path)).toBe(false);
      expect(fstatSync(file.fd).size).toBe(1);
    });
    expect(() => fstatSync(fd)).toThrow('EBADF');
  });

  test('two runs at once never take more places than there are', () => {
    const { id } = fetched();
    expect(handles.reserve(id, [question(FILE_NON_EMPTY)], 2).ok).toBe(true);
    expect(handles.reserve(id, [question(FORMAT_IS_PDF), question(PDF_PARSES)], 2)).toMatchObject({
      code: 'E_TOO_MANY_PLUGINS',
    });
    expect(handles.reserve(id, [question(FORMAT_IS_PDF)], 2).ok).toBe(true);
    expect(handles.reserve(id, [question(FILE_NON_EMPTY)], 2).ok).toBe(true);
    expect(handles.reserve(id, [question(PDF_PARSES)], 2)).toMatchObject({ code: 'E_TOO_MANY_PLUGINS' });
  });

  test('shows only released answers', () => {
    const { id } = fetched();
    handles.reserve(id, [question(FILE_NON_EMPTY), question(FORMAT_IS_PDF)], 8);
    const handle = handles.find(id, 1000);
    expect(handle && releasedAnswers(handle)).toStrictEqual([]);
    handles.record(id, question(FORMAT_IS_PDF), { plugin: 'format.is-pdf', version: '1.0.0', result: 0 });
    expect(handle && releasedAnswers(handle)).toMatchObject([{ plugin: 'format.is-pdf', result: 0 }]);
  });

  test('files and fetches of one account are bounded', () => {
    for (let i = 0; i < MAX_HANDLES_PER_PEER - 1; i++) handles.begin(1000);
    fetched();
    expect(handles.begin(1000)).toMatchObject({ code: 'E_TOO_MANY_HANDLES' });
    expect(handles.begin(1001).ok).toBe(true);
  });

  test('a dropped fetch leaves nothing', () => {
    const begun = handles.begin(1000);
    const id = begun.ok ? begun.value : '';
    mkdirSync(join(workspace.create(id), '..'), { recursive: true });
    handles.drop(id);
    expect(handles.find(id, 1000)).toBeUndefined();
    expect(() => workspace.create(id)).not.toThrow();
  });
});
