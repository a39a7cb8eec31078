// The demo with lox: one window, the console as its child, tickets through lox's own hub, the real command as the agent.
// Called by play-demo.ts where a person sits at a terminal. The story ends the window.
import { accountByUid } from 'lockkit/native';
import { UserMistake } from 'lockkit/contract';
import { join } from 'node:path';
import { placeIn } from '../lox/lox-place.js';
import { runLox, type LoxRow, type RunningLox } from '../lox/run-lox.js';
import { openDemoAgent, type RunAgent } from './demo-agent.js';
import { demoFolder } from './demo-folder.js';
import type { DemoPlay, DemoScene } from './play-demo.js';

const LOOK_MS = 300;

/** Throws what the story threw. `said` collects what was told, for after the window. */
export async function playInLox<P>(play: DemoPlay<P>, scene: DemoScene, folder: string): Promise<void> {
  const account = accountByUid(process.getuid?.() ?? -1);
  if (account === null) throw new UserMistake('this account has no entry in the system’s list of accounts');
  const { stdin, stdout, env } = process;
  const silent = (): void => undefined;
  const io = { out: silent, err: silent, stdin, stdout, env, account, cwd: scene.projectRoot };
  const told: { end: Promise<unknown> } = { end: Promise.resolve(null) };
  let left = false;
  await runLox({
    rows: [rowOf(play, scene, folder, account.uid, account.name)],
    place: placeIn(join(folder, 'lox'), join(folder, 'lox')),
    io,
    desktopLevel: 1,
    onReady: (lox) => {
      told.end = tellStory(play, scene, folder, lox, () => left).then(
        () => null,
        (error: unknown) => error,
      );
      void told.end.then(() => lox.stop());
    },
  });
  left = true;
  const failure = await told.end;
  if (failure !== null && failure !== LEFT) throw failure;
}

const LEFT = new Error('the human left');

function rowOf<P>(play: DemoPlay<P>, scene: DemoScene, folder: string, uid: number, account: string): LoxRow {
  const { name: lock } = play.lock.contract;
  return {
    lock,
    command: [process.execPath, process.argv[1] ?? '', '--demo-console', folder],
    profile: play.profile,
    instance: '',
    projectDir: scene.projectRoot,
    allowUnmask: false,
    showResults: false,
    consoleUid: uid,
    consoleAccount: account,
  };
}

async function tellStory<P>(
  play: DemoPlay<P>,
  scene: DemoScene,
  folder: string,
  lox: RunningLox,
  hasLeft: () => boolean,
): Promise<void> {
  const say = (text: string): void =>
    text.split('\n').forEach((line) => (line.trim() === '' ? undefined : lox.note([line])));
  const open = (out: (text: string) => void): RunAgent =>
    openDemoAgent(
      play.lock.contract.name,
      play.commandFile,
      scene.projectRoot,
      demoFolder(folder).socketDir,
      out,
    );
  const [agent, quiet] = [open(say), open(() => undefined)];
  let ticket = '';
  const until = async (holds: (status: string) => boolean): Promise<void> => {
    for (;;) {
      if (hasLeft()) throw LEFT;
      if (holds(JSON.stringify(await quiet(['status', '--json'])))) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  say('Approve the policy first: read it to its end, type y and Enter.');
  await until((status) => status.includes('"console":"running"'));
  await scene.tell({
    agent: async (argv) => {
      const result = await agent(argv);
      ticket = String(result.ticket ?? '');
      return result;
    },
    say,
    decided: () => lox.decided(ticket),
    command: async (name) => {
      say(`Type ${name} and Enter.`);
      await until((status) => status.includes('"policy":"approved"'));
    },
  });
}
