// `version --json`: the protocol's major is what launchers and other locks' tests read (a launcher verb).
import type { LockContract } from 'lockkit/contract';
import type { Command } from './command.js';
import { printJson } from './print.js';

export function versionCommand({
  name,
  version,
  protocolMajor,
  exitCodes,
}: Pick<LockContract, 'name' | 'version' | 'protocolMajor' | 'exitCodes'>): Command {
  return {
    words: ['version'],
    summary: 'name, version and protocol of this command',
    description: 'With --json: {"name", "version", "protocol_major"}.',
    flags: [],
    operands: { kind: 'none' },
    group: 'setup',
    run: ({ json }, io) => {
      if (json) printJson(io, { name, version, protocol_major: protocolMajor });
      else io.out(`${name} ${version}\n`);
      return Promise.resolve(exitCodes.ok);
    },
  };
}
