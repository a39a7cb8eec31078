// What lox shows for a console that lives in another account: the command to type in that account's own session
// (docs/decisions.md, "Human"). lox never starts it, and never types for it.
import { renderArgv, untrusted, type Screen } from 'lockkit/approval';
import { typedArguments, nameOf } from './console-runner.js';
import { rowId, type LockRow } from './lock-list.js';

/** `keyFile` lies where that account can read it; the copy is what the console takes. */
export function foreignScreen(row: LockRow, account: string, hubUrl: string, keyFile: string): Screen {
  const copy = `${rowId(row)}.json`;
  const start = renderArgv([...row.command, ...typedArguments(row, hubUrl, copy)]);
  return {
    title: [untrusted(nameOf(row)), ' · its console lives in another account'],
    origin: [],
    sections: [
      {
        kind: 'lines',
        lines: [['log in as ', untrusted(account), ', in a session of its own, and type there:']],
      },
      {
        kind: 'text',
        text: untrusted(
          `umask 077; mkdir -p ~/.lox; cd ~/.lox\ncp ${renderArgv([keyFile])} ${renderArgv([copy])}\n${start}`,
        ),
      },
      { kind: 'lines', lines: [['its tickets come here; secrets and policy reviews stay there']] },
    ],
    warnings: [],
  };
}
