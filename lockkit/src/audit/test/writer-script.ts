// A real writer of the log named by its first argument, told by its second what to do. It prints the number of every
// record whose append resolved, so that a test knows what must be on disk.
import { lockFile } from '../../native/kernel.js';
import { openAuditLog, type AuditLog } from '../audit-log.js';

const [dir = '', task = ''] = process.argv.slice(2);

function open(): Promise<AuditLog> {
  return openAuditLog({ dir, profile: 'web', now: () => new Date(), lock: lockFile });
}

/** Waits for its turn as a second console would not: it asks again until the lock is free. */
async function openPatiently(): Promise<AuditLog> {
  for (;;) {
    try {
      return await open();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function writeForEver(log: AuditLog): Promise<never> {
  for (let n = 0; ; n += 1) {
    const { seq } = await log.append({ event: 'test.event', n, text: 'x'.repeat(n % 3000) });
    process.stdout.write(`${seq}\n`);
  }
}

switch (task) {
  case 'for_ever':
    await writeForEver(await open());
    break;
  case 'one': {
    const log = await openPatiently();
    await log.append({ event: 'test.event', pid: process.pid });
    await log.close();
    break;
  }
  case 'hold':
    await open();
    process.stdout.write('held\n');
    setInterval(() => undefined, 1000);
    break;
  case 'start_and_die': {
    const log = await open();
    await log.append({ event: 'effect.start', opens: 'e1' });
    process.kill(process.pid, 'SIGKILL');
    break;
  }
}
