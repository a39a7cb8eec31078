// The demo with lox: one window, the console as its child, tickets through lox's own hub, the real command as the agent.
// Called by play-demo.ts where a person sits at a terminal. The story's end ends the window.
import { accountByUid } from 'lockkit/native';
import { UserMistake } from 'lockkit/contract';
import { auditFolder } from 'lockkit/setting';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSED } from '../lox/console-runner.js';
import { placeIn } from '../lox/lox-place.js';
import { runLox, type RunningLox } from '../lox/run-lox.js';
import { openDemoAgent, type RunAgent } from './demo-agent.js';
import { SAID_NO_EXIT } from './demo-console.js';
import { demoFolder } from './demo-folder.js';
import { demoRow } from './demo-row.js';
import type { DemoEnd, DemoPlay, DemoScene } from './play-demo.js';

const LOOK_MS = 300;

/** Throws what the story threw, or how the console failed. */
export async function playInLox<P>(play: DemoPlay<P>, scene: DemoScene, folder: string): Promise<DemoEnd> {
  const account = accountByUid(process.getuid?.() ?? -1);
  if (account === null) throw new UserMistake('this account has no entry in the system’s list of accounts');
  const { stdin, stdout, env } = process;
  const silent = (): void => undefined;
  const io = { out: silent, err: silent, stdin, stdout, env, account, cwd: scene.projectRoot };
  let outcome = 'left' as DemoEnd | { readonly failure: unknown };
  const isOver = (): boolean => outcome !== 'left';
  let hasLeft = false;
  await runLox({
    rows: [demoRow(play, scene, folder)],
    place: placeIn(join(folder, 'lox'), join(folder, 'lox')),
    io,
    desktopLevel: 1,
    onReady: (lox) => {
      const end = (how: typeof outcome): void => {
        if (!isOver() && !hasLeft) outcome = how;
        lox.stop();
      };
      const story = tellStory(play, scene, folder, lox, () => hasLeft || isOver());
      void story.then(
        () => end('told'),
        (failure: unknown) => end({ failure }),
      );
      void lox.consoleEnded.then((how) => {
        if (how === CLOSED) lox.stop();
        else
          end(
            how === `exit ${SAID_NO_EXIT}` ? 'refused' : { failure: new Error(`the console ended: ${how}`) },
          );
      });
    },
  });
  hasLeft = true;
  if (typeof outcome === 'object') throw outcome.failure;
  return outcome;
}

async function tellStory<P>(
  play: DemoPlay<P>,
  scene: DemoScene,
  folder: string,
  lox: RunningLox,
  isOver: () => boolean,
): Promise<void> {
  const { name } = play.lock.contract;
  const demo = demoFolder(folder);
  const say = (text: string): void =>
    text.split('\n').forEach((line) => (line.trim() === '' ? undefined : lox.note([line])));
  const open = (out: (text: string) => void): RunAgent =>
    openDemoAgent(name, play.commandFile, scene.projectRoot, demo.socketDir, out);
  const quiet = open(() => undefined);
  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await holds())) {
      if (isOver()) throw new Error('the demo is over');
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  const isServing = async (): Promise<boolean> =>
    JSON.stringify(await quiet(['status', '--json'])).includes('"console":"running"');
  const reviews = (): number => countReviews(auditFolder(demo.stateDir, scene.projectRoot, play.profile, ''));
  say('Approve the policy first: read it to its end, type y and Enter.');
  await until(isServing);
  await scene.tell({
    agent: open(say),
    say,
    decided: lox.decided,
    command: async (command) => {
      const before = reviews();
      say(`Type ${command} and Enter.`);
      await until(() => reviews() > before);
    },
  });
}

/** The reviews that ended, with a yes or a no: the log has each of them. */
function countReviews(folder: string): number {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .reduce(
      (sum, file) =>
        sum +
        (readFileSync(join(folder, file), 'utf8').match(/"event":"policy\.(approved|refused)"/g) ?? [])
          .length,
      0,
    );
}
