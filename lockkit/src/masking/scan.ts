// Runs a set of detectors over one view in a single pass. Called by the masker for every window.
import type { Detector, Look, View } from './detector.js';
import { compileLiterals, type LiteralTable } from './literal-scan.js';

/** A detected value by its place in the view. `detector` is an index into the scanner's detectors. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly detector: number;
  readonly why: string;
}

export type Scanner = (view: View) => Hit[];

interface Owner {
  readonly detector: number;
  readonly local: number;
}

/** Compiles the literals of all detectors into one table; the scanner may be used for any number of views. */
export function openScanner(detectors: readonly Detector[]): Scanner {
  const owners: Owner[] = [];
  const literals: string[] = [];
  detectors.forEach((detector, index) => {
    detector.literals.forEach((literal, local) => {
      owners.push({ detector: index, local });
      literals.push(literal);
    });
  });
  const table = compileLiterals(literals);
  return (view) => scanView(view, detectors, table, owners);
}

function scanView(
  view: View,
  detectors: readonly Detector[],
  table: LiteralTable,
  owners: readonly Owner[],
): Hit[] {
  const hits: Hit[] = [];
  const looks = detectors.map((detector, index) =>
    detector.open(view, (start, end, why) => {
      if (end > start) hits.push({ start, end, detector: index, why });
    }),
  );
  const fire = (literal: number, end: number): void => {
    const owner = owners[literal] as Owner;
    looks[owner.detector]?.literal?.(owner.local, end - (table.lengths[literal] as number), end);
  };
  pass(view, table, fire, looks);
  return hits;
}

function pass(
  view: View,
  table: LiteralTable,
  fire: (literal: number, end: number) => void,
  looks: readonly Look[],
): void {
  const { bytes, length } = view;
  const { classOf, next, ends, shift, outputs } = table;
  const digitLooks = looks.flatMap((look) => (look.digits === undefined ? [] : [look.digits]));
  let state = 0;
  let digitsFrom = -1;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      if (digitsFrom < 0) digitsFrom = at;
    } else if (digitsFrom >= 0) {
      for (const look of digitLooks) look(digitsFrom, at);
      digitsFrom = -1;
    }
    state = next[(state << shift) | (classOf[byte] as number)] as number;
    if (ends[state] === 1) for (const literal of outputs[state] as readonly number[]) fire(literal, at + 1);
  }
  if (digitsFrom >= 0) for (const look of digitLooks) look(digitsFrom, length);
}
