// Why a rule does not load: a code, the column, and a sentence that says what to write instead.
// Made by the rule parser, shown by the policy review and `policy check`. A sentence is fixed text: it must never
// quote the rule.

const SENTENCES = {
  EMPTY_RULE: 'a rule names at least a program',
  EMPTY_TOKEN: 'tokens are separated by exactly one space, with none at the beginning or the end',
  UNSEEN_CHARACTER: 'a rule holds no control or invisible character, no tab, and no space but the plain one',
  QUOTE:
    'rules have no quoting, one token is one argument; write \\" or \\\' for a quote that is meant literally',
  BAD_GLOB: 'this is no glob of path.Match; inside [ ] write \\- and \\] for the characters themselves',
  DOUBLE_STAR: '** stands alone and only as the last token; inside a token write a single *',
  PROGRAM_NOT_LITERAL: 'the first token, the program, is literal: none of * ? [ \\',
  PROGRAM_OPTION: 'a program does not start with - or +',
  PROGRAM_ASSIGNMENT: 'a program name holds no =',
  PROGRAM_BUILTIN: 'this is a shell builtin or keyword, never a program; name the file to run',
  TOO_LONG: 'no argv that may be sent is as long as this rule: 64 arguments, 4 KiB each, 16 KiB in all',
} as const;

export type RuleProblemCode = keyof typeof SENTENCES;

/** `column` counts code points from 1. */
export interface RuleProblem {
  readonly code: RuleProblemCode;
  readonly column: number;
  readonly sentence: string;
}

export function ruleProblem(code: RuleProblemCode, column: number): RuleProblem {
  return { code, column, sentence: SENTENCES[code] };
}
