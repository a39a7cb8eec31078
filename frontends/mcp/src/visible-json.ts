// JSON as text that is safe wherever it is printed: everything invisible or acting (controls, bidi, zero-width,
// separators, tags) is a \u escape, so the text parses back to the very same value. Called for tool results and for
// every line that leaves the server.

const ACTING = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** What some line readers take for an end of line, beside LF. */
const SEPARATORS = /[\u0085\u2028\u2029]/gu;

/** For a person’s or a model’s eyes. */
export function encodeVisibleJson(value: unknown): string {
  return JSON.stringify(value).replace(ACTING, escapeUnits);
}

/** One message, one line, whatever splits it. */
export function encodeMessageLine(message: unknown): string {
  return `${JSON.stringify(message).replace(SEPARATORS, escapeUnits)}\n`;
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
