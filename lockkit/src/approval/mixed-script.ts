// Words that mix alphabets (a Cyrillic letter inside a Latin word): which of their letters must be escaped.
// Called by visible.ts. A word in one alphabet stays readable; East Asian scripts mix by nature and are left alone.

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const LATIN = /\p{Script=Latin}/u;
const OTHER_ALPHABETS = [
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
] as const;

/** The offsets (UTF-16) of the letters to escape: in a mixed word those that are not Latin. */
export function findMixedLetters(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (/^[\u0000-\u024f]*$/.test(text)) return found;
  for (const word of text.matchAll(WORD)) {
    if (countAlphabets(word[0]) > 1) addStrangers(word[0], word.index, found);
  }
  return found;
}

function countAlphabets(word: string): number {
  const letters = [...word].filter((letter) => /\p{L}/u.test(letter) && !isShared(letter));
  return new Set(letters.map(alphabetOf)).size;
}

function alphabetOf(letter: string): number {
  if (LATIN.test(letter)) return -2;
  return OTHER_ALPHABETS.findIndex((alphabet) => alphabet.test(letter));
}

function isShared(letter: string): boolean {
  return EAST_ASIAN.test(letter) || /[\p{Script=Common}\p{Script=Inherited}]/u.test(letter);
}

function addStrangers(word: string, start: number, found: Set<number>): void {
  let offset = start;
  for (const letter of word) {
    if (/\p{L}/u.test(letter) && !isShared(letter) && !LATIN.test(letter)) found.add(offset);
    offset += letter.length;
  }
}
