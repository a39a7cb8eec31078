// The page behind `?`: what can be typed in this window. Static text of ours.
import type { Screen } from 'lockkit/approval';

const COMMANDS: Readonly<Record<string, string>> = {
  ':review': 'policy changes and wishes that wait for you',
  ':status': 'a console’s session, its policy and what waits',
  ':results': 'clear results on the console, on or off (also Ctrl-O)',
  ':unmask': 'let the agent ask for output in clear, on or off',
  ':reopen': 'ask again about a policy change you refused',
  ':start': 'start a console that ended, by its name',
  ':quit': 'end the session; with several consoles, of the one that you name, or of all',
};

/** `names` are the commands that somebody answers to; with several consoles each takes the console's name. */
export function helpScreen(names: readonly string[]): Screen {
  const fact = (label: string, value: string): { label: string; value: readonly string[] } => ({
    label,
    value: [value],
  });
  return {
    title: ['what you can type'],
    origin: [],
    sections: [
      {
        kind: 'facts',
        facts: [
          fact('y', 'and Enter: approve what is shown'),
          fact('n REASON', 'and Enter: deny it; the agent reads nothing of the reason but that you denied'),
          fact('NAME', 'and Enter, on production: the profile’s name approves'),
          fact('↑ ↓', 'choose what is shown'),
          fact('PgUp PgDn', 'read on: only what was shown to its end can be approved'),
        ],
      },
      {
        kind: 'facts',
        facts: names
          .filter((name) => name !== ':help')
          .map((name) => fact(name, COMMANDS[name] ?? ''))
          .concat(fact('?', 'this page')),
      },
      { kind: 'lines', lines: [['A pasted line, and keys typed too early, never answer.']] },
    ],
    warnings: [],
  };
}
