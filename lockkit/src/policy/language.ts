// The value of an allow list, and the order that needs no theory: sets of rules compared as they are written.
// Lock types whose rules have a meaning of their own bring an exact order for the same value; this one may say
// `loosens` where that one would prove more, never the other way round.
import { orderFrom, type Order } from './order.js';
import { sortedSet } from './sets.js';

/** A conjunction of rule sets: an argv is allowed when every set has a rule for it. No set at all allows nothing. */
export type AllowLanguage = readonly (readonly string[])[];

function subsetAsWritten(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((rule) => outer.includes(rule));
}

function setsOf(language: AllowLanguage): AllowLanguage {
  return language.length === 0 ? [[]] : language;
}

/** Sets sorted and without doubles; a set that holds all of another one adds nothing to it and goes. */
export function normalLanguage(language: AllowLanguage): AllowLanguage {
  const sets = sortedSet(setsOf(language).map((set) => sortedSet(set)));
  return sets.filter((set) => !sets.some((other) => other !== set && subsetAsWritten(other, set)));
}

/** "Not a subset as written loosens": every set that bound before still binds, by itself or by a smaller set. */
export const languageAsWritten: Order<AllowLanguage> = orderFrom<AllowLanguage>({
  name: 'language',
  within: (inner, outer) =>
    setsOf(outer).every((set) => setsOf(inner).some((one) => subsetAsWritten(one, set))),
  meet: (approved, other) => normalLanguage([...setsOf(approved), ...setsOf(other)]),
});
