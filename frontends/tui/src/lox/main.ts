// The composition root of `lox`: the real process. Called by bin/lox.mjs.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accountByUid } from 'lockkit/native';
import { runLoxCommand } from './lox-command.js';

const folder = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
  readonly version: string;
};
const account = accountByUid(process.getuid?.() ?? -1);
const out = (text: string): void => void process.stdout.write(text);
const err = (text: string): void => void process.stderr.write(text);

if (account === null) {
  err('lox: this account has no entry in the system’s list of accounts\n');
  process.exitCode = 3;
} else {
  const { stdin, stdout, env } = process;
  const io = { out, err, stdin, stdout, env, account, cwd: process.cwd() };
  const demoEntry = fileURLToPath(new URL('../../../../lockssh/dist/demo/main.js', import.meta.url));
  process.exitCode = await runLoxCommand(process.argv.slice(2), { io, folder, version, demoEntry });
  stdin.unref();
}
