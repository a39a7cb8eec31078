import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Fault } from '../contract/fault.js';
import { lockFile } from '../native/kernel.js';
import { openAuditLog } from './audit-log.js';
import { verifyAudit } from './verify-audit.js';

// A file system of its own, small enough to fill. Only root can make one.
const isPossible = process.getuid?.() === 0 || process.env['CI'] === 'true';
const disks: string[] = [];

afterEach(() => {
  for (const disk of disks.splice(0)) execFileSync('umount', ['-l', disk]);
});

function smallDisk(): string {
  const disk = mkdtempSync(join(tmpdir(), 'lock-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'tmpfs', disk]);
  disks.push(disk);
  return disk;
}

/** Writes until the disk is full, then whatever is left in small pieces. */
function fill(disk: string): void {
  for (const [index, size] of [65_536, 4096, 1].entries()) {
    for (let n = 0; ; n += 1) {
      try {
        writeFileSync(join(disk, `fill-${index}-${n}`), Buffer.alloc(size, 1));
      } catch {
        break;
      }
    }
  }
}

test.runIf(isPossible)(
  'a full disk: the record is written, the console is told to stop, the log stays whole',
  async () => {
    const disk = smallDisk();
    const dir = join(disk, 'log');
    const log = await openAuditLog({ dir, profile: 'web', now: () => new Date(), lock: lockFile });
    await log.append({ event: 'test.event' });
    fill(disk);
    let written = 1;
    while (!log.failed.aborted) {
      await log.append({ event: 'test.event', text: 'x'.repeat(3000) });
      written += 1;
    }
    await log.append({ event: 'console.end' });
    expect(log.failed.reason).toBeInstanceOf(Fault);
    await log.close();
    expect(await verifyAudit(dir)).toMatchObject({ verdict: 'intact', records: written + 1 });
  },
);
