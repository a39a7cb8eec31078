// The demo of any lock: its console in this terminal, the real command as its agent, one throwaway folder, and at
// the end the audit log (docs/decisions.md, "Demo mode"). Called by a product's demo entry, which the installed
// command does not contain. It knows one profile, its own, so that it is never the way to run a lock for real.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderVerdict, showAudit, verifyAudit } from 'lockkit/audit';
import { runConsole, type DemoFolder, type LockType } from 'lockkit/console';
import { UserMistake } from 'lockkit/contract';
import { auditFolder } from 'lockkit/setting';
import { canDrawWindow } from '../window/terminal-kind.js';
import { parseCast, type Cast } from './cast.js';
import { openDemoAgent, type RunAgent } from './demo-agent.js';
import { runDemoConsole } from './demo-console.js';
import { makeDemoFolder } from './demo-folder.js';
import { playInLox } from './play-in-lox.js';

/** What a story may use: the agent, the human's attention, and words for whoever watches. */
export interface StoryParts {
  readonly agent: RunAgent;
  readonly say: (text: string) => void;
  /** Resolves when no question waits for the human. */
  readonly decided: () => Promise<void>;
  /** Types a command, or asks the person to type it. */
  readonly command: Cast['command'];
}

/** The scene of one lock: a project with its policy, what stands behind it, and the story. */
export interface DemoScene {
  readonly projectRoot: string;
  readonly tell: (parts: StoryParts) => Promise<void>;
  readonly close: () => void;
}

export interface DemoPlay<P> {
  readonly lock: LockType<P>;
  readonly profile: string;
  /** The file that starts the lock's command. */
  readonly commandFile: string;
  readonly openScene: (folder: string, state: DemoFolder) => Promise<DemoScene>;
}

function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
}

/** true: the log is whole. */
async function showLog(
  demo: DemoFolder,
  projectRoot: string,
  profile: string,
  say: (text: string) => void,
): Promise<boolean> {
  const folder = auditFolder(demo.stateDir, projectRoot, profile, '');
  say('\nThe audit log of this minute:\n');
  await showAudit(folder, { json: false }, (line) => say(`  ${line}\n`));
  const verdict = await verifyAudit(folder);
  for (const line of renderVerdict(verdict)) say(`${line}\n`);
  return verdict.verdict === 'intact';
}

/** Starts the console; once agents may ask, the story is told, and its end ends the console. */
async function runScene<P>(play: DemoPlay<P>, scene: DemoScene, demo: DemoFolder, cast: Cast): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  const { name } = play.lock.contract;
  const story: StoryParts = {
    agent: openDemoAgent(name, play.commandFile, scene.projectRoot, demo.socketDir, cast.say),
    say: (text) => cast.say(`\n${text}\n`),
    decided: cast.watched.settled,
    command: cast.command,
  };
  const told: { end: Promise<unknown> } = { end: Promise.resolve(null) };
  const onReady = (): void => {
    told.end = scene.tell(story).then(
      () => null,
      (error: unknown) => error,
    );
    void told.end.then(() => stop.abort());
  };
  const wish = {
    profile: play.profile,
    projectDir: scene.projectRoot,
    allowUnmask: false,
    showResults: false,
    allowedUids: [],
    demo,
  };
  const uid = process.getuid?.() ?? -1;
  const { human } = cast.watched;
  await runConsole(play.lock, wish, {
    human,
    uid,
    env: process.env,
    nowMs: Date.now,
    after,
    signal: stop.signal,
    desktopLevel: 1,
    onReady,
  });
  const failure = await told.end;
  if (failure !== null) throw failure;
}

/** A person at a terminal gets lox and its window; the log is printed where the window was. */
async function runPlayInLox<P>(play: DemoPlay<P>, folder: string): Promise<number> {
  const demo = makeDemoFolder(folder);
  const scene = await play.openScene(folder, demo);
  try {
    await playInLox(play, scene, folder);
    const say = (text: string): void => void process.stdout.write(text);
    return (await showLog(demo, scene.projectRoot, play.profile, say)) ? 0 : 1;
  } finally {
    scene.close();
  }
}

async function runPlay<P>(play: DemoPlay<P>, folder: string, cast: Cast): Promise<number> {
  const demo = makeDemoFolder(folder);
  const scene = await play.openScene(folder, demo);
  try {
    await runScene(play, scene, demo, cast);
    return (await showLog(demo, scene.projectRoot, play.profile, cast.say)) ? 0 : 1;
  } finally {
    scene.close();
    await cast.watched.human.close();
  }
}

function fail(error: unknown): void {
  const sentence = error instanceof UserMistake ? error.message : String(error);
  process.stderr.write(`demo: ${sentence}\n`);
  process.exitCode = 1;
}

/** The whole process of a demo; `argv` is empty, `--plain`, or `--answer y|n`. Sets the exit code. */
export async function playDemo<P>(play: DemoPlay<P>, argv: readonly string[]): Promise<void> {
  const [flag, consoleFolder, ...rest] = argv;
  // Started by the window of a demo that already runs, in that demo's folder.
  if (flag === '--demo-console')
    return runDemoConsole(play, consoleFolder ?? '', rest).catch((error: unknown) => fail(error));
  const folder = mkdtempSync(join(tmpdir(), `${play.lock.contract.name}-demo-`));
  try {
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
    const inLox = argv.length === 0 && canDrawWindow({ isTerminal, env: process.env });
    process.exitCode = await (inLox ? runPlayInLox(play, folder) : runPlay(play, folder, parseCast(argv)));
  } catch (error) {
    fail(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
