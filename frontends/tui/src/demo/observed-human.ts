// A human that the demo can watch: when the questions that wait are answered, when a command was typed. It changes
// nothing of what the human sees or answers.
import type { CommandName, Human } from 'lockkit/approval';

export interface ObservedHuman {
  readonly human: Human;
  /** Resolves when no question waits. */
  readonly settled: () => Promise<void>;
  /** Resolves when the command was typed from now on, and what it did is done. */
  readonly typed: (name: CommandName) => Promise<void>;
}

export function observeHuman(human: Human): ObservedHuman {
  let open = 0;
  let whenSettled: (() => void)[] = [];
  const whenTyped = new Map<CommandName, () => void>();
  const answered = (): void => {
    open--;
    if (open > 0) return;
    for (const resolve of whenSettled) resolve();
    whenSettled = [];
  };
  const watched: Human = {
    show: (screen) => human.show(screen),
    ask: (screen, options) => {
      open++;
      return human.ask(screen, options).finally(answered);
    },
    note: (line) => human.note(line),
    onCommand: (name, handler) =>
      human.onCommand(name, async (argument) => {
        await handler(argument);
        whenTyped.get(name)?.();
      }),
    gone: human.gone,
    close: () => human.close(),
  };
  return {
    human: watched,
    settled: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => whenSettled.push(resolve))),
    typed: (name) => new Promise((resolve) => whenTyped.set(name, resolve)),
  };
}
