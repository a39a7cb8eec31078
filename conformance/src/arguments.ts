// What was typed after `lock-conformance`, as data. Called by main. Throws UserMistake with a sentence.
import { parseArgs } from 'node:util';
import { UserMistake } from 'lockkit/contract';
import { SUITES, type SuiteName } from './suite/read-suite.js';

const REPORTS = ['text', 'json', 'junit', 'tap'] as const;
export type ReportForm = (typeof REPORTS)[number];

export interface CasesCommand {
  readonly kind: 'cases';
  readonly paths: readonly string[];
  readonly adapter: string | null;
  readonly report: ReportForm;
  readonly silenceMs: number | null;
}

export interface SuiteCommand {
  readonly kind: 'suite';
  readonly suite: SuiteName;
  readonly lock: string;
  readonly describe: string | null;
  readonly socket: string | null;
  readonly clientEnv: Readonly<Record<string, string>>;
  readonly only: readonly string[] | null;
  readonly report: ReportForm;
  readonly timeoutMs: number;
}

export type Command =
  | CasesCommand
  | SuiteCommand
  | { readonly kind: 'adapter' }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

export const HELP = `lock-conformance verbs  --lock COMMAND [--describe FILE] [flags]
lock-conformance mcp    --lock COMMAND [--describe FILE] [--client-env NAME=VALUE]… [flags]
lock-conformance socket --lock COMMAND [--describe FILE] [--socket PATH] [--client-env NAME=VALUE]… [flags]
lock-conformance cases PATH… [--adapter COMMAND] [flags]
lock-conformance adapter

verbs    what launchers call: profile add, init, doctor, version, status, usage and exit codes
mcp      the MCP server (COMMAND mcp) on standard input and output
socket   the wire: the suite plays an agent on a console's socket, and a console for COMMAND
           --lock COMMAND          the lock, as typed in a shell: words and quotes, nothing is expanded
           --describe FILE         facts of a lock that the suite does not know (conformance/README.md)
           --only ID               a case or a requirement (repeat for several)
           --socket PATH           the socket of a running console of the lock
           --client-env NAME=VALUE what makes COMMAND look for consoles in {sockets} (repeat for several;
                                   default LOCKKIT_DEMO_SOCKET_DIR={sockets})
           --timeout SECONDS       longest time of one command or one answer (default 30)
cases    run case files (a file, or a folder of *.jsonl) and print passed, failed and unsupported per area
           --adapter COMMAND       a kit of your own: reads lines {"id", "input"}, writes lines {"id", "got"}
           --timeout SECONDS       longest silence of the adapter (default 120)
adapter  our own kit behind that protocol, on stdin and stdout

flags of every run:
           --report text|json|junit|tap    (--json is --report json)

Exit status: 0 nothing failed, 1 a case failed (of a suite: a MUST), 64 usage.
`;

const OPTIONS = {
  lock: { type: 'string' },
  describe: { type: 'string' },
  socket: { type: 'string' },
  'client-env': { type: 'string', multiple: true },
  only: { type: 'string', multiple: true },
  adapter: { type: 'string' },
  timeout: { type: 'string' },
  report: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parse>['values'];
type FlagName = keyof typeof OPTIONS;

const SUITE_FLAGS: readonly FlagName[] = ['lock', 'describe', 'only', 'timeout', 'report', 'json'];
const FLAGS: Readonly<Record<string, readonly FlagName[]>> = {
  verbs: SUITE_FLAGS,
  mcp: [...SUITE_FLAGS, 'client-env'],
  socket: [...SUITE_FLAGS, 'socket', 'client-env'],
  cases: ['adapter', 'timeout', 'report', 'json'],
  adapter: [],
};

export function parseArguments(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv);
  const [verb = '', ...paths] = positionals;
  if (values.help || verb === 'help') return { kind: 'help' };
  if (values.version || verb === 'version') return { kind: 'version' };
  if (!Object.hasOwn(FLAGS, verb))
    throw new UserMistake('say what to run: verbs, mcp, socket or cases (see lock-conformance --help)');
  checkFlags(verb, values);
  const suite = SUITES.find((name) => name === verb);
  if (suite !== undefined) return suiteCommand(suite, values, paths);
  return verb === 'cases' ? casesCommand(values, paths) : adapterCommand(paths);
}

function checkFlags(verb: string, values: Values): void {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== false);
  const stray = given.find(([name]) => !(FLAGS[verb] ?? []).includes(name as FlagName));
  if (stray !== undefined) throw new UserMistake(`${verb} takes no --${stray[0]}`);
}

function adapterCommand(paths: readonly string[]): Command {
  if (paths.length > 0) throw new UserMistake('adapter takes no argument');
  return { kind: 'adapter' };
}

function casesCommand(values: Values, paths: readonly string[]): CasesCommand {
  if (paths.length === 0) throw new UserMistake('cases needs a PATH: a case file or a folder of *.jsonl');
  const { adapter = null, timeout } = values;
  const silenceMs = timeout === undefined ? null : secondsAsMs(timeout);
  return { kind: 'cases', paths, adapter, report: reportForm(values), silenceMs };
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_CLIENT_ENV = { LOCKKIT_DEMO_SOCKET_DIR: '{sockets}' };

function suiteCommand(suite: SuiteName, values: Values, paths: readonly string[]): SuiteCommand {
  if (paths.length > 0) throw new UserMistake(`${suite} takes no PATH (quote the whole COMMAND of --lock)`);
  if (values.lock === undefined) throw new UserMistake(`${suite} needs --lock COMMAND`);
  return {
    kind: 'suite',
    suite,
    lock: values.lock,
    describe: values.describe ?? null,
    socket: values.socket ?? null,
    clientEnv: values['client-env'] === undefined ? DEFAULT_CLIENT_ENV : variables(values['client-env']),
    only: values.only ?? null,
    report: reportForm(values),
    timeoutMs: values.timeout === undefined ? DEFAULT_TIMEOUT_MS : secondsAsMs(values.timeout),
  };
}

function variables(texts: readonly string[]): Readonly<Record<string, string>> {
  const pairs = texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UserMistake('--client-env takes NAME=VALUE');
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

function reportForm({ report, json }: Values): ReportForm {
  if (report === undefined) return json ? 'json' : 'text';
  const form = REPORTS.find((one) => one === report);
  if (form === undefined) throw new UserMistake(`--report takes ${REPORTS.join(', ')}`);
  if (json && form !== 'json') throw new UserMistake('--json and --report say different things');
  return form;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UserMistake(
      error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'unreadable arguments',
    );
  }
}

function secondsAsMs(text: string): number {
  const seconds = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (seconds === 0) throw new UserMistake('--timeout is a whole number of seconds from 1');
  return seconds * 1000;
}
