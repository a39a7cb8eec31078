// Which form the human of a console has: the window on a terminal, plain text for pipes and screen readers, or the pipe of
// the `lox` that started it. Called by the console's command. None of the three changes what counts as an answer.
import { openTerminalHuman, processClock, type Human } from 'lockkit/approval';
import { UserMistake } from 'lockkit/contract';
import { openPipeHuman } from './pipe/pipe-human.js';
import { canDrawWindow, hasColour, type TerminalFacts } from './window/terminal-kind.js';
import { openWindowHuman } from './window/window-human.js';

export interface HumanWish {
  /** `--plain`: text, also on a terminal. */
  readonly plain: boolean;
  /** `--window-pipe`: the window is at the other end of standard input and output. */
  readonly pipe: boolean;
  readonly lock: string;
  readonly instance: string;
  readonly profile: string;
}

export type ConsoleHuman = Human & {
  /** Gives the terminal back, at once. */
  readonly restore: () => void;
  /** It draws on a screen of its own, of which nothing is left behind. */
  readonly hasScreen?: boolean;
  /** A window that also decides the console’s tickets must know them from others. */
  readonly tellTicketKey?: (key: string) => void;
};

export function openConsoleHuman(
  wish: HumanWish,
  env: Readonly<Record<string, string | undefined>>,
): ConsoleHuman {
  const { stdin: input, stdout: output } = process;
  const clock = processClock;
  const { lock, instance, profile } = wish;
  if (wish.pipe && wish.plain) throw new UserMistake('--plain and --window-pipe exclude each other');
  if (wish.pipe) return openPipeHuman({ input, output, clock, lock, instance, profile });
  const facts: TerminalFacts = { isTerminal: input.isTTY && output.isTTY, env };
  const colour = hasColour(facts);
  if (wish.plain || !canDrawWindow(facts)) return openTerminalHuman({ input, output, clock, colour });
  return openWindowHuman({ input, output, clock, colour, name: lock, now: () => new Date() });
}
