// What a detector is: the literals and digit runs that make it look, and what it then finds. Implemented by each
// file in detectors/; driven by scan.ts. A detector reads the view it is given and nothing else, keeps no state
// between views, and must take time in proportion to the length of the view whatever it holds.

/** Detectors that are on unless a profile says otherwise (Using lockssh, "Profiles"). */
export const DEFAULT_DETECTORS = ['card', 'email', 'iban', 'ip', 'phone', 'secret'] as const;

/** Detectors that a profile may add. */
export const OPTIONAL_DETECTORS = ['us_ssn', 'be_niss', 'fr_nir', 'nl_bsn', 'eu_vat', 'mac'] as const;

export const ALL_DETECTORS = [...DEFAULT_DETECTORS, ...OPTIONAL_DETECTORS] as const;

export type DetectorName = (typeof ALL_DETECTORS)[number];

/**
 * The text a detector looks at: UTF-8 bytes, and the same bytes as a string of code units 0 to 255, so that an
 * index means the same in both. Invisible characters are gone, other forms of digits and signs are plain ASCII.
 */
export interface View {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly length: number;
}

/** Reports a value by its place in the view; `why` is a fixed word for --explain, never part of the value. */
export type Emit = (start: number, end: number, why: string) => void;

/** One pass over one view. */
export interface Look {
  /** The literal with this index in `literals` stands at [start, end), in any case. Called in order of `end`. */
  readonly literal?: (index: number, start: number, end: number) => void;
  /** A maximal run of ASCII digits stands at [start, end). Called in order. */
  readonly digits?: (start: number, end: number) => void;
}

export interface Detector {
  readonly name: DetectorName;
  /** Lower-case ASCII. */
  readonly literals: readonly string[];
  readonly open: (view: View, emit: Emit) => Look;
  /** One spelling for all spellings of a value; the pseudonym is made from it. */
  readonly normalise: (value: string) => string;
}
