// A fault: the world failed (network, disk, kernel). It is thrown, its detail goes to the audit and to the
// human only; the boundary in the console turns it into a reply that carries nothing but a refusal code.

/** `code` is a row of the lock's refusal table; `detail` may name causes and is never sent to an agent. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** A mistake in what the human wrote or typed (a file, a flag): a sentence that says what to do. Exit code: usage. */
export class UserMistake extends Error {
  override readonly name = 'UserMistake';
}
