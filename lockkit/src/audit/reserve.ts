// Space that is kept for the log's last records. Called by the writer: when the disk is full the space is given free,
// the record is written, and the console stops. So a full disk ends effects before it ends their record.
import { constants } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { openPrivateFile } from './private-file.js';

const RESERVE_BYTES = 1024 * 1024;

/** Fills the file where it is not full; throws the system's error when the space is not there. */
export async function fillReserve(path: string): Promise<void> {
  const handle = await openPrivateFile(path, constants.O_RDWR | constants.O_CREAT);
  try {
    if ((await handle.stat()).size === RESERVE_BYTES) return;
    await handle.truncate(0);
    // Bytes that no file system can store as a hole or a repetition.
    await handle.writeFile(randomBytes(RESERVE_BYTES));
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

export async function releaseReserve(path: string): Promise<void> {
  const handle = await openPrivateFile(path, constants.O_RDWR | constants.O_CREAT);
  try {
    await handle.truncate(0);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
