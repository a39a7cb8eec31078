// Where the audit log of one profile lies in the console account's state folder. Used by the console that writes
// it and by the commands that read it.
import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The audit log's folder of one profile: `audit/<16 hex of the project | user>-<profile>[@instance]`. */
export function auditFolder(
  stateDir: string,
  projectRoot: string | null,
  profile: string,
  instance: string,
): string {
  const place =
    projectRoot === null ? 'user' : createHash('sha256').update(projectRoot).digest('hex').slice(0, 16);
  return join(stateDir, 'audit', `${place}-${profile}${instance === '' ? '' : `@${instance}`}`);
}
