// The demo: a console, a real SSH server and an agent on this machine, in one throwaway folder (docs/decisions.md,
// "Demo mode"). An entry of its own that the installed command does not contain; it knows one profile, its own, so
// that it can never be the way somebody runs a lock for real. `--answer y|n` plays the human and prints everything.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTerminalHuman, processClock, untrusted, type CommandName } from 'lockkit/approval';
import { renderVerdict, showAudit, verifyAudit } from 'lockkit/audit';
import { runConsole, type DemoFolder } from 'lockkit/console';
import { UserMistake } from 'lockkit/contract';
import { auditFolder } from 'lockkit/setting';
import { locksshLock } from '../console/lockssh-lock.js';
import { openDemoAgent } from './demo-agent.js';
import { demoPolicy, DEMO_PROFILE, openDemoProject, type DemoProject } from './demo-project.js';
import { openDemoServer, type DemoServer } from './demo-server.js';
import { tellStory } from './demo-story.js';
import { observeHuman, type ObservedHuman } from './observed-human.js';
import { openScriptedHuman, type ScriptedHuman } from './scripted-human.js';

const commandFile = resolve(dirname(fileURLToPath(import.meta.url)), '../../bin/lockssh.cjs');

/** Whoever answers: a person at this terminal, or the script of `--answer`. */
interface Cast {
  readonly watched: ObservedHuman;
  readonly say: (text: string) => void;
  readonly command: (name: CommandName) => Promise<void>;
}

function castScript(answer: 'y' | 'n'): Cast {
  const say = (text: string): void => void process.stdout.write(text);
  const script: ScriptedHuman = openScriptedHuman(answer, say);
  return { watched: observeHuman(script), say, command: (name) => script.type(name) };
}

function castPerson(): Cast {
  if (!process.stdin.isTTY)
    throw new UserMistake('the demo asks you questions: run it in a terminal, or with --answer y');
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  const person = openTerminalHuman({
    input: process.stdin,
    output: process.stdout,
    clock: processClock,
    colour,
  });
  const watched = observeHuman(person);
  const say = (text: string): void =>
    text.split('\n').forEach((line) => line === '' || person.note([untrusted(line)]));
  const command = (name: CommandName): Promise<void> => {
    say(`Type ${name} and Enter.`);
    return watched.typed(name);
  };
  return { watched, say, command };
}

/** The last argument decides; anything unknown is a mistake. */
function parseArguments(argv: readonly string[]): Cast {
  const [flag, value, ...more] = argv.flatMap((word) => word.split('='));
  if (flag === undefined) return castPerson();
  if (flag === '--answer' && (value === 'y' || value === 'n') && more.length === 0) return castScript(value);
  throw new UserMistake('usage: npm start [-- --answer y|n]');
}

function makeFolders(folder: string): DemoFolder {
  const demo = {
    socketDir: join(folder, 'run'),
    stateDir: join(folder, 'state'),
    configHome: join(folder, 'config'),
  };
  for (const path of Object.values(demo)) mkdirSync(path, { mode: 0o700 });
  return demo;
}

async function playStory(
  cast: Cast,
  project: DemoProject,
  demo: DemoFolder,
  server: DemoServer,
  knownHosts: string,
): Promise<void> {
  const policy = demoPolicy(server.port, server.keyFile, knownHosts, project.logFile);
  await tellStory({
    agent: openDemoAgent(commandFile, project.root, demo.socketDir, cast.say),
    say: (text) => cast.say(`\n${text}\n`),
    decided: () => cast.watched.settled(),
    command: cast.command,
    turnExecOn: () => project.writePolicy({ ...policy, exec: true }),
    logFile: project.logFile,
  });
}

async function showLog(
  demo: DemoFolder,
  project: DemoProject,
  say: (text: string) => void,
): Promise<boolean> {
  const folder = auditFolder(demo.stateDir, project.root, DEMO_PROFILE, '');
  say('\nThe audit log of this minute:\n');
  await showAudit(folder, { json: false }, (line) => say(`  ${line}\n`));
  const verdict = await verifyAudit(folder);
  for (const line of renderVerdict(verdict)) say(`${line}\n`);
  return verdict.verdict === 'intact';
}

async function runDemo(folder: string, cast: Cast): Promise<number> {
  const demo = makeFolders(folder);
  const server = await openDemoServer(folder);
  const project = openDemoProject(folder);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  try {
    project.writePolicy(demoPolicy(server.port, server.keyFile, server.knownHostsFile, project.logFile));
    let told: Promise<void> = Promise.resolve();
    let failure: unknown;
    const story = (): void => {
      told = playStory(cast, project, demo, server, server.knownHostsFile)
        .catch((error: unknown) => (failure = error))
        .then(() => stop.abort());
    };
    const wish = {
      profile: DEMO_PROFILE,
      projectDir: project.root,
      allowUnmask: false,
      showResults: false,
      allowedUids: [],
      demo,
    };
    const after = (ms: number, call: () => void): (() => void) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    };
    const uid = process.getuid?.() ?? -1;
    await runConsole(locksshLock, wish, {
      human: cast.watched.human,
      uid,
      env: process.env,
      nowMs: Date.now,
      after,
      signal: stop.signal,
      desktopLevel: 1,
      onReady: story,
    });
    await told;
    if (failure !== undefined) throw failure;
    return (await showLog(demo, project, cast.say)) ? 0 : 1;
  } finally {
    server.stop();
    await cast.watched.human.close();
  }
}

async function main(): Promise<number> {
  const cast = parseArguments(process.argv.slice(2));
  const folder = mkdtempSync(join(tmpdir(), 'lockssh-demo-'));
  try {
    return await runDemo(folder, cast);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    const isMistake = error instanceof UserMistake;
    process.stderr.write(`demo: ${isMistake ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
