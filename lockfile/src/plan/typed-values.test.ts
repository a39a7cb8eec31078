import { describe, expect, test } from 'vitest';
import type { Answer, AskOptions, Screen } from 'lockkit/approval';
import { PAIR, PDF_CONTAINS } from '../test/sample-plugins.js';
import { inputName, type Question } from './question.js';
import { TypedValues } from './typed-values.js';

const [left, right] = PAIR.manifest.inputs as [never, never];
const [needle] = PDF_CONTAINS.manifest.inputs as [never];
const pair = (a: string, b: string): Question => ({
  plugin: PAIR,
  bindings: [
    { input: left, placeholder: a },
    { input: right, placeholder: b },
  ],
});
const contains = (placeholder: string): Question => ({
  plugin: PDF_CONTAINS,
  bindings: [{ input: needle, placeholder }],
});
const screen: Screen = { title: ['t'], origin: [], sections: [], warnings: [] };
const signal = new AbortController().signal;

function human(...answers: readonly (string | Answer)[]) {
  const left = [...answers];
  const typed: Uint8Array[] = [];
  const ask = async (_: Screen, options?: AskOptions): Promise<Answer> => {
    expect(options?.signal).toBe(signal);
    await Promise.resolve();
    const next = left.shift() ?? ({ kind: 'no_answer' } as const);
    if (typeof next !== 'string') return next;
    const value = Buffer.from(next);
    typed.push(value);
    return { kind: 'secret', value };
  };
  return { ask, typed };
}

const ask = async (values: TypedValues, questions: readonly Question[], person: ReturnType<typeof human>) => {
  const outcome = await values.ask(questions, person, () => screen, signal);
  return outcome.ok ? 'ok' : outcome.code;
};
const text = (values: TypedValues, placeholder: string): string =>
  Buffer.from(values.get(placeholder)).toString();

describe('TypedValues', () => {
  test('asks each placeholder once, whatever it is bound to, and wipes what the prompt gave', async () => {
    const values = new TypedValues();
    const person = human('a@example.org', 'word');
    expect(await ask(values, [pair('x', 'x'), contains('x'), contains('y')], person)).toBe('ok');
    expect([text(values, 'x'), text(values, 'y')]).toStrictEqual(['a@example.org', 'word']);
    expect(person.typed).toHaveLength(2);
    expect(person.typed.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
    expect(await ask(values, [contains('x')], human())).toBe('ok');
  });

  test('a value must fit every input of the plan; what does not is wiped and forgotten', async () => {
    const values = new TypedValues();
    expect(await ask(values, [contains('x'), pair('x', 'y')], human('no address'))).toBe('E_INPUT_INVALID');
    expect(() => values.get('x')).toThrow('never asked');
    expect(await ask(values, [contains('x')], human('no address'))).toBe('ok');
    // Kept for the session: another input that it does not fit is refused, and nobody is asked again.
    const person = human('a@example.org');
    expect(await ask(values, [pair('x', 'z')], person)).toBe('E_INPUT_INVALID');
    expect(person.typed).toHaveLength(0);
  });

  test.each<[string, Answer, string]>([
    ['Enter alone', { kind: 'no' }, 'E_INPUT_INVALID'],
    ['nobody', { kind: 'no_answer' }, 'E_NO_ANSWER'],
    ['a client that left', { kind: 'withdrawn' }, 'E_NO_ANSWER'],
    ['a yes', { kind: 'yes' }, 'E_INPUT_INVALID'],
  ])('%s gives no value', async (_, answer, code) => {
    const values = new TypedValues();
    expect(await ask(values, [contains('x')], human(answer))).toBe(code);
    expect(() => values.get('x')).toThrow('never asked');
  });

  test('two runs that ask for one placeholder at once agree on one value', async () => {
    const values = new TypedValues();
    const [one, two] = [human('first'), human('second')];
    expect(
      await Promise.all([ask(values, [contains('x')], one), ask(values, [contains('x')], two)]),
    ).toStrictEqual(['ok', 'ok']);
    expect(text(values, 'x')).toBe('first');
  });

  test('the wipe leaves zeros and no value', async () => {
    const values = new TypedValues();
    await ask(values, [contains('x')], human('word'));
    const bytes = values.get('x');
    values.wipe();
    expect([...bytes]).toStrictEqual([0, 0, 0, 0]);
    expect(() => values.get('x')).toThrow('never asked');
  });
});

describe('TypedValues.take', () => {
  const names = (question: Question): readonly string[] =>
    question.bindings.map((binding) => inputName(question, binding));

  test('keeps what came with a decision, by name, and is asked no more; the first value of a placeholder stays', async () => {
    const values = new TypedValues();
    const questions = [pair('x', 'x')];
    const [first = '', second = ''] = names(questions[0] as Question);
    const came = (a: string, b: string) =>
      new Map([
        [first, Buffer.from(a)],
        [second, Buffer.from(b)],
      ]);
    expect(values.has('x')).toBe(false);
    expect(values.take(questions, came('a@example.org', 'a@example.org'))).toMatchObject({ ok: true });
    expect(text(values, 'x')).toBe('a@example.org');
    expect(await ask(values, questions, human())).toBe('ok');
    values.take(questions, came('b@example.org', 'b@example.org'));
    expect(text(values, 'x')).toBe('a@example.org');
  });

  test('E_INPUT_INVALID: two values for one placeholder, or one that does not fit; nothing of it is kept', () => {
    const values = new TypedValues();
    const questions = [pair('x', 'x')];
    const [first = '', second = ''] = names(questions[0] as Question);
    const refused = { ok: false, code: 'E_INPUT_INVALID' };
    const two = new Map([
      [first, Buffer.from('a@example.org')],
      [second, Buffer.from('b@example.org')],
    ]);
    expect(values.take(questions, two)).toEqual(refused);
    expect(values.take(questions, new Map([[first, Buffer.from('\u0007')]]))).toEqual(refused);
    expect(values.has('x')).toBe(false);
  });
});
