// What an agent in its own account may try against lockssh's console: everything that is tried against any console,
// with the key as what is guarded, and what no rule allows.
import {
  attemptsOnConsole,
  type Attempt,
  type AttackedConsole as AnyConsole,
} from 'lockkit/console-attempts';

export type AttackedConsole = Omit<AnyConsole, 'lock' | 'profile' | 'secret'> & { readonly key: string };

export function attemptsOn(target: AttackedConsole): readonly Attempt[] {
  return [
    ...attemptsOnConsole({ ...target, lock: 'lockssh', profile: 'web', secret: target.key }),
    {
      name: 'asks for what no rule allows',
      script: `cd ${target.project} && lockssh run --profile web cat /etc/shadow`,
      stoppedBy: /E_NOT_ALLOWED/,
    },
  ];
}
