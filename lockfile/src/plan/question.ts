// One question of a plan: a plugin, and for each of its inputs the placeholder it is bound to. Its identity is what
// stored answers and limits hang on. Pure data; nothing here runs or reads anything.
import type { InstalledPlugin } from '../plugin/installed-plugins.js';
import type { ManifestInput } from '../plugin/manifest-inputs.js';

export interface Binding {
  readonly input: ManifestInput;
  /** Without `${` and `}`. */
  readonly placeholder: string;
}

export interface Question {
  readonly plugin: InstalledPlugin;
  /** In the manifest's order; empty for a plugin without inputs. */
  readonly bindings: readonly Binding[];
}

/** The same for the same bytes of plugin and the same placeholders, and for nothing else. */
export function questionId({ plugin, bindings }: Question): string {
  return JSON.stringify([
    plugin.digest,
    ...bindings.map(({ input, placeholder }) => [input.name, placeholder]),
  ]);
}

/** "Each (plugin, distinct placeholder) pair counts as one answer": at least one for any question. */
export function countAnswers({ bindings }: Question): number {
  return Math.max(1, new Set(bindings.map(({ placeholder }) => placeholder)).size);
}

export function countAll(questions: readonly Question[]): number {
  return questions.reduce((sum, question) => sum + countAnswers(question), 0);
}

/** `pdf.parses@1.0.0` */
export function pluginLabel({ manifest }: InstalledPlugin): string {
  return `${manifest.name}@${manifest.version}`;
}

/** `pdf.contains.needle`: how a request, a ticket and a decision name one input. */
export function inputName({ plugin }: Question, { input }: Binding): string {
  return `${plugin.manifest.name}.${input.name}`;
}
