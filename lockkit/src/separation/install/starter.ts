// The text of the installed command: a clean environment, then root's own Node.js on root's own files.
// Written by the install script. It uses the shell's special built-ins alone, which no environment can replace.
import { KEPT_VARIABLES, STARTER_PATH } from '../kept-variables.js';

/** The line that tells a starter from any other program. */
export function starterMark(lock: string): string {
  return `# starter of ${lock}, written by \`${lock} install\``;
}

/** `node` and `program` are absolute and hold nothing that a shell reads. */
export function renderStarter(lock: string, node: string, program: string): string {
  return [
    '#!/bin/sh',
    starterMark(lock),
    `set -- ${node} ${program} "$@"`,
    ...KEPT_VARIABLES.toReversed().map((name) => `set -- \${${name}+"${name}=$${name}"} "$@"`),
    `exec /usr/bin/env -i PATH=${STARTER_PATH} "$@"`,
    '',
  ].join('\n');
}
