// What an agent may read: text in which every detected value is a placeholder. Made only by the masker (and for
// text that never held output, by `asMasked`); clear text is a plain string and does not fit where this is wanted.

declare const maskedBrand: unique symbol;

/** Text that went through a masker. Assignable to string, never the other way round. */
export type MaskedText = string & { readonly [maskedBrand]: true };

/** For the masker alone: brands what it has just rendered. */
export function asMasked(text: string): MaskedText {
  return text as MaskedText;
}

const OPEN_BRACKET = '\u27e6';
const CLOSE_BRACKET = '\u27e7';
const LEFT_ESCAPE = `${OPEN_BRACKET}lb${CLOSE_BRACKET}`;
const RIGHT_ESCAPE = `${OPEN_BRACKET}rb${CLOSE_BRACKET}`;

/** Makes brackets that stood in the raw output visible as such, so that no output can forge a placeholder. */
export function escapeBrackets(clear: string): string {
  if (!clear.includes(OPEN_BRACKET) && !clear.includes(CLOSE_BRACKET)) return clear;
  return clear.replace(/[\u27e6\u27e7]/g, (bracket) =>
    bracket === OPEN_BRACKET ? LEFT_ESCAPE : RIGHT_ESCAPE,
  );
}

/** `⟦kind⟧` or `⟦kind:code⟧`. */
export function renderPlaceholder(kind: string, code?: string): string {
  return `${OPEN_BRACKET}${code === undefined ? kind : `${kind}:${code}`}${CLOSE_BRACKET}`;
}
