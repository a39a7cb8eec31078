// `lox add LOCK [its flags]`: asks the lock who it is, lets it add the profile, wire the project and mend its set-up, and
// writes lox's own list (using-lockssh, "Launcher verbs"). It never takes, asks for or passes on a secret.
import { basename } from 'node:path';
import { terminalText } from 'lockkit/approval';
import { UserMistake } from 'lockkit/contract';
import { z } from 'zod';
import { checkNoClient } from './check-client.js';
import { findCommand } from './find-command.js';
import { addToLockList, type LockRow } from './lock-list.js';
import { findLoxPlace } from './lox-place.js';
import type { LoxIo } from './lox-io.js';
import { keptEnvironment } from './kept-environment.js';
import { runVerb, type VerbResult } from './run-verb.js';

const PROTOCOL_MAJOR = 1;

const versionSchema = z.object({ name: z.string(), version: z.string(), protocol_major: z.number() });
const addedSchema = z.object({ name: z.string().min(1).max(64), status: z.enum(['created', 'exists']) });
const errorSchema = z.object({ error: z.object({ meaning: z.string(), hint: z.string() }) });
const checkSchema = z.object({
  id: z.string(),
  state: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  fix: z.string().optional(),
});
const doctorSchema = z.object({ ok: z.boolean(), checks: z.array(checkSchema) });

/** Flags that are lox's; everything else is the lock's. */
interface OwnFlags {
  readonly instance: string;
  readonly projectDir: string;
  readonly allowUnmask: boolean;
  readonly showResults: boolean;
  readonly rest: readonly string[];
}

/** Exit code 0: added and fit; 1: added, and doctor still finds something. Throws UserMistake when nothing was added. */
export async function addLock(lock: string, argv: readonly string[], io: LoxIo): Promise<number> {
  const own = splitFlags(argv, io.cwd);
  const command = findCommand(lock, io.cwd, io.env['PATH'] ?? '');
  const place = { cwd: own.projectDir, env: keptEnvironment(io.env) };
  const verb = (...args: readonly string[]): Promise<VerbResult> => runVerb([command], args, place);
  const { name } = checkVersion(await verb('version', '--json'), basename(lock));
  checkNoClient([name], io.account);
  const added = shaped(
    await verb('profile', 'add', '--non-interactive', '--json', ...own.rest),
    addedSchema,
    'profile add',
  );
  const row: LockRow = {
    lock: name,
    command: [command],
    profile: added.name,
    instance: own.instance,
    projectDir: own.projectDir,
    allowUnmask: own.allowUnmask,
    showResults: own.showResults,
  };
  const listed = addToLockList(findLoxPlace(io.account.home, io.env).listFile, io.account.uid, row);
  io.out(`${name} ${added.name}: profile ${added.status}, ${listed} to lox’s list\n`);
  const wired = await verb('init', '--json');
  if (wired.exit !== 0) io.out(`init: ${causeOf(wired)}\n`);
  return reportDoctor(await verb('doctor', '--fix', '--yes', '--json'), io);
}

function splitFlags(argv: readonly string[], cwd: string): OwnFlags {
  const rest: string[] = [];
  const own = { instance: '', projectDir: cwd, allowUnmask: false, showResults: false };
  for (let i = 0; i < argv.length; i++) {
    const [flag = '', ...inline] = (argv[i] as string).split('=');
    const value = (): string => {
      const given = inline.length > 0 ? inline.join('=') : argv[++i];
      if (given === undefined) throw new UserMistake(`${flag} needs a value`);
      return given;
    };
    if (flag === '--instance') own.instance = value();
    else if (flag === '--project') own.projectDir = value();
    else if (flag === '--allow-unmask') own.allowUnmask = true;
    else if (flag === '--show-results') own.showResults = true;
    else rest.push(argv[i] as string);
  }
  return { ...own, rest };
}

function checkVersion(result: VerbResult, asked: string): z.infer<typeof versionSchema> {
  const version = shaped(result, versionSchema, 'version');
  if (version.name !== asked)
    throw new UserMistake(`that command says that it is another lock than ${asked}`);
  if (version.protocol_major !== PROTOCOL_MAJOR)
    throw new UserMistake(
      `${asked} speaks another protocol (${version.protocol_major}) than this lox (${PROTOCOL_MAJOR}): install versions that fit`,
    );
  return version;
}

function shaped<T>(result: VerbResult, schema: z.ZodType<T>, verb: string): T {
  if (result.exit === null) throw new UserMistake('the lock’s command cannot be started');
  const parsed = result.exit === 0 ? schema.safeParse(result.json) : undefined;
  if (parsed?.success !== true) throw new UserMistake(`${verb}: ${causeOf(result)}`);
  return parsed.data;
}

/** What the lock said, as visible text: it comes from another program. */
function causeOf({ json, stderr, exit }: VerbResult): string {
  const error = errorSchema.safeParse(json);
  if (error.success) return terminalText(`${error.data.error.meaning} (${error.data.error.hint})`);
  const said = terminalText(stderr.trim()).slice(0, 2000);
  return said === '' ? `the lock’s command ended with ${String(exit)} and said nothing` : said;
}

function reportDoctor(result: VerbResult, io: LoxIo): number {
  const report = doctorSchema.safeParse(result.json);
  if (!report.success) {
    io.err(`doctor: ${causeOf(result)}\n`);
    return 1;
  }
  for (const { id, state, detail, fix } of report.data.checks)
    if (state !== 'ok')
      io.out(terminalText(`${state}  ${id}: ${detail}${fix === undefined ? '' : `\n      ${fix}`}`) + '\n');
  io.out(
    report.data.ok
      ? 'doctor: everything is in place. Start it with: lox run\n'
      : 'doctor: mend what is listed above, then: lox run\n',
  );
  return report.data.ok ? 0 : 1;
}
