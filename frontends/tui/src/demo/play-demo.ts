// The demo of any lock: lox with its window, or as text, the console, the real command as its agent, one throwaway folder,
// and at the end the audit log (docs/decisions.md, "Demo mode"). Called by a product's demo entry, which the installed
// command does not contain. It knows one profile, its own, so that it is never the way to run a lock for real.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderVerdict, showAudit, verifyAudit } from 'lockkit/audit';
import type { DemoFolder, LockType } from 'lockkit/console';
import { UserMistake } from 'lockkit/contract';
import { auditFolder } from 'lockkit/setting';
import { canDrawWindow } from '../window/terminal-kind.js';
import { parseCast, type Cast } from './cast.js';
import type { RunAgent } from './demo-agent.js';
import { runDemoConsole } from './demo-console.js';
import { makeDemoFolder } from './demo-folder.js';
import { playInLox } from './play-in-lox.js';
import { playInText } from './play-in-text.js';

/** What a story may use: the agent, the human's attention, and words for whoever watches. */
export interface StoryParts {
  readonly agent: RunAgent;
  readonly say: (text: string) => void;
  /** Resolves when the ticket is decided, or closed without a decision. */
  readonly decided: (ticket: string) => Promise<void>;
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

/** How a demo went: to its end, or left before; `refused`: a no at the console's start. Whoever plays throws what failed. */
export type DemoEnd = 'told' | 'left' | 'refused';

const REFUSED =
  'You said no while the console started: it serves nothing, and an agent finds no console to ask. That is all.';

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

/** A person at a terminal gets lox and its window; everybody else gets the same as text. Then the log is printed. */
async function runPlay<P>(play: DemoPlay<P>, folder: string, cast: Cast | null): Promise<number> {
  const demo = makeDemoFolder(folder);
  const scene = await play.openScene(folder, demo);
  const say = cast?.say ?? ((text: string): void => void process.stdout.write(text));
  try {
    const end = await (cast === null
      ? playInLox(play, scene, folder)
      : playInText(play, scene, folder, cast));
    if (end === 'refused') say(`\n${REFUSED}\n`);
    return (await showLog(demo, scene.projectRoot, play.profile, say)) ? 0 : 1;
  } finally {
    scene.close();
    await cast?.watched.human.close();
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
    process.exitCode = await runPlay(play, folder, inLox ? null : parseCast(argv));
  } catch (error) {
    fail(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
