// The values the human typed for placeholders, for the rest of the session: asked once, without echo, replayed for the
// same placeholder on other files. Bytes only, wiped at the end; never in an error, a record or a JavaScript string.
import type { Human, Screen } from 'lockkit/approval';
import { accepted, refused, type Outcome } from 'lockkit/contract';
import { fitsInput } from '../plugin/input-values.js';
import { inputName, type Binding, type Question } from './question.js';

export class TypedValues {
  readonly #values = new Map<string, Buffer>();

  /** The value of a placeholder; the caller must not keep or change it. */
  get(placeholder: string): Uint8Array {
    const value = this.#values.get(placeholder);
    if (value === undefined) throw new Error('a run uses a placeholder that was never asked');
    return value;
  }

  /**
   * Asks for every placeholder of these questions that has no value yet, then checks each value against every input
   * it is bound to. A value that was just typed and does not fit is not kept.
   */
  async ask(
    questions: readonly Question[],
    human: Pick<Human, 'ask'>,
    screenFor: (placeholder: string, bindings: readonly Binding[]) => Screen,
    signal: AbortSignal,
  ): Promise<Outcome<void, 'E_INPUT_INVALID' | 'E_NO_ANSWER'>> {
    for (const [placeholder, bindings] of byPlaceholder(questions)) {
      const known = this.#values.get(placeholder);
      if (known !== undefined) {
        if (!fitsAll(known, bindings)) return refused('E_INPUT_INVALID');
        continue;
      }
      const answer = await human.ask(screenFor(placeholder, bindings), { signal });
      if (answer.kind === 'no_answer' || answer.kind === 'withdrawn') return refused('E_NO_ANSWER');
      if (answer.kind !== 'secret') return refused('E_INPUT_INVALID');
      const value = Buffer.from(answer.value);
      answer.value.fill(0);
      if (!this.#keep(placeholder, value, bindings)) return refused('E_INPUT_INVALID');
    }
    return accepted(undefined);
  }

  has(placeholder: string): boolean {
    return this.#values.has(placeholder);
  }

  /**
   * Keeps what the human typed where the decision was made, by the input's full name; the caller wipes its copy. What
   * came for one placeholder must be one value, and fit every input that it is bound to.
   */
  take(
    questions: readonly Question[],
    typed: ReadonlyMap<string, Uint8Array>,
  ): Outcome<void, 'E_INPUT_INVALID'> {
    const came = new Map<string, Uint8Array>();
    for (const question of questions)
      for (const binding of question.bindings) {
        const value = typed.get(inputName(question, binding));
        if (value === undefined) continue;
        const first = came.get(binding.placeholder) ?? value;
        if (!Buffer.from(first).equals(value)) return refused('E_INPUT_INVALID');
        came.set(binding.placeholder, first);
      }
    for (const [placeholder, bindings] of byPlaceholder(questions)) {
      const value = came.get(placeholder);
      if (value !== undefined && !this.#keep(placeholder, Buffer.from(value), bindings))
        return refused('E_INPUT_INVALID');
    }
    return accepted(undefined);
  }

  #keep(placeholder: string, value: Buffer, bindings: readonly Binding[]): boolean {
    // Another run may have asked for the same placeholder meanwhile: the first value stays.
    const fits = fitsAll(value, bindings);
    if (fits && !this.#values.has(placeholder)) this.#values.set(placeholder, value);
    else value.fill(0);
    const kept = this.#values.get(placeholder);
    return fits && kept !== undefined && fitsAll(kept, bindings);
  }

  wipe(): void {
    for (const value of this.#values.values()) value.fill(0);
    this.#values.clear();
  }
}

function fitsAll(value: Uint8Array, bindings: readonly Binding[]): boolean {
  return bindings.every(({ input }) => fitsInput(value, input));
}

function byPlaceholder(questions: readonly Question[]): ReadonlyMap<string, readonly Binding[]> {
  const found = new Map<string, Binding[]>();
  for (const binding of questions.flatMap(({ bindings }) => bindings))
    found.set(binding.placeholder, [...(found.get(binding.placeholder) ?? []), binding]);
  return found;
}
