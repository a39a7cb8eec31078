import { describe, expect, test } from 'vitest';
import { Fault } from '../contract/fault.js';
import { LogFileLost, type LogFile } from './log-file.js';
import { LogWriter } from './log-writer.js';
import { createOpenEffects } from './open-effects.js';
import { EMPTY_HEAD } from './record.js';
import { checkLine } from './chain.js';

/** A disk that fails as it is told: errors for the next writes and syncs, in order. */
function disk(errors: { write?: (Error | null)[]; sync?: (Error | null)[] }) {
  const written: Buffer[] = [];
  const step = (list: (Error | null)[] | undefined): void => {
    const error = list?.shift() ?? null;
    if (error !== null) throw error;
  };
  const file: LogFile = {
    size: () => written.reduce((sum, line) => sum + line.length, 0),
    check: () => undefined,
    append: (bytes) => {
      step(errors.write);
      written.push(Buffer.from(bytes));
    },
    sync: async () => step(errors.sync),
    close: () => Promise.resolve(),
  };
  return { file, written };
}

function writerOn(file: LogFile, released: string[] = []) {
  const failures: Fault[] = [];
  const writer = new LogWriter({
    file,
    head: EMPTY_HEAD,
    open: createOpenEffects(),
    profile: 'web',
    now: () => new Date(0),
    releaseSpace: async () => void released.push('released'),
    createNextFile: () => Promise.reject(new Error('not here')),
    saveCheckpoint: () => Promise.resolve(),
    onFailed: (fault) => failures.push(fault),
    maxFileBytes: 1e9,
  });
  return { writer, failures };
}

const EVENT = { event: 'test.event', profile: 'web' };
const systemError = (code: string): Error => Object.assign(new Error(code), { code });

function expectWholeChain(written: readonly Buffer[]): void {
  let head = EMPTY_HEAD;
  for (const line of written) {
    const checked = checkLine(head, line.subarray(0, -1));
    expect(checked.ok).toBe(true);
    if (checked.ok) head = checked.head;
  }
}

describe('LogWriter.append', () => {
  test('A6-026: moves its head only after a write succeeded: no gap after one that failed', async () => {
    const { file, written } = disk({ write: [null, systemError('EIO'), null] });
    const { writer, failures } = writerOn(file);
    await writer.append(EVENT);
    await expect(writer.append(EVENT)).rejects.toThrow(Fault);
    expect(await writer.append(EVENT)).toMatchObject({ seq: 2 });
    expect(failures).toHaveLength(1);
    expectWholeChain(written);
  });

  test('A6-027: writes nothing more after a failed sync, so nothing runs', async () => {
    const { file, written } = disk({ sync: [null, systemError('EIO')] });
    const { writer } = writerOn(file);
    await writer.append(EVENT);
    await expect(writer.append(EVENT)).rejects.toThrow(Fault);
    await expect(writer.append(EVENT)).rejects.toThrow(Fault);
    expect(written).toHaveLength(2);
  });

  test('writes nothing more after half a record that could not be taken back', async () => {
    const { file, written } = disk({ write: [new LogFileLost('half')] });
    const { writer } = writerOn(file);
    await expect(writer.append(EVENT)).rejects.toThrow(Fault);
    await expect(writer.append(EVENT)).rejects.toThrow(Fault);
    expect(written).toHaveLength(0);
  });

  test('uses the kept space on a full disk, and tells the console to stop', async () => {
    const released: string[] = [];
    const { file, written } = disk({ write: [systemError('ENOSPC')] });
    const { writer, failures } = writerOn(file, released);
    await writer.append(EVENT);
    expect(released).toEqual(['released']);
    expect(failures).toHaveLength(1);
    expectWholeChain(written);
  });
});
