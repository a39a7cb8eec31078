// Output of a server or a file printed on a terminal: its lines and columns stay, nothing of it can act.
// Called where a command prints what came from outside, outside of any screen. Never used inside a screen's box,
// where blanks and look-alikes are guarded too (visible.ts).
import { encodeEscape, isClear } from './code-point.js';

/** Newlines and tabs stay; every other control, invisible or reordering code point becomes `\xNN` or `\u{…}`. */
export function terminalText(text: string): string {
  // Plain ASCII is nearly all of it, and is told apart in one look.
  if (/^[\t\n -~]*$/.test(text)) return text;
  return [...text]
    .map((character) =>
      character === '\n' || character === '\t' || isClear(character, 'static')
        ? character
        : encodeEscape(character, 1),
    )
    .join('');
}
