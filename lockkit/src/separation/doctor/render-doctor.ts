// A report as text for a person: one line a check, the fix under what is not right. Called by the doctor command.
import { visibleText } from '../../approval/visible.js';
import type { CheckResult, DoctorReport } from './doctor-check.js';

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

function renderCheck({ id, state, detail, fix, fixed }: CheckResult): string {
  const lines = [`${MARKS[state]}  ${visibleText(id)}: ${visibleText(detail)}`];
  if (fixed !== undefined) lines.push(`      done: ${visibleText(fixed)}`);
  if (fix !== undefined && state !== 'ok') lines.push(`      mend it: ${visibleText(fix)}`);
  return lines.join('\n');
}

export function renderDoctor({ ok, checks }: DoctorReport): string {
  const failed = checks.filter(({ state }) => state === 'fail').length;
  const warned = checks.filter(({ state }) => state === 'warn').length;
  const last = ok
    ? `no failure, ${String(warned)} warnings`
    : `${String(failed)} failures, ${String(warned)} warnings`;
  return `${checks.map(renderCheck).join('\n')}\n${last}\n`;
}
