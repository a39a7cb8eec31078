// `policy check`, `policy diff`, `profile rules`: for people who write a policy, for pull requests, for launchers.
// None needs a console; none approves anything. The policy engine is loaded when one of them is asked for.
import type {
  PolicyFiles,
  PolicyProblem,
  ProfileDefinition,
  PatternCheck,
  PolicyChange,
} from 'lockkit/policy';
import { UserMistake, type ExitCodes } from 'lockkit/contract';
import { renderArgv, terminalText, visibleText } from 'lockkit/visible-text';
import type { Command, CommandIo } from './command.js';
import { printJson } from './print.js';

/** What a lock knows of its own policy, loaded when it is needed. */
export interface PolicyParts {
  readonly definition: ProfileDefinition<never>;
  readonly checkPattern: PatternCheck;
}

export interface PolicyCommandParts {
  readonly exitCodes: ExitCodes;
  readonly load: () => Promise<PolicyParts>;
}

/** A file or a folder with config.toml and pii.toml, read once; what is no policy file is a mistake. */
async function readPolicyFiles(path: string): Promise<PolicyFiles> {
  const { readFiles } = await import('./read-policy-files.js');
  return readFiles(path);
}

async function printProblems(io: CommandIo, problems: readonly PolicyProblem[]): Promise<void> {
  const { renderProblem } = await import('lockkit/policy');
  for (const problem of problems) io.err(`${terminalText(renderProblem(problem))}\n`);
}

function checkCommand({ exitCodes, load }: PolicyCommandParts): Command {
  return {
    words: ['policy', 'check'],
    summary: 'check a policy file: does it load, what deserves a second look',
    description:
      'Checks FILE (config.toml, pii.toml, or the folder that holds them) as the console would load it, and\nwarns about rules that allow more than they seem to. It starts nothing and approves nothing.',
    flags: [],
    operands: { kind: 'one', param: 'file', name: 'FILE' },
    examples: ['lockssh policy check .lockssh/config.toml'],
    group: 'author',
    run: async ({ operands, json }, io) => {
      const { definition, checkPattern } = await load();
      const { checkPolicyFile } = await import('lockkit/policy');
      const report = checkPolicyFile(definition, await readPolicyFiles(operands[0] as string), {
        checkPattern,
      });
      if (json) printJson(io, report);
      else {
        await printProblems(io, report.problems);
        for (const { key, message, subject } of report.remarks)
          io.out(
            `warning: ${visibleText(key)}${subject === undefined ? '' : ` ${visibleText(subject)}`}: ${message}\n`,
          );
        if (report.ok)
          io.out(
            `ok: ${report.profiles.length === 0 ? 'no profile' : report.profiles.map((name) => visibleText(name)).join(', ')}\n`,
          );
      }
      return report.ok ? exitCodes.ok : exitCodes.usage;
    },
  };
}

function renderChange({ path, direction, from, to, witness, limit }: PolicyChange): string {
  const text = (value: unknown): string =>
    visibleText(value === null ? '(none)' : typeof value === 'string' ? value : JSON.stringify(value));
  const example = witness === undefined ? '' : `\n    newly allows, for example: ${renderArgv(witness)}`;
  const unproved = limit === undefined ? '' : `\n    not proved to tighten: ${visibleText(limit)}`;
  return `${direction === 'loosens' ? '▲ loosens ' : '  tightens'}  ${visibleText(path)}\n    ${text(from)}\n    → ${text(to)}${example}${unproved}\n`;
}

function diffCommand({ exitCodes, load }: PolicyCommandParts): Command {
  return {
    words: ['policy', 'diff'],
    summary: 'compare two policies by meaning: same, tightens or loosens',
    description:
      'Compares OLD with NEW (files, or folders with config.toml and pii.toml). A loosening of allow rules comes with\nan example: a shortest argv that NEW allows and OLD does not. Exit 0: same or tightens. Exit 1: loosens.',
    flags: [],
    operands: { kind: 'many', name: 'OLD NEW' },
    examples: ['lockssh policy diff main/.lockssh .lockssh'],
    group: 'author',
    run: async ({ operands, json }, io) => {
      if (operands.length !== 2) throw new UserMistake('policy diff needs OLD and NEW');
      const { definition, checkPattern } = await load();
      const { diffPolicies } = await import('lockkit/policy');
      const [before, after] = await Promise.all(operands.map(readPolicyFiles));
      const diff = diffPolicies(definition, before as PolicyFiles, after as PolicyFiles, { checkPattern });
      if (!diff.ok) {
        if (json)
          printJson(io, {
            error: {
              code: 'E_POLICY',
              meaning: 'a policy does not load',
              hint: 'see problems',
              retry: 'rewrite',
            },
            problems: diff.problems,
          });
        else await printProblems(io, diff.problems);
        return exitCodes.usage;
      }
      const { verdict, changes } = diff.value;
      if (json) printJson(io, { verdict, changes });
      else {
        for (const change of changes) io.out(renderChange(change));
        io.out(`${verdict}\n`);
      }
      return verdict === 'loosens' ? 1 : 0;
    },
  };
}

export function policyCommands(parts: PolicyCommandParts): readonly Command[] {
  return [checkCommand(parts), diffCommand(parts)];
}
