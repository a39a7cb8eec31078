// Takes standard output for the protocol alone: what any library prints there would break the client's reader.
// Called once, before anything else is loaded. What is printed is dropped, because it may hold what must not be
// logged; that it happened is said once on standard error.
import { Writable } from 'node:stream';

export interface StdoutOwner {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: { write(text: string): unknown };
}

/** The only way to the real standard output from now on. */
export function claimStdout(owner: StdoutOwner = process): Writable {
  const { stdout } = owner;
  const write = stdout.write.bind(stdout);
  let warned = false;
  const drop = (...args: readonly unknown[]): boolean => {
    if (!warned) owner.stderr.write('a library printed to standard output; that was dropped\n');
    warned = true;
    const done = args.findLast((arg) => typeof arg === 'function') as (() => void) | undefined;
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  stdout.write = drop as typeof stdout.write;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, done) => void write(chunk, encoding, done),
  });
  stdout.on('error', (error: Error) => output.destroy(error));
  stdout.on('close', () => output.destroy());
  return output;
}
