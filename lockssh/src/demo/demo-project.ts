// The demo's throwaway project: a folder with a policy, a log that holds what must not leave, nothing of the user's.
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { encodeDemoPolicy, type DemoPolicy } from './demo-policy.js';

export const DEMO_PROFILE = 'demo';

const LOG = [
  '12:00:01 login ok for anna.berg@example.org from 203.0.113.7',
  '12:00:04 payment 4111 1111 1111 1111 accepted, call +32 2 555 12 12 if in doubt',
  '12:00:09 db connect password=S3cret-Demo-Only host=db1',
  '12:00:12 refund to BE68 5390 0754 7034 done',
  '12:00:15 disk 71 % full',
  '',
].join('\n');

export interface DemoProject {
  readonly root: string;
  readonly logFile: string;
  /** Rewrites the policy file, as a person or an agent with the project open could. */
  readonly writePolicy: (policy: DemoPolicy) => void;
}

export function openDemoProject(folder: string): DemoProject {
  const root = join(folder, 'project');
  mkdirSync(join(root, '.lockssh'), { recursive: true, mode: 0o700 });
  const logFile = join(folder, 'server-app.log');
  writeFileSync(logFile, LOG, { mode: 0o600 });
  const file = join(root, '.lockssh/config.toml');
  return {
    root,
    logFile,
    writePolicy: (policy) => writeFileSync(file, encodeDemoPolicy(policy), { mode: 0o600 }),
  };
}

export function demoPolicy(port: number, keyFile: string, knownHosts: string, logFile: string): DemoPolicy {
  return {
    host: '127.0.0.1',
    port,
    user: userInfo().username,
    key: keyFile,
    known_hosts: knownHosts,
    exec: false,
    allow: ['uptime', 'df -h', `cat ${logFile}`],
  };
}
