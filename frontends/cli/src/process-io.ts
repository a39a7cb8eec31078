// The real process as a CommandIo. Called by a product's main.ts only.
import type { CommandIo } from './command.js';

/** A closed pipe (`lockssh … | head`) ends the command quietly, as it does for every other tool. */
function quietWriter(stream: NodeJS.WriteStream): (text: string) => void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  return (text) => void stream.write(text);
}

/** `close` lets the process end though a client still holds the other end of its standard input. */
export function openProcessIo(): CommandIo & { readonly close: () => void } {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  let isReading = false;
  return {
    out: quietWriter(process.stdout),
    write: (text) => new Promise((resolve) => void process.stdout.write(text, () => resolve())),
    err: quietWriter(process.stderr),
    // Opened when it is asked for: it costs a tenth of a command that does not read.
    get stdin() {
      isReading = true;
      return process.stdin;
    },
    cwd: process.cwd(),
    env: process.env,
    signal: interrupted.signal,
    isTerminal: process.stderr.isTTY,
    close: () => {
      if (isReading) process.stdin.unref?.();
    },
  };
}
