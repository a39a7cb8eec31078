// What the human is told about a rule before it is approved (using lockssh, "Allow rules"). Called by the policy
// review and by `policy check`. It warns; it decides nothing. It must never stay silent about a program of the table
// that a glob or ** opens.
import type { Rule } from './parse-rule.js';
import { riskyProgram, type RiskKind, type RiskyProgram } from './risky-program.js';
import type { Token } from './token.js';

const SENTENCES = {
  RISKY_PROGRAM: 'this program can do more than its name says with arguments that the glob leaves open',
  GLOB_OPTION: 'the glob chooses an option',
  GLOB_AFTER_DASHES:
    'behind -- the glob takes arguments that start with - or +, which not every program reads as operands',
  GLOB_CLIMBS: 'behind = the glob can stand for .. and so leave the directory',
} as const;

export type RuleWarningCode = keyof typeof SENTENCES;

/** `token` counts from 0, the program; `program` and `kinds` come from the table, not from the rule. */
export interface RuleWarning {
  readonly code: RuleWarningCode;
  readonly token: number;
  readonly sentence: string;
  readonly program?: string;
  readonly kinds?: readonly RiskKind[];
  readonly withoutDash?: readonly RiskKind[];
}

/** Every warning, in the order of the tokens; [] when there is none. */
export function reviewRule(rule: Rule): readonly RuleWarning[] {
  const warnings = [...reviewProgram(rule)];
  for (const [index, token] of rule.tokens.entries()) {
    for (const code of reviewToken(token)) warnings.push(warning(code, index + 1));
  }
  return warnings;
}

function reviewProgram(rule: Rule): readonly RuleWarning[] {
  if (rule.tokens.every((token) => token.kind === 'literal')) return [];
  const entry = riskyProgram(rule.program);
  if (entry === undefined || !isRisky(entry, rule)) return [];
  const { name, kinds, withoutDash } = entry;
  return [{ ...warning('RISKY_PROGRAM', 0), program: name, kinds, withoutDash }];
}

/** A program that only reads is what rules are for, as long as the rule says from where: `**` says nothing. */
function isRisky(entry: RiskyProgram, rule: Rule): boolean {
  if (entry.kinds.some((kind) => kind !== 'read')) return true;
  return rule.tokens.some((token) => token.kind === 'rest');
}

function reviewToken(token: Token): readonly RuleWarningCode[] {
  if (token.kind === 'literal') return [];
  const codes: RuleWarningCode[] = [];
  if (token.operand) codes.push('GLOB_AFTER_DASHES');
  if (choosesOption(token.text)) codes.push('GLOB_OPTION');
  if (climbsAfterEquals(token)) codes.push('GLOB_CLIMBS');
  return codes;
}

/** The option's name is still open where the glob begins: `-*`, `--no-*`, `-[a-z]`, `-n*`, but not `--since=*`, `+%*`. */
function choosesOption(text: string): boolean {
  return /^(?:-[^=*?[\\]*|\+)[*?[\\]/.test(text);
}

/** `--dir=?/x`: the stretch is `--dir=..`, which is no climbing segment, though the program sees `../x`. */
function climbsAfterEquals(token: Token): boolean {
  if (token.kind !== 'glob') return false;
  const before = token.segments.slice(0, -1);
  return before.some((segment) => {
    const equals = segment.elements.findLastIndex(
      (element) => element.kind === 'char' && element.codePoint === 0x3d,
    );
    return equals >= 0 && segment.elements.slice(equals + 1).some((element) => element.kind !== 'char');
  });
}

function warning(code: RuleWarningCode, token: number): RuleWarning {
  return { code, token, sentence: SENTENCES[code] };
}
