// An allow rule from its text (using lockssh, "Allow rules"). Called when a policy loads, by `policy check` and by
// the language order. It must never load a rule that a human can read in two ways.
import { ARGV_LIMITS } from './check-argv.js';
import { codePointsOf, unseenAt, utf8Bytes } from './plain-text.js';
import { ruleProblem, type RuleProblem, type RuleProblemCode } from './rule-problem.js';
import { isShellBuiltin } from './shell-words.js';
import { fewestBytes, isGlobText, parseToken, REST, type Token } from './token.js';

/** `tokens` are those after the program; `rest` stands only in the last place. */
export interface Rule {
  readonly text: string;
  readonly program: string;
  readonly tokens: readonly Token[];
}

export type RuleParse =
  { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly reason: RuleProblem };

/** Of one UTF-16 unit. */
const MOST_UTF8_BYTES = 3;

/** The rule, or the first reason why it is none. */
export function parseRule(text: string): RuleParse {
  if (text === '') return problem('EMPTY_RULE', 1);
  const unseen = unseenAt(codePointsOf(text));
  if (unseen >= 0) return problem('UNSEEN_CHARACTER', unseen + 1);
  const words = text.split(' ');
  const columns = columnsOf(words);
  const empty = words.indexOf('');
  if (empty >= 0) return problem('EMPTY_TOKEN', columns[empty] ?? 1);
  const [program = ''] = words;
  const wrong = programProblem(program);
  if (wrong !== null) return problem(wrong, 1);
  return parseTokens(text, words, columns);
}

function parseTokens(text: string, words: readonly string[], columns: readonly number[]): RuleParse {
  const [program = ''] = words;
  const tokens: Token[] = [];
  let operand = false;
  for (const [index, word] of words.entries()) {
    if (index === 0) continue;
    const column = columns[index] ?? 1;
    if (word === REST && index !== words.length - 1) return problem('DOUBLE_STAR', column);
    const parsed = parseToken(word, operand);
    if (!parsed.ok) return problem(parsed.code, column + parsed.at);
    tokens.push(parsed.token);
    operand ||= word === '--';
  }
  const rule = { text, program, tokens };
  return neverMatches(rule) ? problem('TOO_LONG', 1) : { ok: true, rule };
}

function programProblem(program: string): RuleProblemCode | null {
  if (/^[-+]/.test(program)) return 'PROGRAM_OPTION';
  if (isShellBuiltin(program)) return 'PROGRAM_BUILTIN';
  if (isGlobText(program)) return 'PROGRAM_NOT_LITERAL';
  if (program.includes('=')) return 'PROGRAM_ASSIGNMENT';
  return /["']/.test(program) ? 'QUOTE' : null;
}

function neverMatches(rule: Rule): boolean {
  // No token asks for more bytes than it is written with: most rules are short enough to need no count.
  const most = MOST_UTF8_BYTES * rule.text.length;
  if (rule.tokens.length < ARGV_LIMITS.maxArguments && most <= ARGV_LIMITS.maxArgumentBytes) return false;
  const fixed = rule.tokens.filter((token) => token.kind !== 'rest');
  const bytes = [utf8Bytes(rule.program), ...fixed.map(fewestBytes)];
  return (
    bytes.length > ARGV_LIMITS.maxArguments ||
    bytes.some((each) => each > ARGV_LIMITS.maxArgumentBytes) ||
    bytes.reduce((sum, each) => sum + each, 0) > ARGV_LIMITS.maxArgvBytes
  );
}

/** Where each token begins, in code points from 1. */
function columnsOf(words: readonly string[]): readonly number[] {
  let column = 1;
  return words.map((word) => {
    const start = column;
    column += codePointsOf(word).length + 1;
    return start;
  });
}

function problem(code: RuleProblemCode, column: number): RuleParse {
  return { ok: false, reason: ruleProblem(code, column) };
}
