// What the terminal adds to a screen before it shows it: how many wait behind it, that it is taller than the window,
// and that something of it is hidden. Called by terminal-human.ts. May add danger lines, never take any away.
import { layOutScreen, type RenderOptions } from './render-text.js';
import type { Screen } from './screen.js';

export interface ShownScreen {
  readonly text: string;
  /** False: something is not shown, so no answer can be a yes. */
  readonly approvable: boolean;
}

/** `windowRows` 0 = unknown; `waiting` = questions behind this one. */
export function prepareScreen(
  screen: Screen,
  options: RenderOptions & { readonly windowRows: number; readonly waiting: number },
): ShownScreen {
  const first = layOutScreen(screen, options);
  const added: string[] = [];
  if (options.waiting > 0) added.push(`${options.waiting} more waiting behind this one`);
  if (options.windowRows > 0 && first.rows.length >= options.windowRows) {
    added.push(`taller than this window (${first.rows.length} rows): scroll up and read it from its start`);
  }
  if (first.hidden > 0) added.push(`${first.hidden} characters are not shown: this cannot be approved`);
  const whole = { ...screen, warnings: [...screen.warnings, ...added.map((line) => [line])] };
  return { text: layOutScreen(whole, options).rows.join('\n'), approvable: first.hidden === 0 };
}
