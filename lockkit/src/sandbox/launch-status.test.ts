import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lockkitPath } from './built-program.js';
import { LAUNCH_STAGES, parseLaunchStatus } from './launch-status.js';

function record(magic: number, stage: number, errno: number): Buffer {
  const bytes = Buffer.alloc(12);
  [magic, stage, errno].forEach((word, index) => bytes.writeUInt32LE(word, 4 * index));
  return bytes;
}

describe('parseLaunchStatus', () => {
  it('takes the end of the socket without a byte as running', () => {
    expect(parseLaunchStatus(Buffer.alloc(0))).toEqual({ kind: 'running' });
  });

  it('reads a record', () => {
    expect(parseLaunchStatus(record(0x31464b4c, 14, 13))).toEqual({
      kind: 'failed',
      stage: 'exec',
      errno: 13,
    });
  });

  it('never takes any byte as running', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 13 }), (bytes) => {
        expect(parseLaunchStatus(Buffer.from(bytes)).kind).toBe('failed');
      }),
    );
    expect(parseLaunchStatus(record(0x31464b4c, 0, 0))).toMatchObject({ stage: 'unknown' });
    expect(parseLaunchStatus(record(0x31464b4c, 99, 0))).toMatchObject({ stage: 'unknown' });
    expect(parseLaunchStatus(record(1, 1, 0))).toMatchObject({ stage: 'unknown' });
  });
});

describe('LAUNCH_STAGES', () => {
  it('is the list of the launcher, in its order', () => {
    const source = readFileSync(lockkitPath('native', 'launcher.c'), 'utf8');
    const [, list = ''] = /enum stage \{([^}]*)\}/.exec(source) ?? [];
    const names = [...list.matchAll(/STAGE_([A-Z_]+)/g)].map(([, name]) => name?.toLowerCase());
    expect(names).toEqual([...LAUNCH_STAGES]);
  });
});
