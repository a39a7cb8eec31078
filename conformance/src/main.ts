// lock-conformance, the process: the package's composition root. What a kit prints goes to stderr, because stdout
// is the report (or, for `adapter`, the protocol).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadKinds } from './areas.js';
import { runMain } from './run-main.js';

console.log = console.error;
console.info = console.error;
console.debug = console.error;

// An adapter has a process group of its own: it ends with us only if we exit in order.
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const) {
  process.once(signal, () => process.exit(128 + number));
}

const near = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { version } = JSON.parse(readFileSync(near('../package.json'), 'utf8')) as { readonly version: string };

const status = await runMain({
  argv: process.argv.slice(2),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  version,
  judgementsPath: near('../judgements.json'),
  folder: near('..'),
  cwd: process.cwd(),
  path: process.env['PATH'] ?? '',
  loadKinds: () => loadKinds(),
});
// A kit may hold a server open; the report is written, so nothing is left to wait for.
process.exit(status);
