// What an agent may bind an input to: a placeholder, never a value. `{"pdf.contains.needle": "${email}"}`.
// Called by the plan's validation.
import { accepted, refused, type Outcome } from 'lockkit/contract';
import { INPUT_NAME } from './manifest-inputs.js';

/** The bare name of `${name}`; anything else is a literal. */
export function parsePlaceholder(text: string): Outcome<string, 'E_LITERAL_INPUT'> {
  if (!text.startsWith('${') || !text.endsWith('}')) return refused('E_LITERAL_INPUT');
  const name = text.slice(2, -1);
  return INPUT_NAME.test(name) ? accepted(name) : refused('E_LITERAL_INPUT');
}

/** `pdf.contains.needle` → the plugin and its input. An input's name holds no dot, so the last dot parts them. */
export function parseInputKey(
  text: string,
): Outcome<{ readonly plugin: string; readonly input: string }, 'E_UNKNOWN_INPUT'> {
  const dot = text.lastIndexOf('.');
  const input = text.slice(dot + 1);
  if (dot < 1 || !INPUT_NAME.test(input)) return refused('E_UNKNOWN_INPUT');
  return accepted({ plugin: text.slice(0, dot), input });
}
