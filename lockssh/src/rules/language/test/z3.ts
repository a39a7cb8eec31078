// An oracle that shares no code with the order: the rules as regular expressions of SMT-LIB, decided by z3.
// It reads rules anew from their text. Used by tests alone; needs the program z3 (Debian package z3).
import { spawnSync } from 'node:child_process';

const SEPARATOR = '(str.to_re "\\u{1}")';
const SLASH = '(str.to_re "/")';
/** What an argument may hold here: printable ASCII and é; enough, because the rules leave some of it unnamed. */
const ANY = '(re.union (re.range " " "~") (str.to_re "\\u{e9}"))';
const NO_SLASH = `(re.diff ${ANY} ${SLASH})`;
const DOTS = '(re.union (str.to_re ".") (str.to_re ".."))';
const NONE = '(re.inter (str.to_re "a") (str.to_re "b"))';

export function hasZ3(): boolean {
  return spawnSync('z3', ['--version']).status === 0;
}

export type Answer = 'sat' | 'unsat' | 'unknown';

/** For each pair: is there an argv that all sets of `after` allow and some set of `before` does not? */
export function askZ3(
  pairs: readonly {
    readonly before: readonly (readonly string[])[];
    readonly after: readonly (readonly string[])[];
  }[],
): readonly Answer[] {
  const queries = pairs.map(({ before, after }) => {
    const allowed = after.map((set) => `(str.in_re s ${setRegex(set)})`);
    const refused = before.map((set) => `(not (str.in_re s ${setRegex(set)}))`);
    return `(push)(assert (and ${allowed.join(' ')} (or false ${refused.join(' ')})))(check-sat)(pop)`;
  });
  const input = [
    '(set-logic ALL)',
    '(set-option :timeout 2000)',
    '(declare-const s String)',
    ...queries,
  ].join('\n');
  const { stdout } = spawnSync('z3', ['-in'], { input, encoding: 'utf8', timeout: 120_000 });
  const answers = stdout.trim().split('\n');
  if (answers.some((answer) => !['sat', 'unsat', 'unknown'].includes(answer))) throw new Error(stdout);
  return answers as Answer[];
}

function union(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? NONE;
  return `(re.union ${parts.join(' ')})`;
}

function concat(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? '(str.to_re "")';
  return `(re.++ ${parts.join(' ')})`;
}

function setRegex(rules: readonly string[]): string {
  return union(rules.map(ruleRegex));
}

function ruleRegex(rule: string): string {
  const [program = '', ...tokens] = rule.split(' ');
  let operand = false;
  const parts = tokens.map((token) => {
    const regex = concat([SEPARATOR, tokenRegex(token, operand)]);
    operand ||= token === '--';
    return token === '**' ? `(re.* ${regex})` : regex;
  });
  return concat([text(program), ...parts]);
}

function tokenRegex(token: string, operand: boolean): string {
  if (!/[*?[\\]/.test(token)) return text(token);
  const closed = ['-', '+'].filter((sign) => !operand && !token.startsWith(sign));
  const options = closed.map((sign) => concat([text(sign), `(re.* ${ANY})`]));
  const all = token === '**' ? restRegex() : globRegex(token);
  return options.length === 0 ? all : `(re.diff ${all} ${union(options)})`;
}

function restRegex(): string {
  const segment = `(re.diff (re.* ${NO_SLASH}) ${DOTS})`;
  return concat([segment, `(re.* ${concat([SLASH, segment])})`]);
}

/** Pieces of a glob: a class, an escaped character, or one character. */
function globRegex(token: string): string {
  const segments: string[][] = [[]];
  for (const piece of token.match(/\[\^?(?:\\.|[^\\\]])+\]|\\.|./gsu) ?? []) {
    if (piece === '/' || piece === '\\/') segments.push([]);
    else segments.at(-1)?.push(piece);
  }
  const regexes = segments.map((pieces) => {
    const regex = concat(pieces.map(pieceRegex));
    return pieces.every((piece) => /^[^*?[\\]$/su.test(piece)) ? regex : `(re.diff ${regex} ${DOTS})`;
  });
  return concat(regexes.flatMap((regex, index) => (index === 0 ? [regex] : [SLASH, regex])));
}

function pieceRegex(piece: string): string {
  if (piece === '*') return `(re.* ${NO_SLASH})`;
  if (piece === '?') return NO_SLASH;
  if (piece.startsWith('\\')) return text(piece.slice(1));
  return piece.startsWith('[') && piece.length > 1 ? classRegex(piece) : text(piece);
}

function classRegex(piece: string): string {
  const negated = piece.startsWith('[^');
  const members = piece.slice(negated ? 2 : 1, -1).match(/(\\.|[^\\])(?:-(\\.|[^\\]))?/gsu) ?? [];
  const ranges = members.map((member) => {
    const [, low = '', high = low] = /^(\\.|[^\\])(?:-(\\.|[^\\]))?$/su.exec(member) ?? [];
    return `(re.range ${quoted(low.replace(/^\\/, ''))} ${quoted(high.replace(/^\\/, ''))})`;
  });
  return negated ? `(re.diff ${NO_SLASH} ${union(ranges)})` : `(re.inter ${NO_SLASH} ${union(ranges)})`;
}

function text(value: string): string {
  return `(str.to_re ${quoted(value)})`;
}

function quoted(value: string): string {
  const characters = [...value].map((character) => {
    const plain = /^[ !#-[\]-~]$/.test(character);
    return plain ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
  return `"${characters.join('')}"`;
}
