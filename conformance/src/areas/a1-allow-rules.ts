// Area A1: path.Match, one rule against one argv, does a rule load, must the review warn, the limits of an argv.
// Called by the runner. A rule that does not load matches nothing and warns of nothing.
import { checkArgv, matchGlob, matchRules, parseRule, reviewRule } from '@lockkit/lockssh/rules';
import type { Json, JsonObject, Kind, Kinds } from '../kind.js';

/** Input {pattern, name} → {match, error: null | "bad_pattern"}. */
const glob: Kind = {
  run: (input) => ({ ...matchGlob(String(input['pattern']), String(input['name'])) }),
  judge: (_input, expected, got) => firstDifference(['match', 'error'], expected, got),
};

/** Input {rule, argv} → {match}. */
const rule: Kind = {
  run: (input) => {
    const parsed = parseRule(String(input['rule']));
    return { match: parsed.ok && matchRules([parsed.rule], strings(input['argv'])).kind === 'match' };
  },
  judge: (_input, expected, got) => firstDifference(['match'], expected, got),
};

/** Input {rule} → {accepted, code?: why it does not load}. */
const ruleLoad: Kind = {
  run: (input) => {
    const parsed = parseRule(String(input['rule']));
    return parsed.ok ? { accepted: true } : { accepted: false, code: parsed.reason.code };
  },
  judge: (_input, expected, got) => firstDifference(['accepted'], expected, got),
};

/** Input {rule} → {warning, codes}. */
const ruleReview: Kind = {
  run: (input) => {
    const parsed = parseRule(String(input['rule']));
    const warnings = parsed.ok ? reviewRule(parsed.rule) : [];
    return { warning: warnings.length > 0, codes: warnings.map((warning) => warning.code) };
  },
  judge: (_input, expected, got) => firstDifference(['warning'], expected, got),
};

/** Input {argv} → {accepted, code: null | "E_BAD_ARGV"}. */
const argv: Kind = {
  run: (input) => {
    const checked = checkArgv(input['argv']);
    return { accepted: checked.ok, code: checked.ok ? null : checked.code };
  },
  judge: (_input, expected, got) => firstDifference(['accepted', 'code'], expected, got),
};

export const kinds: Kinds = { glob, rule, rule_load: ruleLoad, rule_review: ruleReview, argv };

function firstDifference(keys: readonly string[], expected: JsonObject, got: Json): string | null {
  const answer = (got ?? {}) as JsonObject;
  const key = keys.find((name) => name in expected && answer[name] !== expected[name]);
  return key === undefined ? null : `${key}: ${JSON.stringify(answer[key] ?? null)}`;
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
