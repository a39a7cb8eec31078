// An argv as a human reads it: every argument apart, empty ones visible, no two argvs alike.
// Called by the screen renderers and the audit's display. It is not a shell line and is never executed.
import { joinUnits, makeVisible, plainUnits, type Unit, type Visible } from './visible.js';

/** Words that need no quotes: nothing in them can be taken for a separator, an escape or a quote. */
const BARE = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * Arguments separated by one space; one that is not plain ASCII words is put between single quotes, with `\'`, `\\` and
 * the escapes of visible text inside. In the program's name every character beyond ASCII is escaped.
 */
export function renderArgv(argv: readonly string[]): string {
  return joinUnits(makeVisibleArgv(argv).units);
}

/** As renderArgv, in units for wrapping. */
export function makeVisibleArgv(argv: readonly string[]): Visible {
  const units: Unit[] = [];
  let hidden = 0;
  for (const [index, argument] of argv.entries()) {
    if (index > 0) units.push({ text: ' ', width: 1 });
    const visible = makeVisibleArgument(argument, index === 0);
    units.push(...visible.units);
    hidden += visible.hidden;
  }
  return { units, hidden };
}

function makeVisibleArgument(argument: string, isProgram: boolean): Visible {
  if (BARE.test(argument)) return makeVisible(argument, 'argument');
  const inner = makeVisible(argument, isProgram ? 'program' : 'argument');
  const quote = plainUnits("'");
  return { units: [...quote, ...inner.units, ...quote], hidden: inner.hidden };
}
