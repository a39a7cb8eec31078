// The width of a help text in columns, in the place of the package `string-width`: scripts/build.mjs puts it into the
// bundle of yargs. Our help texts hold characters of one column only; nothing from outside is ever measured with it.
export default function textWidth(text: string): number {
  return text.length;
}
