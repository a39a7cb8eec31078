// The requirements as data: which sentence of which page, how binding, and where it is proved. Called by run-suite (for
// the report) and by the test that holds pages, requirements, cases and tests against each other.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const text = z.string().min(1);

/** `suite`: by cases of the suites. Else by named tests or field cases of this repository; or inside, and why. */
const proof = z.union([
  z.literal('suite'),
  z.strictObject({ tests: z.array(text).min(1) }),
  z.strictObject({ cases: z.array(text).min(1) }),
  z.strictObject({ inside: text }),
]);

const requirement = z.strictObject({
  id: z.string().regex(/^[A-Z]{2,4}-[0-9]{3}$/),
  section: text,
  level: z.enum(['MUST', 'SHOULD']),
  /** Words of the page, as they stand there; each piece is found in the page's text. */
  quotes: z.array(text).min(1),
  /** What holds when it is met. */
  proves: text,
  proof,
});

const pageShape = z.strictObject({
  /** Path from the repository's root. */
  page: text,
  /** Whether every piece of the page must be spoken of; `some`: a page that settles more than a lock's outside. */
  covers: z.enum(['every piece', 'some']),
  requirements: z.array(requirement).min(1),
  /** Pieces of the page that require nothing: explanation, examples, headings of tables. */
  prose: z.array(text),
});

export type Requirement = z.infer<typeof requirement>;
export type RequirementPage = z.infer<typeof pageShape>;

/** Every page of the folder. Throws with the file's name: the data is ours. */
export function readRequirements(folder: string): readonly RequirementPage[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return files.map((name) => {
    const parsed = pageShape.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    if (parsed.success) return parsed.data;
    throw new Error(
      `${name}: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`,
    );
  });
}

export function byId(pages: readonly RequirementPage[]): ReadonlyMap<string, Requirement> {
  return new Map(pages.flatMap(({ requirements }) => requirements.map((one) => [one.id, one] as const)));
}
