// Names of profiles. They become parts of socket and state file names and the answer that production asks for, so a
// name must be one plain word that no object inherits and no question takes for something else.

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
/** Answers of other questions: a human who types one of these has not named a profile. */
const TAKEN = new Set(['y', 'n', 'yes', 'no', 'continue']);

export const PROFILE_NAME_RULE =
  'a profile’s name is 1 to 63 letters, digits, "_" and "-", and no word that answers a question';

export function isProfileName(name: string): boolean {
  return NAME.test(name) && !TAKEN.has(name.toLowerCase()) && !(name in Object.prototype);
}
