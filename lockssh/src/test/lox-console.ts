// The lock's command as lox starts it in the tests: every verb is the real command's, and the console is the real one in
// the test's own folders, because a test has no installed console account. Bundled and started by lox.e2e.test.ts.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { openPipeHuman } from '@lockkit/tui/demo';
import { processClock } from 'lockkit/approval';
import { runConsole } from 'lockkit/console';
import { locksshLock } from '../console/lockssh-lock.js';

const [command = '', verb = '', ...rest] = process.argv.slice(2);

async function runTestConsole(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: rest,
    options: {
      ...{ hub: text, 'hub-key-file': text, profile: text, project: text, instance: text },
      'window-pipe': { type: 'boolean' },
    },
  });
  const { hub: url = '', 'hub-key-file': keyFile = '', profile = '', project = '', instance = '' } = values;
  const {
    XDG_STATE_HOME: state = '',
    XDG_RUNTIME_DIR: socketDir = '',
    XDG_CONFIG_HOME: configHome = '',
  } = process.env;
  const streams = { input: process.stdin, output: process.stdout, clock: processClock };
  const human = openPipeHuman({ ...streams, lock: 'lockssh', instance, profile });
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  await runConsole(
    locksshLock,
    {
      ...{ profile, projectDir: project, allowUnmask: true, showResults: false, allowedUids: [] },
      ...(instance === '' ? {} : { instance }),
      demo: { socketDir, stateDir: `${state}/lockssh`, configHome },
      hub: { url, keyFile },
    },
    {
      human,
      uid: process.getuid?.() ?? -1,
      env: {},
      nowMs: Date.now,
      after: processClock.after,
      signal: stop.signal,
      desktopLevel: 1,
      onTicketKey: human.tellTicketKey,
    },
  );
  await human.close();
}

if (verb === 'console') await runTestConsole();
else
  process.exitCode = spawnSync(process.execPath, [command, verb, ...rest], { stdio: 'inherit' }).status ?? 1;
