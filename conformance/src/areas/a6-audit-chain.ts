// Area A6: the audit log. Its cases are told in words, a change to a log and what verify must say: they are scenario
// tests beside this file that cite every id. Called by the runner, which counts them as told in words.
import type { Kinds } from '../kind.js';

export const kinds: Kinds = {};
