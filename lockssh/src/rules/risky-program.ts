// Looks a program up in the table of risky programs. Called by the review alone; being absent from the table says
// nothing about a program (using lockssh, "Allow rules").
import { programNames } from './program-name.js';
import { RISKY_PROGRAM_GROUPS } from './risky-programs.js';

export type RiskKind = 'exec' | 'write' | 'read' | 'network' | 'disguise';

/** `withoutDash`: the kinds that need no argument starting with - or +. */
export interface RiskyProgram {
  readonly name: string;
  readonly kinds: readonly RiskKind[];
  readonly withoutDash: readonly RiskKind[];
}

let table: ReadonlyMap<string, RiskyProgram> | undefined;

/** The entry for a program as a rule names it (a path, a version), or undefined. */
export function riskyProgram(program: string): RiskyProgram | undefined {
  table ??= readTable();
  const [base = '', ...others] = programNames(program);
  const exact = table.get(base);
  if (exact !== undefined) return exact;
  return others.map((name) => table?.get(name)).find((entry) => entry !== undefined);
}

function readTable(): ReadonlyMap<string, RiskyProgram> {
  const entries = new Map<string, RiskyProgram>();
  for (const group of RISKY_PROGRAM_GROUPS) {
    const kinds = kindsOf(group.kinds);
    const withoutDash = kindsOf(group.withoutDash);
    for (const name of group.names.trim().split(/\s+/)) entries.set(name, { name, kinds, withoutDash });
  }
  addWithoutVersion(entries);
  return entries;
}

/** `sqlite3` of the table also stands for `sqlite`; a name of its own keeps its own entry. */
function addWithoutVersion(entries: Map<string, RiskyProgram>): void {
  for (const entry of [...entries.values()]) {
    for (const name of programNames(entry.name)) {
      if (name.length > 2 && !entries.has(name)) entries.set(name, entry);
    }
  }
}

function kindsOf(text: string): readonly RiskKind[] {
  return text.split(' ').filter((kind) => kind !== '') as readonly RiskKind[];
}
