// A human that the demo can watch: whether they said no, when a command was typed. It changes nothing of what the human
// sees or answers.
import type { CommandName, Human } from 'lockkit/approval';

export interface ObservedHuman {
  readonly human: Human;
  /** A question was answered with no: what fails after it is what was asked for. */
  readonly saidNo: () => boolean;
  /** Resolves when the command was typed from now on, and what it did is done. */
  readonly typed: (name: CommandName) => Promise<void>;
}

export function observeHuman(human: Human): ObservedHuman {
  let saidNo = false;
  const whenTyped = new Map<CommandName, () => void>();
  const watched: Human = {
    show: (screen) => human.show(screen),
    ask: async (screen, options) => {
      const answer = await human.ask(screen, options);
      saidNo ||= answer.kind === 'no';
      return answer;
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
    saidNo: () => saidNo,
    typed: (name) => new Promise((resolve) => whenTyped.set(name, resolve)),
  };
}
