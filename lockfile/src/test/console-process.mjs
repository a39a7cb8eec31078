// A console in a process of its own, so that a test can kill it: the built product, a human that says yes.
// Arguments: the folders as JSON. Prints `ready` when agents may ask.
import { runConsole } from 'lockkit/console';
import { makeLockfileLock } from '../../dist/console/lockfile-lock.js';

const { pluginsDir, projectRoot, demo } = JSON.parse(process.argv[2]);
const human = {
  show: () => Promise.resolve(),
  ask: () => Promise.resolve({ kind: 'yes' }),
  note: () => undefined,
  onCommand: () => () => undefined,
  gone: new AbortController().signal,
  close: () => Promise.resolve(),
};
await runConsole(
  makeLockfileLock({ pluginsDir }),
  {
    profile: 'samples',
    projectDir: projectRoot,
    allowUnmask: false,
    showResults: false,
    allowedUids: [],
    demo,
  },
  {
    human,
    uid: process.getuid(),
    env: {},
    nowMs: Date.now,
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
    signal: new AbortController().signal,
    desktopLevel: 3,
    onReady: () => process.stdout.write('ready\n'),
  },
);
