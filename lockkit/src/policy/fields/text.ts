// Texts of a profile that a human will be shown: paths, names, addresses. Nothing invisible, nothing that changes
// how the line around it reads, and never a NUL.
import { z } from 'zod';
import type { ValueType } from '../field.js';

const MAX_TEXT = 1024;
// Controls, format characters (bidi, zero width, tags), surrogates, private use, unassigned, line separators, and what
// Unicode calls letters or marks but nobody sees.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2800]/u;

/** Is every code point of this text visible (a plain space counts as visible)? */
export function isVisibleText(text: string): boolean {
  return !INVISIBLE.test(text);
}

/** A visible text of 0 to 1024 characters; `""` only where the key says what it means. */
export function visibleText(expects: string, { empty }: { readonly empty: boolean }): ValueType<string> {
  return {
    schema: z
      .string()
      .max(MAX_TEXT)
      .refine((text) => isVisibleText(text) && (empty || text !== '') && text.trim() === text),
    expects,
  };
}

/** A file's path. `~/` is the home of the account that reads; so is the start of a relative path. */
export function filePath({ empty }: { readonly empty: boolean }): ValueType<string> {
  const type = visibleText('a path without control or invisible characters', { empty });
  return { ...type, schema: type.schema.refine((path) => !/^~(?!\/)/.test(path) && !/\/$/.test(path)) };
}
