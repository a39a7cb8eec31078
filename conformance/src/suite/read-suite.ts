// Reads the cases of one suite: a folder, a file a case. Called by run-suite and by the coverage test.
// A mistake in a case is ours: it throws with the file's name.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type SuiteCase, suiteCaseShape } from './suite-case.js';

export const SUITES = ['verbs', 'socket', 'mcp'] as const;
export type SuiteName = (typeof SUITES)[number];

export function readSuite(folder: string, name: SuiteName): readonly SuiteCase[] {
  const files = readdirSync(join(folder, name))
    .filter((file) => file.endsWith('.json'))
    .sort();
  return files.map((file) => {
    const parsed = suiteCaseShape.safeParse(JSON.parse(readFileSync(join(folder, name, file), 'utf8')));
    if (!parsed.success)
      throw new Error(
        `${name}/${file}: ${parsed.error.issues[0]?.path.join('.') ?? ''} is not as it must be`,
      );
    if (`${parsed.data.id}.json` !== file)
      throw new Error(`${name}/${file}: the file must be named after the case’s id`);
    return parsed.data;
  });
}
