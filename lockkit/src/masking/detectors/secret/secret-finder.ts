// One kind of place in which a secret stands. Implemented by the files of this folder, put together by ../secret.ts.
import type { Emit, View } from '../../detector.js';

export interface SecretLook {
  readonly literal: (index: number, start: number, end: number) => void;
}

/** As a Detector, hung on literals alone; takes time in proportion to the view. */
export interface SecretFinder {
  readonly literals: readonly string[];
  readonly open: (view: View, emit: Emit) => SecretLook;
}
