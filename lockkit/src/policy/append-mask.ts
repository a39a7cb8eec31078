// `pii add`: one mask rule appended to pii.toml, through a TOML writer and never by pasting text: a pattern full of
// quotes, newlines and brackets stays one pattern. Whatever else the new text would say, it is not written.
import { appended, editFile } from './add-profile.js';
import type { FileGuard } from '../config/read-guarded-file.js';
import { loadFolder, type LoadOptions } from './load.js';
import type { Loaded } from './problem.js';
import type { PiiRules, ProfileDefinition } from './profile.js';
import { sameValue, sortedSet } from './sets.js';
import { encodeTomlText, type PolicyFile } from './toml.js';

/** The text with one more `[[mask]]`; null when the rule is there already. */
export function appendMaskRule<P>(
  definition: ProfileDefinition<P>,
  file: PolicyFile,
  pattern: string,
  options: LoadOptions,
): Loaded<string | null> {
  const before = loadFolder(definition, { pii: file }, options);
  if (!before.ok) return before;
  const old = before.value.pii;
  if (old.mask.includes(pattern)) return { ok: true, value: null };
  const text = appended(
    new TextDecoder().decode(file.bytes),
    `[[mask]]\npattern = ${encodeTomlText(pattern)}\n`,
  );
  const after = loadFolder(definition, { pii: { name: file.name, bytes: Buffer.from(text) } }, options);
  if (!after.ok) return after;
  const wanted: PiiRules = { mask: sortedSet([...old.mask, pattern]), allow: old.allow };
  if (!sameValue(after.value.pii, wanted)) throw new Error('appending a mask rule changed another rule');
  return { ok: true, value: text };
}

/** Appends to `folder/pii.toml`; true when it was added, false when it was there. Throws Fault when it cannot write. */
export function addMaskRule<P>(
  definition: ProfileDefinition<P>,
  place: { readonly folder: string; readonly guard: FileGuard },
  pattern: string,
  options: LoadOptions,
): Loaded<boolean> {
  return editFile(place, 'pii.toml', (file) => {
    const text = appendMaskRule(definition, file, pattern, options);
    if (!text.ok) return text;
    return { ok: true, value: text.value === null ? { result: false } : { result: true, text: text.value } };
  });
}
