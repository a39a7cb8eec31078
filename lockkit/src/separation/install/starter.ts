// The text of the installed command: a clean environment, then root's own Node.js on root's own files.
// Written by the install script. It uses the shell's special built-ins alone, which no environment can replace.
import { KEPT_VARIABLES, STARTER_PATH } from '../kept-variables.js';

/** The window for every lock. */
export const WINDOW = 'lox';

/** The line that tells a starter from any other program; `command` is the lock's own or `lox`. */
export function starterMark(lock: string, command = lock): string {
  return `# starter of ${command}, written by \`${lock} install\``;
}

/** `node` and `program` are absolute and hold nothing that a shell reads. */
export function renderStarter(mark: string, node: string, program: string): string {
  return [
    '#!/bin/sh',
    mark,
    `set -- ${node} ${program} "$@"`,
    ...KEPT_VARIABLES.toReversed().map((name) => `set -- \${${name}+"${name}=$${name}"} "$@"`),
    `exec /usr/bin/env -i PATH=${STARTER_PATH} "$@"`,
    '',
  ].join('\n');
}
