// The demo without the window: lox's hub and desk as text, the console in this process, told to whoever reads and answers
// here, or to the script of `--answer`. Called by play-demo.ts.
import { processClock } from 'lockkit/approval';
import { runConsole, type ConsoleEnd } from 'lockkit/console';
import { join } from 'node:path';
import { placeIn } from '../lox/lox-place.js';
import type { Cast } from './cast.js';
import { openDemoAgent } from './demo-agent.js';
import { demoFolder } from './demo-folder.js';
import { demoRow } from './demo-row.js';
import type { DemoEnd, DemoPlay, DemoScene } from './play-demo.js';
import { openTextLox } from './text-lox.js';

/** Throws what the story threw. The story's end ends the console; a console that ends first ends the story. */
export async function playInText<P>(
  play: DemoPlay<P>,
  scene: DemoScene,
  folder: string,
  cast: Cast,
): Promise<DemoEnd> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  const { human, saidNo } = cast.watched;
  const row = demoRow(play, scene, folder);
  const lox = await openTextLox(row, placeIn(join(folder, 'lox'), join(folder, 'lox')), human);
  const demo = demoFolder(folder);
  const { name } = play.lock.contract;
  let outcome: { readonly failure: unknown } | undefined;
  const tell = async (): Promise<void> => {
    cast.ready();
    const story = scene.tell({
      agent: openDemoAgent(name, play.commandFile, scene.projectRoot, demo.socketDir, cast.say),
      say: (text) => cast.say(`\n${text}\n`),
      decided: lox.decided,
      command: cast.command,
    });
    outcome = await story.then(
      () => ({ failure: null }),
      (failure: unknown) => ({ failure }),
    );
    stop.abort();
  };
  const none = { allowUnmask: false, showResults: false, allowedUids: [] };
  const wish = { profile: play.profile, projectDir: scene.projectRoot, ...none, demo, hub: lox.hub };
  let end: ConsoleEnd;
  try {
    end = await runConsole(play.lock, wish, {
      human,
      uid: row.consoleUid,
      env: process.env,
      nowMs: Date.now,
      after: processClock.after,
      signal: stop.signal,
      desktopLevel: 1,
      onTicketKey: lox.onTicketKey,
      onReady: () => void tell(),
    });
  } catch (error) {
    if (!saidNo()) throw error;
    return 'refused';
  } finally {
    await lox.close();
  }
  if (end === 'failed' || end === 'lost') throw new Error(`the demo’s console ended: ${end}`);
  // The human left while the story was told: what it says then counts no more.
  if (end !== 'signal' || outcome === undefined) return 'left';
  if (outcome.failure !== null) throw outcome.failure;
  return 'told';
}
