// An agent's action as a command: flags to parameters, call, print, exit code. Made from the contract alone.
// The exit code depends on the outcome only, never on what an answer says.
import { callAction, callStatus, findPlace, type ActionOutcome } from 'lockkit/agent';
import { terminalText } from 'lockkit/visible-text';
import { UserMistake, type Action, type Flag, type LockContract } from 'lockkit/contract';
import type { Command, CommandArguments, CommandIo } from './command.js';
import { printError, printJson } from './print.js';

const CHOICE_FLAGS: readonly Flag[] = [
  {
    name: 'profile',
    param: 'profile',
    kind: 'text',
    placeholder: 'P',
    summary: 'which profile, when several are configured',
  },
  {
    name: 'instance',
    param: 'instance',
    kind: 'text',
    placeholder: 'NAME',
    summary: 'which console of several of the same profile',
  },
];

function paramsOf(action: Action, args: CommandArguments): Readonly<Record<string, unknown>> {
  const params: Record<string, unknown> = {};
  for (const { name, param, kind } of action.flags) {
    const value = args.flags[param];
    if (value === undefined) continue;
    params[param] = kind === 'pairs' ? pairsOf(name, value as readonly string[]) : value;
  }
  const { operands } = action;
  if (operands.kind === 'argv') params[operands.param] = args.operands;
  if (operands.kind === 'one' && args.operands.length > 0) params[operands.param] = args.operands[0];
  return params;
}

/** Each name once; what stands behind its first `=` is the value. */
function pairsOf(flag: string, texts: readonly string[]): Readonly<Record<string, string>> {
  const pairs = texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UserMistake(`--${flag} takes NAME=VALUE`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length)
    throw new UserMistake(`--${flag} names one thing twice`);
  return Object.fromEntries(pairs);
}

async function runAction(
  contract: LockContract,
  action: Action,
  args: CommandArguments,
  io: CommandIo,
): Promise<ActionOutcome> {
  const { profile, instance } = args.flags as { profile?: string; instance?: string };
  const choice = {
    ...(profile === undefined ? {} : { profile }),
    ...(instance === undefined ? {} : { instance }),
  };
  const place = findPlace(contract.name, io.cwd, io.env, process.getuid?.() ?? -1);
  const call = { contract, place, choice, signal: io.signal };
  if (action.everyProfile === true) return callStatus(call);
  return callAction({ ...call, method: action.name, params: paramsOf(action, args) });
}

/** Says on a terminal that a human is being asked, so that nobody thinks that the command hangs. */
function announceWaiting(action: Action, args: CommandArguments, io: CommandIo): () => void {
  if (!action.waits || args.json || !io.isTerminal) return () => undefined;
  const timer = setTimeout(
    () => io.err('waiting for the human at the console (up to 5 minutes, Ctrl-C withdraws) …\n'),
    1000,
  );
  return () => clearTimeout(timer);
}

export function makeActionCommand(contract: LockContract, action: Action): Command {
  const { words, summary, description, operands } = action;
  const run = async (args: CommandArguments, io: CommandIo): Promise<number> => {
    const quiet = announceWaiting(action, args, io);
    const outcome = await runAction(contract, action, args, io).finally(quiet);
    if (outcome.kind === 'error') {
      printError(io, contract.name, outcome.error, args.json);
      return contract.exitCodes[outcome.exit];
    }
    if (args.json) printJson(io, outcome.result);
    // A console's strings come from outside: what a person reads is made visible, whoever wrote the action.
    else if (!action.renderResult) io.out(`${terminalText(JSON.stringify(outcome.result, null, 2))}\n`);
    else {
      const { out, err } = action.renderResult(outcome.result);
      io.out(out);
      if (err !== undefined) io.err(err);
    }
    return contract.exitCodes[action.outcomeOf?.(outcome.result) ?? 'ok'];
  };
  return {
    words,
    summary,
    description,
    flags: [...action.flags, ...CHOICE_FLAGS],
    operands,
    group: 'agent',
    run,
  };
}
