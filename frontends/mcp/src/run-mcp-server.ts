// `<lock> mcp`: the process. The composition root of this front-end: it alone touches the process' streams, finds
// the place of the consoles, and ends the process. Standard output belongs to the protocol from the first line on,
// so everything that could print is loaded after the guard.
import type { LockContract } from 'lockkit/contract';
import { claimStdout } from './claim-stdout.js';

/** Serves on stdin and stdout; resolves when the client is gone, for the caller to exit with status 0. */
export async function runMcpServer(contract: LockContract): Promise<void> {
  const output = claimStdout();
  // Node prints the error's text, which may hold parts of a call; clients keep what is printed in their logs.
  process.on('uncaughtException', () => {
    process.stderr.write('the MCP server ended by an internal error\n');
    process.exit(1);
  });
  const [{ serveMcp }, { openCallConsole }] = await Promise.all([
    import('./serve.js'),
    import('./call-console.js'),
  ]);
  const callConsole = openCallConsole(contract, {
    cwd: process.cwd(),
    env: process.env,
    uid: process.getuid?.() ?? -1,
  });
  await serveMcp({ contract, callConsole, input: process.stdin, output });
  process.stdin.unref?.();
}
