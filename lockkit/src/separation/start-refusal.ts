// Why a console does not start, as codes that tests and doctor name, with the reason and the command that mends it.
// Called by check-start. Reasons are static but for names that root chose (accounts, paths).

export type StartCode =
  | 'root_console'
  | 'no_separation'
  | 'wrong_account'
  | 'service_is_client'
  | 'service_group_shared'
  | 'foreign_login'
  | 'foreign_terminal'
  | 'unclean_environment'
  | 'program_writable'
  | 'system_file_writable'
  | 'socket_folder'
  | 'home_open'
  | 'x11_refused'
  | 'client_may_become_root'
  | 'production_level'
  | 'processes_visible';

export interface StartRefusal {
  readonly code: StartCode;
  readonly reason: string;
  /** A command, or what to do. */
  readonly fix: string;
}

/** Two lines each, for the human at the terminal. */
export function renderRefusals(refusals: readonly StartRefusal[]): string {
  return refusals.map(({ code, reason, fix }) => `${reason} (${code})\n    mend it: ${fix}`).join('\n  ');
}
