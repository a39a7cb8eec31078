// The words in braces of a case: `{lock}`, `{project}`, `{target}` … become what they are in this run.
// Called once for every case. Words that it does not know stay as they are.
import type { SuiteCase } from './suite-case.js';
import type { LockFacts } from './lock-facts.js';

export interface Places {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly sockets: string;
}

/** Looks like nothing else in any output, and like a valid name. */
const CANARY = 'qx7canary3vz';

type Words = Readonly<Record<string, string>>;

export function wordsOf(facts: LockFacts, places: Places): Words {
  return {
    lock: facts.name,
    home: places.home,
    project: places.project,
    outside: places.root,
    sockets: places.sockets,
    config: `${places.project}/.${facts.name}/config.toml`,
    canary: CANARY,
    target_toml: facts.target_toml.join('\n'),
    method: facts.action.method,
    tool: facts.action.tool,
  };
}

const WORD = /\{([a-z_]+)\}/g;

export function fillText(text: string, words: Words): string {
  return text.replace(WORD, (whole, name: string) =>
    Object.hasOwn(words, name) ? (words[name] as string) : whole,
  );
}

/** The lock's flags in place of `{target}` and `{other_target}`, and its action in place of `{action}`. */
export function fillArgv(argv: readonly string[], facts: LockFacts, words: Words): readonly string[] {
  const lists: Readonly<Record<string, readonly string[]>> = {
    '{target}': facts.target,
    '{other_target}': facts.other_target,
    '{action}': facts.action.argv,
  };
  return argv.flatMap((word) => lists[word] ?? [word]).map((word) => fillText(word, words));
}

/** Every text in a value; member names too. A text that is one of these words alone becomes the fact's value. */
export function fillValue<T>(value: T, words: Words, facts: LockFacts): T {
  const { params, arguments: args, result } = facts.action;
  if (value === '{params}') return params as T;
  if (value === '{arguments}') return args as T;
  if (value === '{result}') return result as T;
  if (value === '{tools}') return facts.tools.map((name) => ({ $some: { name, '...': true } })) as T;
  if (typeof value === 'string') return fillText(value, words) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => fillValue(item, words, facts)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      fillText(key, words),
      fillValue(item as unknown, words, facts),
    ]),
  ) as T;
}

/** A case with `{bad_target}` stands for one case for each wrong value of the lock's facts. */
export function expandCase(item: SuiteCase, facts: LockFacts): readonly SuiteCase[] {
  const text = JSON.stringify(item);
  if (!text.includes('{bad_target}')) return [item];
  return facts.bad_targets.map(({ flags, key }, at) => {
    const spelled = flags.map((word) => JSON.stringify(word)).join(',');
    const filled = text.replaceAll('"{bad_target}"', () => spelled).replaceAll('{bad_key}', () => key);
    return { ...(JSON.parse(filled) as SuiteCase), id: `${item.id}-${String(at + 1)}` };
  });
}
