// What was typed after `lock-conformance`, as data. Called by main. Throws UserMistake with a sentence.
import { parseArgs } from 'node:util';
import { UserMistake } from 'lockkit/contract';

export type Command =
  | {
      readonly kind: 'cases';
      readonly paths: readonly string[];
      readonly adapter: string | null;
      readonly json: boolean;
      readonly silenceMs: number | null;
    }
  | { readonly kind: 'adapter' }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

export const HELP = `lock-conformance cases PATH… [--adapter COMMAND] [--timeout SECONDS] [--json]
lock-conformance adapter

cases    run case files (a file, or a folder of *.jsonl) and print passed, failed and unsupported per area
           --adapter COMMAND   a kit of your own: reads lines {"id", "input"}, writes lines {"id", "got"}
           --timeout SECONDS   longest silence of the adapter (default 120)
           --json              the report as one JSON object
adapter  our own kit behind that protocol, on stdin and stdout

Exit status: 0 nothing failed, 1 a case failed, 64 usage.
`;

const OPTIONS = {
  adapter: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

export function parseArguments(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv);
  const [verb, ...paths] = positionals;
  if (values.help || verb === 'help') return { kind: 'help' };
  if (values.version || verb === 'version') return { kind: 'version' };
  if (verb === 'adapter' && paths.length === 0) return { kind: 'adapter' };
  if (verb !== 'cases') throw new UserMistake('say what to run: lock-conformance cases PATH… (see --help)');
  if (paths.length === 0) throw new UserMistake('cases needs a PATH: a case file or a folder of *.jsonl');
  return {
    kind: 'cases',
    paths,
    adapter: values.adapter ?? null,
    json: values.json,
    silenceMs: values.timeout === undefined ? null : secondsAsMs(values.timeout),
  };
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
