// The demo's agent: the lock's real command as a child process with nothing but the socket's folder.
// It sees what any agent sees; what it prints is printed here as it came.
import { spawn } from 'node:child_process';
import { DEMO_SOCKET_DIR } from 'lockkit/agent';
import { renderArgv } from 'lockkit/approval';

export interface AgentResult {
  readonly status?: string;
  readonly ticket?: string;
  readonly error?: { readonly code: string; readonly hint: string };
  readonly [key: string]: unknown;
}

export type RunAgent = (argv: readonly string[]) => Promise<AgentResult>;

export function openDemoAgent(
  name: string,
  commandFile: string,
  projectRoot: string,
  socketDir: string,
  out: (text: string) => void,
): RunAgent {
  return (argv) => {
    out(
      `\nagent $ ${name} ${argv.map((word) => (/^[\w./:=@-]+$/.test(word) ? word : renderArgv([word]))).join(' ')}\n`,
    );
    const child = spawn(process.execPath, [commandFile, ...argv], {
      cwd: projectRoot,
      env: { PATH: process.env['PATH'], HOME: projectRoot, [DEMO_SOCKET_DIR]: socketDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        out(`${text.trimEnd()}\n`);
        try {
          resolve(JSON.parse(text) as AgentResult);
        } catch {
          reject(new Error('the command printed no JSON'));
        }
      });
    });
  };
}
