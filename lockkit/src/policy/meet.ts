// The policy that is in force while a loosening waits: field by field the meet of what was approved and what the file
// says. What the meet allows, both allow. Values without a common bound (another host) stay the approved ones.
import { policyFrom, valueAt, type PolicyValues, type ProfileDefinition } from './profile.js';

/** `approved` comes first: it wins where two values cannot be joined. Both must hold every field. */
export function meetPolicies<P>(definition: ProfileDefinition<P>, approved: P, file: P): P {
  const met = policyFrom(definition.entries, ({ path, name, field }) => {
    const mine = valueAt(approved as PolicyValues, path);
    const theirs = valueAt(file as PolicyValues, path);
    if (mine === undefined || theirs === undefined)
      throw new Error(`a policy without ${name} cannot be joined`);
    return field.normalise(field.order.meet(mine, theirs));
  });
  return met as P;
}
