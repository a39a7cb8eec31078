// `policy match`: rules from the command line against one argv, by the code the console runs. Starts nothing.
import { printJson, type CommandArguments, type CommandIo } from '@lockkit/cli';
import { renderArgv } from 'lockkit/approval';
import { UserMistake } from 'lockkit/contract';
import { checkArgv } from '../rules/check-argv.js';
import { matchRules, renderParting, type RulesMatch } from '../rules/match-rules.js';
import { parseRule, type Rule } from '../rules/parse-rule.js';

export interface Explained {
  readonly match: boolean;
  readonly rule?: string;
  readonly why: string;
}

/** Throws UserMistake with the rule's number and the column, never its text. */
export function parseRules(texts: readonly string[]): readonly Rule[] {
  return texts.map((text, index) => {
    const parsed = parseRule(text);
    if (parsed.ok) return parsed.rule;
    throw new UserMistake(`rule ${index + 1}, column ${parsed.reason.column}: ${parsed.reason.sentence}`);
  });
}

/** Why a rule allows the argv, or where the nearest one parts from it. */
export function explainArgv(rules: readonly Rule[], argv: readonly string[]): Explained {
  if (!checkArgv(argv).ok) return { match: false, why: 'the argv itself is refused (E_BAD_ARGV)' };
  const found = matchRules(rules, argv);
  if (found.kind === 'match') return { match: true, rule: found.rule.text, why: 'this rule allows it' };
  return explainNone(rules, argv, found);
}

function explainNone(
  rules: readonly Rule[],
  argv: readonly string[],
  { nearest }: RulesMatch & { readonly kind: 'none' },
): Explained {
  if (nearest === undefined) return { match: false, why: 'no rule names this program' };
  const place =
    nearest.token < argv.length
      ? `argument ${nearest.token} (${renderArgv([argv[nearest.token] as string])})`
      : 'the end of the argv';
  return {
    match: false,
    rule: (rules[nearest.index] as Rule).text,
    why: `the nearest rule parts at ${place}: ${renderParting(nearest.why)}`,
  };
}

export function printExplained(io: CommandIo, explained: Explained, json: boolean): number {
  if (json) printJson(io, explained);
  else if (explained.match) io.out(`allowed by: ${explained.rule ?? ''}\n`);
  else
    io.out(
      `not allowed: ${explained.why}${explained.rule === undefined ? '' : `\nnearest rule: ${explained.rule}`}\n`,
    );
  return explained.match ? 0 : 1;
}

export function runPolicyMatch({ flags, operands, json }: CommandArguments, io: CommandIo): Promise<number> {
  const texts = (flags['rule'] ?? []) as readonly string[];
  if (texts.length === 0) throw new UserMistake('policy match needs at least one --rule');
  return Promise.resolve(printExplained(io, explainArgv(parseRules(texts), operands), json));
}
