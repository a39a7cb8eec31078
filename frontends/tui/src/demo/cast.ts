// Who answers in a demo: a person at this terminal, or the script of `--answer`. Called by play-demo.ts.
import { openTerminalHuman, processClock, type CommandName } from 'lockkit/approval';
import { UserMistake } from 'lockkit/contract';
import { observeHuman, type ObservedHuman } from './observed-human.js';
import { openScriptedHuman } from './scripted-human.js';

export interface Cast {
  readonly watched: ObservedHuman;
  readonly say: (text: string) => void;
  readonly command: (name: CommandName) => Promise<void>;
  /** The console serves: the script's answer is for what comes from now on. */
  readonly ready: () => void;
}

function castScript(answer: 'y' | 'n'): Cast {
  const say = (text: string): void => void process.stdout.write(text);
  const script = openScriptedHuman(answer, say);
  return { watched: observeHuman(script), say, command: (name) => script.type(name), ready: script.ready };
}

function castPerson(): Cast {
  if (!process.stdin.isTTY)
    throw new UserMistake('the demo asks you questions: run it in a terminal, or with --answer y');
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  const person = openTerminalHuman({
    input: process.stdin,
    output: process.stdout,
    clock: processClock,
    colour,
  });
  const watched = observeHuman(person);
  const say = (text: string): void => text.split('\n').forEach((line) => line === '' || person.note([line]));
  const command = (name: CommandName): Promise<void> => {
    say(`Type ${name} and Enter.`);
    return watched.typed(name);
  };
  return { watched, say, command, ready: () => undefined };
}

/** `[]`, `--plain` or `--answer y|n`; anything else is a mistake. */
export function parseCast(argv: readonly string[]): Cast {
  const [flag, value, ...more] = argv.flatMap((word) => word.split('='));
  if (flag === undefined || (flag === '--plain' && value === undefined)) return castPerson();
  if (flag === '--answer' && (value === 'y' || value === 'n') && more.length === 0) return castScript(value);
  throw new UserMistake('usage: npm start [-- --plain | --answer y|n]');
}
