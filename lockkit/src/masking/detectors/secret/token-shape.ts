// What one known shape of token is, and the parts its rows are written with. Used by the tables token-shapes-*.ts.

export interface TokenShape {
  readonly issuer: string;
  /** How it begins, in its own case. */
  readonly prefix: string;
  /** What follows the prefix (regular expression source; bounded, no nested repetition). */
  readonly body: string;
  /** Lowest bits per character; below it is documentation (`ghp_xxxx…`). 2.4 where not given. */
  readonly minEntropy?: number;
  /** May stand directly behind a letter or digit (only prefixes that no word ends in). */
  readonly glued?: true;
  /** Sample body; the sample token is `before` + prefix + this. */
  readonly sample: string;
  /** What a token of this shape holds before its prefix. */
  readonly before?: string;
}

const MIXED = 'fK3x9Qw7Tz1Lp5Vn8Rb2Yd6Hs4Jg0McAeUiOtXqZrWvPkNbSfDhGjLyB3C7E9a1F5d8H2k4M6n0P';
const HEX =
  '9f3a1c7e5b2d8064af19c3e7b5d2806413f7a9c5e1b3d7f90a2c4e68b1d3f5a79c0e2b4d6f8a1c3e5b7d9f0a2b4c6d8e';
const UPPER = 'K7Q2XW9ZP4LM8RT3VB6ND5JH2GYC7FSAQEUIKTOX';
/** Sample text: letters and digits. */
export const mixed = (length: number): string => MIXED.repeat(4).slice(0, length);
/** Sample text: hex digits. */
export const hex = (length: number): string => HEX.slice(0, length);
/** Sample text: capitals and digits. */
export const upper = (length: number): string => UPPER.slice(0, length);

/** A letter or digit. */
export const W = '[A-Za-z0-9]';
/** A letter, digit, hyphen or underscore. */
export const U = '[A-Za-z0-9_-]';
