// What lox may touch of its process. The composition root passes the real one; tests pass their own.
import type { Account } from 'lockkit/native';

export interface LoxIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whose lox this is. */
  readonly account: Account;
}
