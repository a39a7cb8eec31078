// Runs a set of detectors over one view in a single pass. Called by find-values.ts for every view of a window.
import type { Detector, View } from './detector.js';
import { compileLiterals, scanLiterals, type LiteralTable } from './literal-scan.js';

/** Called with a detected value: its detector's index, its place in the view, and a fixed word on why. */
export type OnHit = (detector: number, start: number, end: number, why: string) => void;

export type Scanner = (view: View, onHit: OnHit) => void;

interface Owner {
  readonly detector: number;
  readonly local: number;
  readonly length: number;
}

/** Compiles the literals of all detectors into one table; the scanner may be used for any number of views. */
export function openScanner(detectors: readonly Detector[]): Scanner {
  const owners = detectors.flatMap((detector, index) =>
    detector.literals.map((literal, local): Owner => ({ detector: index, local, length: literal.length })),
  );
  const table = compileLiterals(detectors.flatMap((detector) => detector.literals));
  return (view, onHit) => scanView(view, detectors, table, owners, onHit);
}

function scanView(
  view: View,
  detectors: readonly Detector[],
  table: LiteralTable,
  owners: readonly Owner[],
  onHit: OnHit,
): void {
  const looks = detectors.map((detector, index) =>
    detector.open(view, (start, end, why) => {
      if (end > start) onHit(index, start, end, why);
    }),
  );
  const digitLooks = looks.flatMap((look) => (look.digits === undefined ? [] : [look.digits]));
  scanLiterals(
    table,
    view.bytes,
    view.length,
    (literal, end) => {
      const owner = owners[literal] as Owner;
      looks[owner.detector]?.literal?.(owner.local, end - owner.length, end);
    },
    callAll(digitLooks),
  );
}

type OnDigits = (start: number, end: number) => void;

/** One call for all. Each of the first four has a call site of its own, which the compiler can then see through. */
function callAll(looks: readonly OnDigits[]): OnDigits {
  const nothing: OnDigits = () => undefined;
  const [first = nothing, second = nothing, third = nothing, fourth = nothing, ...others] = looks;
  return (start, end) => {
    first(start, end);
    second(start, end);
    third(start, end);
    fourth(start, end);
    for (const look of others) look(start, end);
  };
}
