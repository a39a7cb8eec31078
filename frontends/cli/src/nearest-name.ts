// Which known name was probably meant by a mistyped one. Called for an unknown command; only names of our own are ever
// shown, what was typed is not.

const MAX_EDITS = 2;

/** The nearest of `names` within two edits (a letter added, left out, changed, or two swapped); undefined if none is. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, edits: editsBetween(typed.slice(0, 64), name) }))
    .filter(({ name, edits }) => edits <= Math.min(MAX_EDITS, name.length - 1))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.name;
}

/** Optimal string alignment distance. */
function editsBetween(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const changed = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped =
        from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? (beforeLast[column - 2] ?? Infinity) + 1
          : Infinity;
      next.push(Math.min(changed, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, swapped));
    }
    beforeLast = last;
    last = next;
  }
  return last[to.length] ?? 0;
}
