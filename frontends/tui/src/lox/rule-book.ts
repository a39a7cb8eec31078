// The auto rules of each lock's approved policy, as its own command prints them (`profile rules --json`). Used by the
// ticket desk. Rules are of one policy: a ticket of another one makes them be read anew, and decides nothing until then.
import { parseProfileRules, type ProfileRules, type Ticket } from 'lockkit/tickets';
import { keptEnvironment } from './kept-environment.js';
import { rowId, type LockRow } from './lock-list.js';
import { runVerb, type RunVerb } from './run-verb.js';

export class RuleBook {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #verb: RunVerb;
  readonly #rules = new Map<string, Promise<ProfileRules | null>>();

  constructor(env: Readonly<Record<string, string | undefined>>, verb: RunVerb = runVerb) {
    this.#env = keptEnvironment(env);
    this.#verb = verb;
  }

  /** null: none can be read, a human decides. */
  async rulesFor(ticket: Ticket, row: LockRow): Promise<ProfileRules | null> {
    const id = rowId(row);
    const known = this.#rules.get(id);
    const rules = known && (await known);
    if (known !== undefined && rules?.fingerprint === ticket.policy_fingerprint) return rules;
    // Whoever came first reads; the others wait for the same reading.
    if (this.#rules.get(id) === known) this.#rules.set(id, this.#read(row));
    return (await this.#rules.get(id)) ?? null;
  }

  async #read({ command, profile, projectDir }: LockRow): Promise<ProfileRules | null> {
    const args = ['profile', 'rules', '--json', '--profile', profile];
    const { exit, json } = await this.#verb(command, args, { cwd: projectDir, env: this.#env });
    return exit === 0 ? parseProfileRules(json) : null;
  }
}
