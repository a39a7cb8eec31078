// The inputs a protocol-2 manifest declares, and the `${name}`s of its question: each names the other.
// Called by the manifest parser only.
import { accepted, refused, type Outcome } from 'lockkit/contract';

export type InputKind = 'text' | 'email' | 'digits';

export interface ManifestInput {
  readonly name: string;
  readonly kind: InputKind;
  readonly maxBytes: number;
}

export const INPUT_NAME = /^[a-z0-9_]{1,32}$/;

interface DeclaredInput {
  readonly name: string;
  readonly kind: InputKind;
  readonly max_bytes: number;
}

/**
 * Names are unique, each stands in the question, and nothing else stands in `${…}` there; `others` (what 1 and 0
 * mean) may repeat a declared name and hold no other `${`.
 */
export function checkInputs(
  declared: readonly DeclaredInput[],
  question: string,
  others: readonly string[],
): Outcome<readonly ManifestInput[], 'bad_inputs' | 'question_and_inputs_differ'> {
  const names = new Set(declared.map((input) => input.name));
  if (names.size !== declared.length) return refused('bad_inputs');
  const asked = slotsOf(question);
  const repeated = others.map(slotsOf);
  const agree =
    asked !== null &&
    repeated.every((slots) => slots !== null && isSubset(slots, names)) &&
    asked.size === names.size &&
    isSubset(asked, names);
  if (!agree) return refused('question_and_inputs_differ');
  return accepted(
    declared.map((input) => ({ name: input.name, kind: input.kind, maxBytes: input.max_bytes })),
  );
}

function isSubset(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((name) => whole.has(name));
}

/** The names in `${…}`; null when a `${` opens anything but a well-formed name. */
function slotsOf(text: string): ReadonlySet<string> | null {
  const names = new Set<string>();
  for (const part of text.split('${').slice(1)) {
    const end = part.indexOf('}');
    const name = part.slice(0, Math.max(end, 0));
    if (!INPUT_NAME.test(name)) return null;
    names.add(name);
  }
  return names;
}
