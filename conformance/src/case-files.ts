// Reads the PATHs of `lock-conformance cases`: a file, or a folder of *.jsonl. Called by main only.
// A PATH that is missing is a mistake of whoever typed it; a bad line is a failed case and the rest still runs.
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserMistake } from 'lockkit/contract';
import { type BadCase, type Case, parseCaseLine } from './case.js';

export interface CaseSet {
  readonly cases: readonly Case[];
  readonly bad: readonly BadCase[];
}

/** Largest case file, bytes. */
export const MAX_CASE_FILE_BYTES = 64 * 1024 * 1024;

/** All cases of all paths, in order. Throws UserMistake where a path cannot be read or holds no case file. */
export function readCaseFiles(paths: readonly string[]): CaseSet {
  const seen = new Set<string>();
  const files: string[] = [];
  for (const file of paths.flatMap(filesOf)) {
    const real = realpathSync(file);
    if (!seen.has(real)) files.push(file);
    seen.add(real);
  }
  return collect(files.flatMap(readLines));
}

function filesOf(path: string): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new UserMistake(`${path}: no such file or folder; give a case file or a folder of *.jsonl`);
  if (!stat.isDirectory()) return [path];
  const files = readdirSync(path)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  if (files.length === 0) throw new UserMistake(`${path}: the folder holds no *.jsonl file`);
  return files.map((name) => join(path, name));
}

interface Line {
  readonly text: string;
  readonly place: string;
}

function readLines(file: string): readonly Line[] {
  const stat = statSync(file);
  if (!stat.isFile()) throw new UserMistake(`${file}: not a file`);
  if (stat.size > MAX_CASE_FILE_BYTES)
    throw new UserMistake(`${file}: larger than ${String(MAX_CASE_FILE_BYTES)} bytes`);
  const lines = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/u, '')
    .split('\n');
  return lines
    .map((text, index) => ({ text: text.trim(), place: `${basename(file)}:${String(index + 1)}` }))
    .filter((line) => line.text !== '');
}

/** Parses the lines; of two cases with one id the first stands and the second is bad. */
function collect(lines: readonly Line[]): CaseSet {
  const cases = new Map<string, Case>();
  const bad: BadCase[] = [];
  for (const { text, place } of lines) {
    const line = parseCaseLine(text, place);
    if (line.kind === 'bad') {
      bad.push(line.bad);
      continue;
    }
    const earlier = cases.get(line.case.id);
    if (earlier === undefined) cases.set(line.case.id, line.case);
    else
      bad.push({
        id: line.case.id,
        area: line.case.area,
        reason: `${place}: this id was used at ${earlier.place} already`,
      });
  }
  return { cases: [...cases.values()], bad };
}
