// The demo's console as lox's list would hold it: in this account, started by the demo's own entry.
import { UserMistake } from 'lockkit/contract';
import { accountByUid } from 'lockkit/native';
import type { LoxRow } from '../lox/run-lox.js';
import type { DemoPlay, DemoScene } from './play-demo.js';

export function demoRow<P>(play: DemoPlay<P>, scene: DemoScene, folder: string): LoxRow {
  const account = accountByUid(process.getuid?.() ?? -1);
  if (account === null) throw new UserMistake('this account has no entry in the system’s list of accounts');
  return {
    lock: play.lock.contract.name,
    command: [process.execPath, process.argv[1] ?? '', '--demo-console', folder],
    profile: play.profile,
    instance: '',
    projectDir: scene.projectRoot,
    allowUnmask: false,
    showResults: false,
    consoleUid: account.uid,
    consoleAccount: account.name,
  };
}
