// A plan as the shell script that will run: `--print` shows it, the administrator reads it, the same bytes are run.
import type { InstallPlan } from './install-plan.js';

export function renderScript({ title, steps, notes }: InstallPlan): string {
  const body = steps.map(
    (step, index) => `# ${String(index + 1)}. ${step.title}\n${step.lines.join('\n')}\n`,
  );
  const after = notes.length === 0 ? '' : `\n${notes.map((note) => `# afterwards: ${note}`).join('\n')}\n`;
  return `#!/bin/sh
# ${title}. Run as root. A second run changes nothing.
set -eu
umask 022
PATH=/usr/sbin:/usr/bin:/sbin:/bin
export PATH
cd /

${body.join('\n')}${after}`;
}
