// After the console accepted a mask rule: the client writes it into the project's pii.toml, in its own account
// (docs/decisions.md, "Whose files"). The rule is in force whether or not this works; the result says which.
import { addMaskRule, MAX_POLICY_BYTES } from 'lockkit/policy';
import { projectFolder } from 'lockkit/setting';
import { existsSync } from 'node:fs';
import { sshProfile } from '../contract/profile.js';

export interface AddedRule {
  readonly status: 'added' | 'exists';
  readonly pattern: string;
  readonly file?: 'appended' | 'unchanged' | 'not_written';
}

function writeRule(pattern: string, folder: string): 'appended' | 'unchanged' | 'not_written' {
  if (!existsSync(folder)) return 'not_written';
  const guard = { trustedGids: [process.getgid?.() ?? -1], maxBytes: MAX_POLICY_BYTES };
  try {
    // The console's engine took the pattern: it is not checked by a second one here.
    const added = addMaskRule(sshProfile, { folder, guard }, pattern, { checkPattern: () => null });
    if (!added.ok) return 'not_written';
    return added.value ? 'appended' : 'unchanged';
  } catch {
    return 'not_written';
  }
}

export function appendMaskRule(result: unknown, projectRoot: string): AddedRule {
  const { status, pattern } = result as AddedRule;
  return { status, pattern, file: writeRule(pattern, projectFolder('lockssh', projectRoot)) };
}
