// Which rule allows an argv, or which one comes nearest and where it parts (using lockssh, "Allow rules").
// Called by the console for every request, by `policy match` and `policy explain`. The argv has passed checkArgv.
// It must never allow by anything but a whole match of one rule; `nearest` is for humans alone.
import { fitToken, type TokenFit } from './match-token.js';
import type { Rule } from './parse-rule.js';

/** Where a rule parts from an argv: another program, or an argument that is other, an option, climbing, missing or too many. */
export type Parting = 'program' | 'differs' | 'option' | 'climbs' | 'missing' | 'extra';

/** `index` of the rule; `token` = the place in the argv, from 0 (the program), where they part. */
export interface Nearest {
  readonly index: number;
  readonly token: number;
  readonly why: Parting;
}

export type RulesMatch =
  | { readonly kind: 'match'; readonly index: number; readonly rule: Rule }
  | { readonly kind: 'none'; readonly nearest?: Nearest };

type Fit =
  { readonly kind: 'match' } | { readonly kind: 'parts'; readonly token: number; readonly why: Parting };

const MATCH: Fit = { kind: 'match' };

export function matchRules(rules: readonly Rule[], argv: readonly string[]): RulesMatch {
  let nearest: Nearest | undefined;
  for (const [index, rule] of rules.entries()) {
    const fit = fitRule(rule, argv);
    if (fit.kind === 'match') return { kind: 'match', index, rule };
    const near = fit.why !== 'program' || baseName(rule.program) === baseName(argv[0] ?? '');
    if (near && (nearest === undefined || fit.token > nearest.token)) {
      nearest = { index, token: fit.token, why: fit.why };
    }
  }
  return nearest === undefined ? { kind: 'none' } : { kind: 'none', nearest };
}

/** One rule against one argv: a match, or the first place where they part. */
export function fitRule(rule: Rule, argv: readonly string[]): Fit {
  if (argv[0] !== rule.program) return { kind: 'parts', token: 0, why: 'program' };
  const rest = rule.tokens.at(-1)?.kind === 'rest' ? rule.tokens.at(-1) : undefined;
  const fixed = rest === undefined ? rule.tokens.length : rule.tokens.length - 1;
  for (let at = 1; at <= Math.max(fixed, argv.length - 1); at += 1) {
    const token = at <= fixed ? rule.tokens[at - 1] : rest;
    const argument = argv[at];
    if (token === undefined) return { kind: 'parts', token: at, why: 'extra' };
    if (argument === undefined) return { kind: 'parts', token: at, why: 'missing' };
    const fit: TokenFit = fitToken(token, argument);
    if (fit !== 'fits') return { kind: 'parts', token: at, why: fit };
  }
  return MATCH;
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

const PARTINGS: Readonly<Record<Parting, string>> = {
  program: 'names the program by another path',
  differs: 'expects another argument',
  option: 'has a glob there, which takes no argument that starts with - or +',
  climbs: 'has a glob there, which takes no . or .. in a path',
  missing: 'expects another argument after these',
  extra: 'expects no argument there',
};

/** Fixed text that ends the sentence "the nearest rule …"; it holds nothing of the argv. */
export function renderParting(why: Parting): string {
  return PARTINGS[why];
}
