// The environment of what lox starts: the variables that a console keeps, and nothing else. A console refuses to start
// with others; nothing of lox's own shell may reach a process that holds a secret.
import { KEPT_VARIABLES } from 'lockkit/separation';

type Environment = Readonly<Record<string, string | undefined>>;

export function keptEnvironment(env: Environment): Environment {
  const kept = Object.entries(env).filter(
    ([name]) => name === 'PATH' || (KEPT_VARIABLES as readonly string[]).includes(name),
  );
  return Object.fromEntries(kept);
}
