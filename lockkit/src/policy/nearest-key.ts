// "Did you mean …?" for an unknown key. Only names of the profile's own keys are ever suggested.

/** Edits (insert, delete, replace, swap neighbours) between two short words. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (r: number, c: number): number => (r === i ? row[c] : rows[r]?.[c]) ?? Infinity;
      const replaced = at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? Infinity;
}

/** The known key that a mistyped one is closest to, within two edits; letter case costs nothing. */
export function nearestKey(key: string, known: readonly string[]): string | null {
  if (key.length > 40) return null;
  const scored = known.map((name) => ({ name, edits: distance(key.toLowerCase(), name) }));
  const best = scored.toSorted((a, b) => a.edits - b.edits)[0];
  return best !== undefined && best.edits <= Math.min(2, Math.floor(best.name.length / 2)) ? best.name : null;
}
