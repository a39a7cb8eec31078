// Is this request a plan? Decided from the request, the policy, the installed plugins and the console's own memory of
// handles; it has no way to touch a source. Called when a plan is submitted and again before it runs.
// How lockfile works, "The life of a plan", step 2; plugin contract, "Inputs".
import { accepted, refused, type Outcome } from 'lockkit/contract';
import type { LockfileCode } from '../contract/refusals.js';
import { checkKey } from '../contract/source-key.js';
import type { InstalledPlugin } from '../plugin/installed-plugins.js';
import { parseInputKey, parsePlaceholder } from '../plugin/placeholder.js';
import type { FileHandle } from './handle-table.js';
import { countAll, questionId, type Binding, type Question } from './question.js';

export interface PlanRequest {
  readonly key?: string | undefined;
  readonly handle?: string | undefined;
  readonly plugins: readonly string[];
  readonly inputs?: Readonly<Record<string, string>> | undefined;
}

export type PlanTarget =
  { readonly kind: 'key'; readonly key: string } | { readonly kind: 'handle'; readonly handle: FileHandle };

export interface Plan {
  readonly target: PlanTarget;
  readonly questions: readonly Question[];
  /** How many answers the screen announces. */
  readonly answersRevealed: number;
}

export interface PlanWorld {
  readonly prefix: string;
  /** The profile's list, or every verified plugin. */
  readonly allowed: 'all' | readonly string[];
  readonly maxPluginsPerHandle: number;
  readonly plugins: ReadonlyMap<string, InstalledPlugin>;
  /** The peer's own handle of this id. */
  readonly findHandle: (id: string) => FileHandle | undefined;
}

export type PlanRefusal = LockfileCode | 'E_BAD_REQUEST' | 'E_UNKNOWN_HANDLE';

/** Implements the checks in the order of the page: key, plugins, inputs, count. */
export function checkPlan(request: PlanRequest, world: PlanWorld): Outcome<Plan, PlanRefusal> {
  const target = checkTarget(request, world);
  if (!target.ok) return target;
  const plugins = checkPlugins(request.plugins, world);
  if (!plugins.ok) return plugins;
  const questions = bindInputs(plugins.value, request.inputs ?? {});
  if (!questions.ok) return questions;
  const revealed = countAll(questions.value);
  if (countWith(target.value, questions.value) > world.maxPluginsPerHandle)
    return refused('E_TOO_MANY_PLUGINS');
  return accepted({ target: target.value, questions: questions.value, answersRevealed: revealed });
}

function checkTarget({ key, handle }: PlanRequest, world: PlanWorld): Outcome<PlanTarget, PlanRefusal> {
  if ((key === undefined) === (handle === undefined)) return refused('E_BAD_REQUEST');
  const found = handle === undefined ? undefined : world.findHandle(handle);
  if (handle !== undefined && found === undefined) return refused('E_UNKNOWN_HANDLE');
  // The prefix may have been tightened since the handle's file was fetched.
  const checked = checkKey(found?.key ?? (key as string), world.prefix);
  if (!checked.ok) return checked;
  return accepted(
    found === undefined ? { kind: 'key', key: checked.value } : { kind: 'handle', handle: found },
  );
}

function checkPlugins(
  names: readonly string[],
  { plugins, allowed }: PlanWorld,
): Outcome<readonly InstalledPlugin[], PlanRefusal> {
  if (names.length === 0 || new Set(names).size !== names.length) return refused('E_BAD_REQUEST');
  const found: InstalledPlugin[] = [];
  for (const name of names) {
    const plugin = allowed === 'all' || allowed.includes(name) ? plugins.get(name) : undefined;
    if (plugin === undefined) return refused('E_UNKNOWN_PLUGIN');
    found.push(plugin);
  }
  return accepted(found);
}

/** Every input of every plugin is bound, to a placeholder, and nothing else is named. */
function bindInputs(
  plugins: readonly InstalledPlugin[],
  inputs: Readonly<Record<string, string>>,
): Outcome<readonly Question[], PlanRefusal> {
  const placeholders = new Map<string, string>();
  for (const [name, value] of Object.entries(inputs)) {
    const at = parseInputKey(name);
    if (!at.ok) return at;
    const plugin = plugins.find(({ manifest }) => manifest.name === at.value.plugin);
    if (plugin?.manifest.inputs.some((input) => input.name === at.value.input) !== true)
      return refused('E_UNKNOWN_INPUT');
    const placeholder = parsePlaceholder(value);
    if (!placeholder.ok) return placeholder;
    placeholders.set(name, placeholder.value);
  }
  const questions: Question[] = [];
  for (const plugin of plugins) {
    const question = bindPlugin(plugin, placeholders);
    if (question === null) return refused('E_MISSING_INPUT');
    questions.push(question);
  }
  return accepted(questions);
}

function bindPlugin(plugin: InstalledPlugin, placeholders: ReadonlyMap<string, string>): Question | null {
  const bindings: Binding[] = [];
  for (const input of plugin.manifest.inputs) {
    const placeholder = placeholders.get(`${plugin.manifest.name}.${input.name}`);
    if (placeholder === undefined) return null;
    bindings.push({ input, placeholder });
  }
  return { plugin, bindings };
}

/** What the handle would have answered in all: a question it has answered already counts once. */
function countWith(target: PlanTarget, questions: readonly Question[]): number {
  if (target.kind === 'key') return countAll(questions);
  const known = new Set(target.handle.questions.keys());
  const fresh = questions.filter((question) => !known.has(questionId(question)));
  return target.handle.counted + countAll(fresh);
}
