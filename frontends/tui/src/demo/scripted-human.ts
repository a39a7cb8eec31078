// The human of `npm start -- --answer y`: prints every screen and types the one answer, so that the demo runs and
// prints itself without a terminal. `n` is for what an agent asks; the console's own start gets a yes, or nothing would follow. It exists only in the demo; no console of a real profile can be given one.
import {
  renderLine,
  renderScreen,
  type Answer,
  type CommandHandler,
  type CommandName,
  type Human,
  type Screen,
} from 'lockkit/approval';

export interface ScriptedHuman extends Human {
  /** Types a command, as a person would while no question waits. */
  readonly type: (command: CommandName) => Promise<void>;
  /** From now on the one answer is given. */
  readonly ready: () => void;
}

/** `answer` is `y` or `n`; a typed question gets exactly what it asks for when the answer is `y`. */
export function openScriptedHuman(answer: 'y' | 'n', out: (text: string) => void): ScriptedHuman {
  const commands = new Map<CommandName, CommandHandler>();
  let now: 'y' | 'n' = 'y';
  const gone = new AbortController();
  const print = (screen: Screen): void => out(`${renderScreen(screen, { columns: 100, colour: false })}\n`);
  return {
    show: (screen) => Promise.resolve(print(screen)),
    ask: (screen) => {
      print(screen);
      const typed = screen.question?.kind === 'typed' && now === 'y' ? screen.question.expected : now;
      out(`  the human types: ${typed}\n\n`);
      const verdict: Answer = now === 'y' ? { kind: 'yes' } : { kind: 'no' };
      return Promise.resolve(verdict);
    },
    note: (line) => out(`  · ${renderLine(line)}\n`),
    onCommand: (name, handler) => {
      commands.set(name, handler);
      return () => void commands.delete(name);
    },
    gone: gone.signal,
    close: () => Promise.resolve(),
    ready: () => void (now = answer),
    type: async (command) => {
      out(`  the human types: ${command}\n`);
      await commands.get(command)?.('');
    },
  };
}
