// `init <agent>…` of any lock: wires coding agents in the project (a launcher verb, docs/verbs.md). The work is
// lockkit/wiring's; here the lock's contract becomes what is wired, and the result becomes text or JSON.
import { toolName, UserMistake, type LockContract } from 'lockkit/contract';
import { findProjectRoot } from 'lockkit/setting';
import {
  AGENT_NAMES,
  detectAgents,
  isAgentName,
  runWiring,
  type AgentName,
  type WiredFile,
  type WiredLock,
} from 'lockkit/wiring';
import type { CommandArguments, CommandIo } from './command.js';
import { printJson } from './print.js';

export function wiredLockOf(contract: LockContract): WiredLock {
  const { name, summary, instructions, actions } = contract;
  return {
    name,
    command: [name, 'mcp'],
    summary,
    instructions,
    readOnlyTools: actions
      .filter(({ mcp, readOnly }) => mcp && readOnly)
      .map((action) => toolName(contract, action)),
  };
}

function agentsOf(lock: string, words: readonly string[], root: string): readonly AgentName[] {
  const known = AGENT_NAMES.join(', ');
  if (!words.every(isAgentName)) throw new UserMistake(`init takes ${known}`);
  const agents = words.length > 0 ? words : detectAgents(root);
  if (agents.length > 0) return agents;
  throw new UserMistake(
    `no coding agent is in use here: name one of ${known}, as in \`${lock} init claude\``,
  );
}

function renderFile({ path, status, reason }: WiredFile): string {
  return `${status.padEnd(10)}${path}${reason === undefined ? '' : `: ${reason}`}\n`;
}

/** Exit 0: wired, or wired already. Exit `failed`: something stood in the way, and nothing was written. */
export function runInitCommand(
  contract: LockContract,
  { operands, json }: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const root = findProjectRoot(contract.name, io.cwd);
  const agents = agentsOf(contract.name, operands, root);
  const result = runWiring({ root, agents, lock: wiredLockOf(contract) });
  if (json) printJson(io, result);
  else {
    for (const file of result.files) io.out(renderFile(file));
    for (const note of result.notes) io.err(`${note}\n`);
  }
  return Promise.resolve(result.ok ? contract.exitCodes.ok : contract.exitCodes.failed);
}
