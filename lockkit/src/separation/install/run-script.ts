// Runs the script that was shown and agreed to, as root, with an empty environment. The only effect of install.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScriptOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** The exit code of the script; 1 when a signal ended it. The file that is run lies in a folder of root's own. */
export async function runScript(script: string, { out, err }: ScriptOutput): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'lock-install-'));
  try {
    const file = join(folder, 'install.sh');
    writeFileSync(file, script, { mode: 0o600, flag: 'wx' });
    const child = spawn('/bin/sh', [file], { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', out);
    child.stderr.setEncoding('utf8').on('data', err);
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
