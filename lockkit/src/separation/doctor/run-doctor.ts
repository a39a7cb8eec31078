// Runs every check, mends what may be mended, and looks again: what the report says is what was seen last.
// Called by the doctor command of every lock.
import type { CheckResult, CheckSource, DoctorCheck, DoctorReport } from './doctor-check.js';

/** `mend`: repairs are carried out. A repair that fails leaves its check as it was and says so in `fixed`. */
export async function runDoctor(sources: readonly CheckSource[], mend: boolean): Promise<DoctorReport> {
  const checks: CheckResult[] = [];
  for (const source of sources) checks.push(...(await runSource(source, mend)));
  return { ok: checks.every(({ state }) => state !== 'fail'), checks };
}

async function runSource(source: CheckSource, mend: boolean): Promise<readonly CheckResult[]> {
  const before = await source();
  const done = new Map<string, string>();
  if (mend)
    for (const check of before)
      if (check.state !== 'ok' && check.repair !== undefined) done.set(check.id, repaired(check.repair));
  const after = done.size === 0 ? before : await source();
  return after.map((check) => resultOf(check, done.get(check.id)));
}

function repaired(repair: () => string): string {
  try {
    return repair();
  } catch (error) {
    return `could not be mended: ${(error as NodeJS.ErrnoException).code ?? 'see the fix'}`;
  }
}

function resultOf({ id, state, detail, fix }: DoctorCheck, fixed: string | undefined): CheckResult {
  return {
    id,
    state,
    detail,
    ...(fix === undefined ? {} : { fix }),
    ...(fixed === undefined ? {} : { fixed }),
  };
}
