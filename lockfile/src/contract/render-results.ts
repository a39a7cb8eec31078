// lockfile's results as text for a person. Names and questions come from manifests: they are escaped as on a screen.
// Called by the command line only.
import { visibleText } from 'lockkit/approval';
import type { RenderedResult } from 'lockkit/contract';

interface AnswerRow {
  readonly plugin: string;
  readonly version: string;
  readonly result: 1 | 0 | null;
  readonly code?: string;
}

interface PluginRow {
  readonly name: string;
  readonly version: string;
  readonly question: string;
  readonly one: string;
  readonly zero: string;
  readonly official: boolean;
  readonly signed: boolean;
  readonly inputs: readonly { readonly name: string; readonly kind: string }[];
}

interface PlanResult {
  readonly plan?: string;
  readonly expires_at?: string;
  readonly answers_revealed?: number;
  readonly handle?: string;
  readonly answers?: readonly AnswerRow[];
}

const lines = (rows: readonly string[]): RenderedResult => ({ out: rows.map((row) => `${row}\n`).join('') });

function answerLine({ plugin, version, result, code }: AnswerRow): string {
  const shown = result === null ? `no answer (${visibleText(code ?? 'plugin_error')})` : String(result);
  return `${visibleText(plugin)}@${visibleText(version)}  ${shown}`;
}

export function renderAnswers(result: unknown): RenderedResult {
  const { handle = '', answers = [] } = result as PlanResult;
  return lines([`handle ${visibleText(handle)}`, ...answers.map(answerLine)]);
}

export function renderPlan(result: unknown): RenderedResult {
  const { plan, expires_at: expires = '', answers_revealed: revealed = 0 } = result as PlanResult;
  if (plan === undefined) return renderAnswers(result);
  return lines([
    `plan ${visibleText(plan)}: reveals at most ${revealed} answers, until ${visibleText(expires)}`,
    `run it with: lockfile run ${visibleText(plan)}`,
  ]);
}

export function renderPlugins(result: unknown): RenderedResult {
  const { plugins } = result as { readonly plugins: readonly PluginRow[] };
  if (plugins.length === 0) return lines(['no plugin is installed']);
  return lines(plugins.flatMap(pluginLines));
}

function pluginLines(plugin: PluginRow): readonly string[] {
  const origin = `${plugin.official ? 'official' : 'UNOFFICIAL'}${plugin.signed ? '' : ', unsigned'}`;
  const inputs = plugin.inputs.map(({ name, kind }) => `  --input ${plugin.name}.${name}='\${…}'  (${kind})`);
  return [
    `${plugin.name}@${plugin.version}  (${origin})`,
    `  ? ${plugin.question}`,
    `  1 = ${plugin.one}   0 = ${plugin.zero}`,
    ...inputs,
  ].map((text) => visibleText(text));
}

export function renderSources(result: unknown): RenderedResult {
  const { sources } = result as { readonly sources: readonly Readonly<Record<string, unknown>>[] };
  return lines(
    sources.map(({ profile, source, prefix, production }) =>
      visibleText(
        `${String(profile)}: ${String(source)}, keys ${prefix === '' ? 'of any name' : `under ${String(prefix)}`}${production === true ? ', production' : ''}`,
      ),
    ),
  );
}

export function renderReleased(): RenderedResult {
  return lines(['released: the fetched file is deleted']);
}

export function renderStatus(result: unknown): RenderedResult {
  const { profiles } = result as { readonly profiles: readonly Readonly<Record<string, unknown>>[] };
  if (profiles.length === 0) return lines(['no profile is configured here']);
  return lines(
    profiles.map(({ profile, console: state, production }) =>
      visibleText(`${String(profile)}: console ${String(state)}${production === true ? ', production' : ''}`),
    ),
  );
}
