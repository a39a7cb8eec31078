// A set of code points as sorted, disjoint ranges: the symbolic alphabet of the rules.
// Called by the glob parser (classes) and by the language order. It must never enumerate a range.

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Sorted, disjoint, not touching. */
export type CharSet = readonly Range[];

const LAST = 0x10ffff;

/** The union of the ranges (a reversed range is empty), or its complement. */
export function rangesOf(ranges: readonly Range[], negated: boolean): CharSet {
  const sorted = ranges.filter((range) => range.low <= range.high).toSorted((a, b) => a.low - b.low);
  const merged: Range[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && range.low <= last.high + 1) {
      merged[merged.length - 1] = { low: last.low, high: Math.max(last.high, range.high) };
    } else {
      merged.push(range);
    }
  }
  return negated ? complement(merged) : merged;
}

function complement(set: CharSet): CharSet {
  const gaps: Range[] = [];
  let next = 0;
  for (const range of set) {
    if (range.low > next) gaps.push({ low: next, high: range.low - 1 });
    next = range.high + 1;
  }
  if (next <= LAST) gaps.push({ low: next, high: LAST });
  return gaps;
}

export function contains(set: CharSet, codePoint: number): boolean {
  let low = 0;
  let high = set.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = set[middle];
    if (range === undefined) return false;
    if (codePoint < range.low) high = middle - 1;
    else if (codePoint > range.high) low = middle + 1;
    else return true;
  }
  return false;
}
