// Where lox keeps what is its own: the list of locks, the hub's record, sockets and key files, all of one account.
// Called once at lox's start. Touches nothing.
import { join } from 'node:path';
import { stateFolder, userFolder } from 'lockkit/setting';

export interface LoxPlace {
  readonly configDir: string;
  /** The list of locks. */
  readonly listFile: string;
  readonly stateDir: string;
  /** The hub's record. */
  readonly recordDir: string;
  /** Sockets and key files of the run. */
  readonly runDir: string;
  readonly hubSocket: string;
  /** `lox tickets`, `approve`, `deny` and `history` ask the running lox here. */
  readonly controlSocket: string;
}

export function findLoxPlace(home: string, env: Readonly<Record<string, string | undefined>>): LoxPlace {
  const configDir = userFolder('lox', home, env['XDG_CONFIG_HOME']);
  return placeIn(configDir, stateFolder('lox', home, env['XDG_STATE_HOME']));
}

export function placeIn(configDir: string, stateDir: string): LoxPlace {
  const runDir = join(stateDir, 'run');
  return {
    configDir,
    listFile: join(configDir, 'locks.json'),
    stateDir,
    recordDir: join(stateDir, 'record'),
    runDir,
    hubSocket: join(runDir, 'hub.sock'),
    controlSocket: join(runDir, 'lox.sock'),
  };
}
