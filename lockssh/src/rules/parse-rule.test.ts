import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRule } from './parse-rule.js';

const problem = (text: string): readonly [string, number] | null => {
  const parsed = parseRule(text);
  return parsed.ok ? null : [parsed.reason.code, parsed.reason.column];
};

describe('parseRule: what does not load, and where', () => {
  it.each([
    ['', 'EMPTY_RULE', 1],
    [' ', 'EMPTY_TOKEN', 1],
    [' uptime', 'EMPTY_TOKEN', 1],
    ['uptime ', 'EMPTY_TOKEN', 8],
    ['ls  *', 'EMPTY_TOKEN', 4],
    ['ls\t*', 'UNSEEN_CHARACTER', 3],
    ['ls a\u200b', 'UNSEEN_CHARACTER', 5],
    ['😀 a\ud800', 'UNSEEN_CHARACTER', 4],
    ['ls\u00a0x', 'UNSEEN_CHARACTER', 3],
    ['ls a\u3000b', 'UNSEEN_CHARACTER', 5],
    ['ls "a b"', 'QUOTE', 4],
    ["ls it's", 'QUOTE', 6],
    ['"ls" x', 'QUOTE', 1],
    ['ls [a-', 'BAD_GLOB', 6],
    ['ls x [-a]*', 'BAD_GLOB', 7],
    ['ls x\\', 'BAD_GLOB', 5],
    ['ls ** x', 'DOUBLE_STAR', 4],
    ['ls a**b', 'DOUBLE_STAR', 5],
    ['ls ***', 'DOUBLE_STAR', 4],
    ['ls \\**x**', 'DOUBLE_STAR', 8],
    ['* x', 'PROGRAM_NOT_LITERAL', 1],
    ['**', 'PROGRAM_NOT_LITERAL', 1],
    ['l[s] x', 'PROGRAM_NOT_LITERAL', 1],
    ['l\\s', 'PROGRAM_NOT_LITERAL', 1],
    ['[ -f x ]', 'PROGRAM_NOT_LITERAL', 1],
    ['-x', 'PROGRAM_OPTION', 1],
    ['+x', 'PROGRAM_OPTION', 1],
    ['A=1 ls', 'PROGRAM_ASSIGNMENT', 1],
    ['./a=b', 'PROGRAM_ASSIGNMENT', 1],
    ['eval x', 'PROGRAM_BUILTIN', 1],
    ['. x', 'PROGRAM_BUILTIN', 1],
    ['[[ x', 'PROGRAM_BUILTIN', 1],
    [`p ${'a '.repeat(63)}a`, 'TOO_LONG', 1],
    [`p ${'a'.repeat(4097)}`, 'TOO_LONG', 1],
    [`p ${'é'.repeat(2049)}`, 'TOO_LONG', 1],
    [`p ${'?'.repeat(4097)}*`, 'TOO_LONG', 1],
    [`p ${`${'?'.repeat(4096)} `.repeat(4)}**`, 'TOO_LONG', 1],
  ])('%s', (text, code, column) => {
    expect(problem(text)).toEqual([code, column]);
  });
});

describe('parseRule: what loads', () => {
  it.each([
    'uptime',
    'df -h',
    'systemctl status *',
    'journalctl -u * -n * --no-pager',
    'echo **',
    'echo -- **',
    'ls \\"a\\"',
    "ls it\\'s",
    'ls ["\']*',
    'ls [**]',
    'ls \\**',
    'test -f *',
    'R -e x',
    '/usr/bin/eval x',
    'ls [/]',
    'ls [z-a]',
    `p ${'a '.repeat(62)}a`,
    `p ${'a '.repeat(62)}a **`,
    `p ${'*a'.repeat(2000)}`,
  ])('%s', (text) => {
    expect(problem(text)).toBeNull();
  });

  it('a literal -- makes operands of what follows, and only of that', () => {
    const parsed = parseRule('rg -e * -- * **');
    const operands = parsed.ok
      ? parsed.rule.tokens.map((token) => (token.kind === 'literal' ? null : token.operand))
      : [];
    expect(operands).toEqual([null, false, null, true, true]);
  });
});

describe('parseRule: always', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', ' ', '*', '[', ']', '\\', '-', '^', '"', '\t', '/', '=', '😀', '\u200b'),
  });

  it('never throws, never quotes the rule, and points into it', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => {
        const parsed = parseRule(text);
        if (parsed.ok) return;
        expect(parsed.reason.column).toBeGreaterThanOrEqual(1);
        expect(parsed.reason.column).toBeLessThanOrEqual([...text].length + 1);
      }),
    );
  });

  it('the same code has the same sentence', () => {
    const sentences = new Map<string, string>();
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseRule(text);
        if (parsed.ok) return;
        const { code, sentence } = parsed.reason;
        expect(sentences.get(code) ?? sentence).toBe(sentence);
        sentences.set(code, sentence);
      }),
    );
  });
});
