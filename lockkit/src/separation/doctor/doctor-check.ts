// What doctor looks at, as data: one line, one state, one fix. Made by the check files here, by the front-end and by the
// lock; run by run-doctor. A repair is offered only where it can take nothing away from anybody.

export interface DoctorCheck {
  /** `socket_folder`, `console:web`: stable, for programs. */
  readonly id: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** A command, or what to do. */
  readonly fix?: string;
  /** Mends it and says in words what it did; throws when it cannot. */
  readonly repair?: () => string;
}

/** Looks once and gives what it found; called again after a repair. */
export type CheckSource = () => readonly DoctorCheck[] | Promise<readonly DoctorCheck[]>;

/** One line of the report (docs/decisions.md, "Shapes"). */
export interface CheckResult {
  readonly id: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix?: string;
  /** What --fix did. */
  readonly fixed?: string;
}

export interface DoctorReport {
  readonly ok: boolean;
  readonly checks: readonly CheckResult[];
}

export function good(id: string, detail: string): DoctorCheck {
  return { id, state: 'ok', detail };
}

export function bad(
  state: 'warn' | 'fail',
  id: string,
  detail: string,
  fix: string,
  repair?: () => string,
): DoctorCheck {
  return { id, state, detail, fix, ...(repair === undefined ? {} : { repair }) };
}
