// The two kinds of value that only lockfile's profile has: a key prefix and a list of plugins.
import { z } from 'zod';
import type { Remark, ValueType } from 'lockkit/policy';
import { PLUGIN_NAME } from './plugin-name.js';
import { isKeyPrefix } from './source-key.js';

export const sourceKeyPrefix: ValueType<string> = {
  schema: z.string().refine(isKeyPrefix),
  expects: 'what every key begins with ("" = any): no leading slash, no "..", nothing invisible',
};

/** A prefix is text: `invoices` is also how `invoices-old/a.pdf` begins. */
export function remarksOnPrefix(prefix: string): readonly Remark[] {
  if (prefix === '' || prefix.endsWith('/')) return [];
  return [{ message: 'the prefix does not end in /: keys of neighbours that begin the same way match too' }];
}

const MAX_PLUGINS = 256;

/** [] in the file means every verified plugin; it can never mean none. */
export const pluginNames: ValueType<'all' | readonly string[]> = {
  schema: z
    .array(z.string().regex(PLUGIN_NAME))
    .max(MAX_PLUGINS)
    .refine((names) => new Set(names).size === names.length, 'a plugin stands twice in the list')
    .transform((names): 'all' | readonly string[] =>
      names.length === 0 ? 'all' : names.toSorted(),
    ) as unknown as z.ZodType<'all' | readonly string[]>,
  expects: 'a list of plugin names ([] = every verified plugin)',
  show: (names) => (names === 'all' ? 'every verified plugin' : names),
};
