import { describe, expect, test } from 'vitest';
import { AnswerMemory, type StoredAnswer } from './answer-memory.js';

describe('AnswerMemory', () => {
  const one: StoredAnswer = { kind: 'answered', answer: 1 };

  test('runs a question once, failures too', async () => {
    const memory = new AnswerMemory();
    let runs = 0;
    const run = (answer: StoredAnswer | null) => async (): Promise<StoredAnswer | null> => {
      runs++;
      return answer;
    };
    expect(await memory.once('q', run(one))).toStrictEqual({ answer: one, stored: false });
    expect(await memory.once('q', run(one))).toStrictEqual({ answer: one, stored: true });
    const failed: StoredAnswer = { kind: 'failed', cause: { kind: 'exit_status', status: 1 } };
    await memory.once('f', run(failed));
    expect(await memory.once('f', run(one))).toStrictEqual({ answer: failed, stored: true });
    expect(runs).toBe(2);
  });

  test('two at once are one run', async () => {
    const memory = new AnswerMemory();
    let runs = 0;
    const run = async (): Promise<StoredAnswer> => {
      runs++;
      await Promise.resolve();
      return one;
    };
    const both = await Promise.all([memory.once('q', run), memory.once('q', run)]);
    expect(runs).toBe(1);
    expect(both.map(({ stored }) => stored)).toStrictEqual([false, true]);
  });

  test('a run that was stopped or threw is not kept: whoever waited for it runs', async () => {
    const memory = new AnswerMemory();
    let runs = 0;
    const stopped = async (): Promise<null> => {
      runs++;
      return null;
    };
    const full = async (): Promise<StoredAnswer> => {
      runs++;
      return one;
    };
    const [first, second, third] = await Promise.all([
      memory.once('q', stopped),
      memory.once('q', full),
      memory.once('q', full),
    ]);
    expect(first.answer).toBeNull();
    expect([second.answer, third.answer]).toStrictEqual([one, one]);
    expect(runs).toBe(2);
    await expect(memory.once('t', () => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
    expect((await memory.once('t', full)).answer).toStrictEqual(one);
  });

  test('counts what a key has revealed', () => {
    const memory = new AnswerMemory();
    memory.reveal('a', 1);
    memory.reveal('b', 3);
    memory.reveal('a', 1);
    memory.reveal('c', 0);
    expect(memory.revealed()).toStrictEqual([
      ['b', 3],
      ['a', 2],
    ]);
    expect(memory.revealedBy('c')).toBe(0);
  });
});
