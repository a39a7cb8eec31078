// A page cut into its pieces: sentences, rows of tables, blocks of code. The coverage test asks for each of them which
// requirement speaks of it. Headings and rules of tables are no pieces.

const BLANK = /^\s*$/;
const FENCE = /^\s*```/;

/** White space and Markdown's emphasis aside, so that a quote needs no line breaks. */
export function plainText(text: string): string {
  return text.replace(/[\s*`]+/g, ' ').trim();
}

/** `wrapped`: lines are broken anywhere, as in Markdown; else each line is a paragraph of its own. */
export function piecesOf(page: string, wrapped: boolean): readonly string[] {
  if (!wrapped)
    return page
      .split('\n')
      .flatMap(sentencesOf)
      .map(plainText)
      .filter((piece) => piece !== '');
  const pieces: string[] = [];
  let paragraph: string[] = [];
  let code: string[] | null = null;
  const flush = (): void => {
    if (paragraph.length > 0) pieces.push(...sentencesOf(paragraph.join(' ')));
    paragraph = [];
  };
  for (const line of page.split('\n')) {
    if (FENCE.test(line)) {
      flush();
      if (code === null) code = [];
      else {
        pieces.push(code.join(' '));
        code = null;
      }
    } else if (code !== null) code.push(line);
    else if (BLANK.test(line) || /^#+ /.test(line)) flush();
    else if (/^\s*\|/.test(line)) {
      flush();
      if (!/^[\s|:-]+$/.test(line)) pieces.push(line);
    } else {
      if (/^\s*([-•*]|\d+\.)\s/.test(line)) flush();
      paragraph.push(line);
    }
  }
  flush();
  return pieces.map(plainText).filter((piece) => piece !== '');
}

/** After a full stop, a question mark or a colon, where a capital or a code word begins. */
function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+(?=[A-Z`*•])/u);
}
