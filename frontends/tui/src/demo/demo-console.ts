// The demo's console as lox starts it: a child process with the window at the other end of its pipe and the demo's own
// folder as its whole world. Called by play-demo.ts; it serves the demo's profile and no other.
import { parseArgs } from 'node:util';
import { processClock } from 'lockkit/approval';
import { runConsole } from 'lockkit/console';
import { UserMistake } from 'lockkit/contract';
import { openPipeHuman } from '../pipe/pipe-human.js';
import { demoFolder } from './demo-folder.js';
import { observeHuman } from './observed-human.js';
import type { DemoPlay } from './play-demo.js';

/** A no at the console's start ends it, and is no failure of the demo: whoever started it is told so. */
export const SAID_NO_EXIT = 4;

/** `argv` is what lox types: `console --hub … --hub-key-file … --profile … --project … --window-pipe`. */
export async function runDemoConsole<P>(
  play: DemoPlay<P>,
  folder: string,
  argv: readonly string[],
): Promise<void> {
  const [verb, ...flags] = argv;
  if (verb !== 'console') throw new UserMistake('the demo’s console has no other verb');
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: flags,
    options: {
      hub: text,
      'hub-key-file': text,
      profile: text,
      project: text,
      'window-pipe': { type: 'boolean' },
    },
  });
  const { hub, 'hub-key-file': keyFile, profile, project } = values;
  if (hub === undefined || keyFile === undefined || project === undefined || profile !== play.profile)
    throw new UserMistake('the demo’s console is started by the demo alone');
  const { contract } = play.lock;
  const streams = { input: process.stdin, output: process.stdout, clock: processClock };
  const pipe = openPipeHuman({ ...streams, lock: contract.name, instance: '', profile });
  const { human, saidNo } = observeHuman(pipe);
  const ended = new AbortController();
  process.once('SIGTERM', () => ended.abort());
  const none = { allowUnmask: false, showResults: false, allowedUids: [] };
  const wish = {
    profile,
    projectDir: project,
    ...none,
    demo: demoFolder(folder),
    hub: { url: hub, keyFile },
  };
  let isReady = false;
  try {
    await runConsole(play.lock, wish, {
      human,
      uid: process.getuid?.() ?? -1,
      env: process.env,
      nowMs: Date.now,
      after: processClock.after,
      signal: ended.signal,
      desktopLevel: 1,
      onTicketKey: pipe.tellTicketKey,
      onReady: () => (isReady = true),
    });
  } catch (error) {
    if (isReady || !saidNo()) throw error;
    process.exitCode = SAID_NO_EXIT;
  } finally {
    await human.close();
  }
}
