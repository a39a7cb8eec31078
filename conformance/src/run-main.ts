// One command line of lock-conformance from words to exit status. Called by main.ts and by the tests.
// Exit 0 nothing failed, 1 a case failed, 64 usage: never a stack trace for what somebody else's files hold.
import type { Readable, Writable } from 'node:stream';
import { UserMistake } from 'lockkit/contract';
import type { Adapter } from './adapter.js';
import { serveAdapter } from './adapter-server.js';
import type { LoadedKinds } from './areas.js';
import { type Command, HELP, parseArguments } from './arguments.js';
import { readCaseFiles } from './case-files.js';
import { splitCommand } from './command-words.js';
import { applyJudgement, readJudgements } from './judgements.js';
import { ownAdapter } from './own-adapter.js';
import { PROCESS_ADAPTER_DEFAULTS, processAdapter } from './process-adapter.js';
import { renderReport, reportOf } from './report.js';
import { runCases } from './run-cases.js';

const OK = 0;
const FAILED = 1;
const USAGE = 64;

export interface MainSetting {
  readonly argv: readonly string[];
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly version: string;
  /** conformance/judgements.json. */
  readonly judgementsPath: string;
  readonly loadKinds: () => Promise<LoadedKinds>;
}

/** Runs one command line and gives its exit status. */
export async function runMain(setting: MainSetting): Promise<number> {
  try {
    return await runCommand(parseArguments(setting.argv), setting);
  } catch (error) {
    if (!(error instanceof UserMistake)) throw error;
    await write(setting.stderr, `lock-conformance: ${error.message}\n`);
    return USAGE;
  }
}

async function runCommand(command: Command, setting: MainSetting): Promise<number> {
  switch (command.kind) {
    case 'help':
      await write(setting.stdout, HELP);
      return OK;
    case 'version':
      await write(setting.stdout, `${setting.version}\n`);
      return OK;
    case 'adapter':
      await serveAdapter(await setting.loadKinds(), setting.stdin, setting.stdout);
      return OK;
    case 'cases':
      return runCasesCommand(command, setting);
  }
}

async function runCasesCommand(
  command: Extract<Command, { kind: 'cases' }>,
  setting: MainSetting,
): Promise<number> {
  const read = readCaseFiles(command.paths);
  const judgements = readJudgements(setting.judgementsPath);
  const set = { ...read, cases: read.cases.map((item) => applyJudgement(judgements, item)) };
  const words = command.adapter === null ? null : splitCommand(command.adapter);
  const loaded = await setting.loadKinds();
  const adapter = words === null ? ownAdapter(loaded) : adapterOf(words, command.silenceMs);
  const report = reportOf(await runCases(set, loaded, adapter));
  await write(setting.stdout, command.json ? `${JSON.stringify(report)}\n` : renderReport(report));
  return report.total.failed === 0 ? OK : FAILED;
}

function adapterOf(words: readonly [string, ...string[]], silenceMs: number | null): Adapter {
  return processAdapter(words, { ...PROCESS_ADAPTER_DEFAULTS, ...(silenceMs === null ? {} : { silenceMs }) });
}

function write(output: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    output.write(text, () => {
      resolve();
    });
  });
}
