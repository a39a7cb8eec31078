// What a plan of install is: steps that are exactly the script's lines. Made by plan-install and plan-uninstall.
import { UserMistake } from '../../contract/fault.js';

export interface InstallStep {
  readonly title: string;
  /** Shell, one command a line. */
  readonly lines: readonly string[];
}

export interface InstallPlan {
  readonly title: string;
  readonly steps: readonly InstallStep[];
  /** What the administrator should know or do afterwards. */
  readonly notes: readonly string[];
}

/** Why nothing is planned; the codes are what tests name. */
export interface InstallRefusal {
  readonly code:
    | 'user_is_root'
    | 'user_is_client'
    | 'user_name_taken'
    | 'home_taken'
    | 'client_unknown'
    | 'client_is_root'
    | 'client_in_service_group'
    | 'group_is_privileged'
    | 'group_is_service_group'
    | 'settings_differ'
    | 'program_writable'
    | 'starter_foreign'
    | 'library_foreign'
    | 'proc_in_fstab'
    | 'console_running'
    | 'not_installed';
  readonly reason: string;
  readonly fix: string;
}

export type Planned =
  | { readonly kind: 'plan'; readonly plan: InstallPlan }
  | { readonly kind: 'refused'; readonly refusals: readonly InstallRefusal[] };

/** A path or a text as one word of the shell. Throws UserMistake for control characters. */
export function quote(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text))
    throw new UserMistake('a path of the program holds a control character');
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A file written whole: made beside its place, owned by root, then put there in one step. */
export function writeFileLines(path: string, mode: string, content: string): readonly string[] {
  const fresh = quote(`${path}.new`);
  return [
    `rm -f -- ${fresh}`,
    `cat > ${fresh} <<'END-OF-FILE'`,
    ...content.replace(/\n$/, '').split('\n'),
    'END-OF-FILE',
    `chown root:root ${fresh}`,
    `chmod ${mode} ${fresh}`,
    `mv -f -T -- ${fresh} ${quote(path)}`,
  ];
}
