// Lists of a profile. A text where a list is wanted is refused: read letter by letter it would be many rules.
import { z } from 'zod';
import type { ValueType } from '../field.js';
import { normalLanguage, type AllowLanguage } from '../language.js';
import { sortedSet } from '../sets.js';

/** A set of these words, each at most once. */
export function wordSet<T extends string>(words: readonly [T, ...T[]]): ValueType<readonly T[]> {
  const schema = z
    .array(z.enum(words) as unknown as z.ZodType<T>)
    .refine((list) => new Set(list).size === list.length, 'a word stands twice in the list');
  const quoted = words.map((word) => `"${word}"`).join(', ');
  return { schema, expects: `a list of ${quoted}, each at most once`, normalise: sortedSet };
}

/** Why a rule does not load: one static sentence, and the column (from 1) in the rule. Null: it loads. */
export type RuleCheck = (rule: string) => { readonly message: string; readonly column?: number } | null;

/** Allow rules as the file gives them: one set of a language. `checkRule` knows the rules of the lock. */
export function allowRules(checkRule: RuleCheck, maxRules: number): ValueType<AllowLanguage> {
  const rule = z.string().superRefine((text, context) => {
    const mistake = checkRule(text);
    if (mistake === null) return;
    const at = mistake.column === undefined ? '' : ` (column ${String(mistake.column)} of the rule)`;
    context.addIssue({ code: 'custom', message: `${mistake.message}${at}` });
  });
  return {
    schema: z
      .array(rule)
      .max(maxRules)
      .transform((rules): AllowLanguage => [rules]),
    expects: `a list of at most ${String(maxRules)} rules, one text each`,
    normalise: normalLanguage,
    show: (language) => (language.length === 1 ? (language[0] ?? []) : language),
  };
}
