// Cuts all code points into stretches on which no machine changes its mind, and gives each a character that stands
// for it: one that an argv may hold, the most readable, with the fewest bytes. Called by the search over arguments.
// It must never offer a character that checkArgv refuses: a witness has to be sendable.
import type { CharSet, Range } from '../char-set.js';
import { isPlainCodePoint, TAB } from '../plain-text.js';

/** `rank` orders by readability, the best first. */
export interface Letter {
  readonly codePoint: number;
  readonly rank: number;
}

const READABLE =
  'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_.-/:,@%+=~^#&*?!;|<>$()[]{}"\'`\\ \t';
const RANKED = [...READABLE].map((character) => character.codePointAt(0) ?? TAB);
const LAST = 0x10ffff;

/** One letter for every stretch between the cuts that holds a character of an argv; readable ones first. */
export function lettersBetween(cuts: ReadonlySet<number>): readonly Letter[] {
  const bounds = [
    0,
    ...[...cuts].filter((cut) => cut > 0 && cut <= LAST).toSorted((a, b) => a - b),
    LAST + 1,
  ];
  const letters: Letter[] = [];
  for (let at = 0; at + 1 < bounds.length; at += 1) {
    const low = bounds[at] ?? 0;
    const high = (bounds[at + 1] ?? 0) - 1;
    const letter = low <= high ? letterIn({ low, high }) : null;
    if (letter !== null) letters.push(letter);
  }
  return letters.toSorted((a, b) => a.rank - b.rank);
}

function letterIn(range: Range): Letter | null {
  if (range.low < 0x80) {
    const rank = RANKED.findIndex((codePoint) => range.low <= codePoint && codePoint <= range.high);
    if (rank >= 0) return { codePoint: RANKED[rank] ?? TAB, rank };
  }
  const codePoint = firstPlain(Math.max(range.low, 0x80), range.high);
  return codePoint === null ? null : { codePoint, rank: RANKED.length + codePoint };
}

const QUICK_LOOK = 64;
let plainBeyondAscii: CharSet | undefined;

/** The lowest plain code point in a stretch, which is also one with the fewest bytes. */
function firstPlain(low: number, high: number): number | null {
  for (let at = low; at <= Math.min(high, low + QUICK_LOOK); at += 1) if (isPlainCodePoint(at)) return at;
  plainBeyondAscii ??= plainRanges();
  const range = plainBeyondAscii.find((candidate) => candidate.high >= low);
  return range === undefined || range.low > high ? null : Math.max(range.low, low);
}

function plainRanges(): CharSet {
  const ranges: Range[] = [];
  let start = -1;
  for (let at = 0x80; at <= LAST + 1; at += 1) {
    const plain = at <= LAST && isPlainCodePoint(at);
    if (plain && start < 0) start = at;
    if (!plain && start >= 0) {
      ranges.push({ low: start, high: at - 1 });
      start = -1;
    }
  }
  return ranges;
}
