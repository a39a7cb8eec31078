// One command line of lock-conformance from words to exit status. Called by main.ts and by the tests.
// Exit 0 nothing failed, 1 a case failed, 64 usage: never a stack trace for what somebody else's files hold.
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { UserMistake } from 'lockkit/contract';
import type { Adapter } from './adapter.js';
import { serveAdapter } from './adapter-server.js';
import type { LoadedKinds } from './areas.js';
import {
  type CasesCommand,
  type Command,
  HELP,
  parseArguments,
  type ReportForm,
  type SuiteCommand,
} from './arguments.js';
import { readCaseFiles } from './case-files.js';
import { splitCommand } from './command-words.js';
import { applyJudgement, readJudgements } from './judgements.js';
import { ownAdapter } from './own-adapter.js';
import { PROCESS_ADAPTER_DEFAULTS, processAdapter } from './process-adapter.js';
import { renderReport, reportOf, rowsOf } from './report.js';
import { type ReportRow, renderJunit, renderTap } from './machine-reports.js';
import { runCases } from './run-cases.js';
import { resolveCommand } from './suite/find-program.js';
import { runSuite, type SuiteResult } from './suite/run-suite.js';
import { renderSuiteReport, suiteReportOf } from './suite/suite-report.js';

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
  /** The package's folder: suites, requirements, locks. */
  readonly folder: string;
  /** Where and with which PATH the command of --lock was typed. */
  readonly cwd: string;
  readonly path: string;
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
    case 'suite':
      return runSuiteCommand(command, setting);
  }
}

async function runCasesCommand(command: CasesCommand, setting: MainSetting): Promise<number> {
  const read = readCaseFiles(command.paths);
  const judgements = readJudgements(setting.judgementsPath);
  const set = { ...read, cases: read.cases.map((item) => applyJudgement(judgements, item)) };
  const words = command.adapter === null ? null : splitCommand(command.adapter);
  const loaded = await setting.loadKinds();
  const adapter = words === null ? ownAdapter(loaded) : adapterOf(words, command.silenceMs);
  const results = await runCases(set, loaded, adapter);
  const report = reportOf(results);
  await write(
    setting.stdout,
    inForm(command.report, {
      suite: 'cases',
      text: () => renderReport(report),
      json: () => report,
      rows: () => rowsOf(results),
    }),
  );
  return report.total.failed === 0 ? OK : FAILED;
}

async function runSuiteCommand(command: SuiteCommand, setting: MainSetting): Promise<number> {
  const lock = resolveCommand(command.lock, setting);
  const socketPath = command.socket === null ? null : resolve(setting.cwd, command.socket);
  const outcome = await runSuite({ ...command, lock, socketPath, folder: setting.folder });
  const report = suiteReportOf(outcome);
  await write(
    setting.stdout,
    inForm(command.report, {
      suite: command.suite,
      text: () => renderSuiteReport(report),
      json: () => report,
      rows: () => outcome.results.map(rowOf),
    }),
  );
  return report.ok ? OK : FAILED;
}

function rowOf({ id, area, title, verdict }: SuiteResult): ReportRow {
  return {
    group: area,
    id,
    title,
    verdict: verdict.kind,
    reason: verdict.kind === 'passed' ? '' : verdict.reason,
  };
}

interface Renderings {
  readonly suite: string;
  readonly text: () => string;
  readonly json: () => object;
  readonly rows: () => readonly ReportRow[];
}

function inForm(form: ReportForm, { suite, text, json, rows }: Renderings): string {
  if (form === 'json') return `${JSON.stringify(json())}\n`;
  if (form === 'junit') return renderJunit(suite, rows());
  return form === 'tap' ? renderTap(rows()) : text();
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
