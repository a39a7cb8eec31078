import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from 'lockkit/contract';
import { openPlanBench, recordingSource, type PlanBench } from '../test/plan-bench.js';
import type { Source } from '../sources/source.js';
import { AnswerMemory } from './answer-memory.js';
import { HandleTable } from './handle-table.js';
import type { RunEnd } from './run-plan.js';
import { TypedValues } from './typed-values.js';

let bench: PlanBench;

beforeAll(async () => {
  bench = await openPlanBench();
});
afterAll(() => bench.close());
beforeEach(() => {
  bench.parts.handles.releaseAll();
  bench.typed.length = 0;
  bench.prompts.length = 0;
});

async function codeOf(running: Promise<unknown>): Promise<string> {
  try {
    await running;
    return 'ok';
  } catch (error) {
    return error instanceof Fault ? error.code : `bug: ${String(error)}`;
  }
}

const results = (end: RunEnd): readonly (1 | 0 | null)[] => end.result.answers.map(({ result }) => result);
const misbehave = (order: string, plugin = 'test.misbehave'): Promise<RunEnd> => {
  bench.put(`orders/${order}`, order);
  return bench.run({ key: `orders/${order}`, plugins: [plugin] });
};

function expectFailure({ result, questions }: RunEnd, plugin: string, cause: string): void {
  const code = 'plugin_error';
  expect(result.answers).toStrictEqual([{ plugin, version: '1.0.0', result: null, code }]);
  expect(questions[0]).toMatchObject({ outcome: code });
  expect(questions[0]?.cause).toContain(cause);
}

/** Calls `leave` in the turn after the fetch is done: the plugin is being started then. */
function leavingSource(inner: Source, leave: () => void): Source {
  return {
    close: () => inner.close(),
    open: async (key, signal) => {
      const object = await inner.open(key, signal);
      const close = async (): Promise<void> => {
        await object.close();
        setImmediate(leave);
      };
      return { read: (into, inTime) => object.read(into, inTime), close };
    },
  };
}

describe('runPlan', () => {
  test('fetches once, asks each plugin, and answers a follow-up without a new fetch', async () => {
    bench.put('a/report.txt', 'hello\n');
    const { source, touched } = recordingSource(bench.parts.source);
    const first = await bench.run(
      { key: 'a/report.txt', plugins: ['file.non-empty', 'format.is-pdf'] },
      {},
      { source },
    );
    expect(first.result).toStrictEqual({
      handle: first.result.handle,
      answers: [
        { plugin: 'file.non-empty', version: '1.0.0', result: 1 },
        { plugin: 'format.is-pdf', version: '1.0.0', result: 0 },
      ],
    });
    const more = await bench.run({ handle: first.result.handle, plugins: ['text.is-utf8'] }, {}, { source });
    expect(results(more)).toStrictEqual([1]);
    expect(touched).toStrictEqual(['a/report.txt']);
  });

  test.each([
    ['one', 1],
    ['zero', 0],
    ['stderr', 1],
  ])('an order of %s answers %s', async (order, answer) => {
    expect(results(await misbehave(order))).toStrictEqual([answer]);
  });

  test.each([
    ['exit1', 'exited with status 1'],
    ['two', 'wrote 2 bytes'],
    ['text', 'wrote 3 bytes'],
    ['nothing', 'wrote 0 bytes'],
    ['stdout', 'bytes that are not an answer'],
    ...[1, 2, 3, 6, 9, 11, 13, 14, 15, 31].map((number) => [`signal ${number}`, 'ended by SIG']),
  ])('a plugin that does %s reaches the agent as one code, the audit as its cause', async (order, cause) => {
    expectFailure(await misbehave(order as string), 'test.misbehave', cause as string);
  });

  test.each(['hang', 'deaf', 'thread'])('so does one that does %s, when its time is over', async (order) => {
    expectFailure(await misbehave(order, 'test.hasty'), 'test.hasty', 'still running');
  });

  test('a plugin that forks is told EPERM', async () => {
    expect(results(await misbehave('fork'))).toStrictEqual([0]);
  });

  test('stderr is counted for the audit and goes nowhere', async () => {
    bench.put('orders/loud', 'stderr');
    const loud = await bench.run({ key: 'orders/loud', plugins: ['test.detail'] });
    expect(loud.questions[0]?.stderr_bytes).toBe(320 * 65536);
  });

  test('of a flooded detail 4 KiB are kept for the human, none for the agent or the audit', async () => {
    const end = await misbehave('detail', 'test.detail');
    expect(results(end)).toStrictEqual([1]);
    expect(end.shown[0]?.detail?.byteLength).toBe(4096);
    expect(JSON.stringify([end.result, end.questions])).not.toContain('dddd');
  });

  test.each([
    ['missing', 'none.txt', {}],
    ['too_large', 'a/report.txt', { maxObjectBytes: 2 }],
    ['not_a_file', 'a', {}],
  ])(
    'a fetch that fails (%s) is one code, counts as an answer and leaves no file',
    async (cause, key, terms) => {
      bench.put('a/report.txt', 'hello\n');
      const memory = new AnswerMemory();
      const running = bench.run({ key, plugins: ['file.non-empty'] }, terms, { memory });
      await expect(running).rejects.toMatchObject({
        code: 'E_FETCH_FAILED',
        message: `fetch_failed: ${cause}`,
      });
      expect(memory.revealedBy(key)).toBe(1);
      const [console] = readdirSync(join(bench.dir, 'workspace'));
      const open = [...readdirSync(join(bench.dir, 'workspace', console as string))];
      expect(open.every((id) => bench.parts.handles.find(id, 1000) !== undefined)).toBe(true);
    },
  );

  test('the same question about the same bytes is run once, also after release; other bytes are run anew', async () => {
    bench.put('same.txt', 'x');
    const memory = new AnswerMemory();
    const request = { key: 'same.txt', plugins: ['file.non-empty'] };
    const first = await bench.run(request, {}, { memory });
    expect(first.questions[0]).not.toHaveProperty('stored');
    bench.parts.handles.release(first.result.handle);
    const second = await bench.run(request, {}, { memory });
    expect(second.questions[0]).toMatchObject({ stored: true });
    expect(results(second)).toStrictEqual([1]);
    expect(memory.revealedBy('same.txt')).toBe(1);
    bench.put('same.txt', '');
    const third = await bench.run(request, {}, { memory });
    expect(results(third)).toStrictEqual([0]);
    expect(memory.revealedBy('same.txt')).toBe(2);
  });

  test('a failure is stored as well: a question cannot be repeated until it fits', async () => {
    bench.put('orders/again', 'exit1');
    const request = { key: 'orders/again', plugins: ['test.misbehave'] };
    const first = await bench.run(request);
    const second = await bench.run({ handle: first.result.handle, plugins: ['test.misbehave'] });
    expect(second.questions[0]).toMatchObject({ outcome: 'plugin_error', stored: true });
  });

  test('two runs at once on one handle never exceed the limit', async () => {
    bench.put('many.txt', 'x');
    const first = await bench.run(
      { key: 'many.txt', plugins: ['file.non-empty'] },
      { maxPluginsPerHandle: 3 },
    );
    const follow = (plugins: readonly string[]) =>
      codeOf(bench.run({ handle: first.result.handle, plugins }, { maxPluginsPerHandle: 3 }));
    const codes = await Promise.all([
      follow(['format.is-pdf', 'format.is-png']),
      follow(['format.is-zip', 'text.is-utf8']),
      follow(['file.non-empty']),
    ]);
    expect(codes).toStrictEqual(['ok', 'E_TOO_MANY_PLUGINS', 'ok']);
    expect(await follow(['text.is-utf8'])).toBe('E_TOO_MANY_PLUGINS');
    expect(await follow(['format.is-png'])).toBe('ok');
  });

  test('answers and failures of a fetch wait for the quantum, counted from the start', async () => {
    bench.put('timed.txt', 'x');
    let nowMs = 10_000;
    const waits: number[] = [];
    const clock = {
      monotonicMs: () => nowMs,
      after: (ms: number, call: () => void) => {
        // A stall's limit never fires here; the release does, at once.
        if (ms === 30_000) return () => undefined;
        waits.push(ms);
        queueMicrotask(call);
        return () => undefined;
      },
    };
    const slow = recordingSource(bench.parts.source);
    const source = {
      ...slow.source,
      open: (key: string, signal: AbortSignal) => {
        nowMs += 3300;
        return slow.source.open(key, signal);
      },
    };
    await bench.run(
      { key: 'timed.txt', plugins: ['file.non-empty'] },
      { quantumMs: 1000 },
      { ...clock, source },
    );
    expect(
      await codeOf(
        bench.run({ key: 'none', plugins: ['file.non-empty'] }, { quantumMs: 1000 }, { ...clock, source }),
      ),
    ).toBe('E_FETCH_FAILED');
    expect(waits).toStrictEqual([700, 700]);
  });

  test('a client that leaves stops its plugin, gets nothing, and leaves no file; another may ask the same', async () => {
    bench.put('orders/leave', 'hang');
    const left = new AbortController();
    const memory = new AnswerMemory();
    const source = leavingSource(bench.parts.source, () => left.abort());
    const running = codeOf(
      bench.run(
        { key: 'orders/leave', plugins: ['test.hasty'] },
        { signal: left.signal },
        { memory, source },
      ),
    );
    expect(await running).toBe('E_CONNECTION');
    expect(memory.revealedBy('orders/leave')).toBe(0);
    const end = await bench.run({ key: 'orders/leave', plugins: ['test.hasty'] }, {}, { memory });
    expect(end.questions[0]).not.toHaveProperty('stored');
  });

  test('a release in the middle of a follow-up does not disturb it', async () => {
    bench.put('orders/release', 'hang');
    const first = await bench.run({ key: 'orders/release', plugins: ['file.non-empty'] });
    const { handle } = first.result;
    const running = bench.run({ handle, plugins: ['test.hasty'] });
    // The turn after: the places are taken and the plugin is being started.
    await new Promise((resolve) => setImmediate(resolve));
    bench.parts.handles.release(handle);
    expect(results(await running)).toStrictEqual([null]);
    expect(bench.parts.handles.find(handle, 1000)).toBeUndefined();
    expect(() => bench.check({ handle, plugins: ['file.non-empty'] })).toThrow('E_UNKNOWN_HANDLE');
  });
});

describe('runPlan with typed values', () => {
  const request = (key: string, placeholder = '${email}') => ({
    key,
    plugins: ['test.inputs'],
    inputs: { 'test.inputs.needle': placeholder },
  });
  const fresh = () => ({ values: new TypedValues(), memory: new AnswerMemory() });

  test('the value reaches the plugin on fd 6, and neither the agent nor the audit', async () => {
    bench.put('orders/inputs', 'inputs');
    bench.typed.push('alice@example.org');
    const end = await bench.run(request('orders/inputs'), {}, fresh());
    expect(Buffer.from(end.shown[0]?.detail ?? []).toString()).toBe('{"needle":"alice@example.org"}');
    expect(JSON.stringify([end.result, end.questions])).not.toContain('alice');
  });

  test('is asked once and replayed for the same placeholder on another file', async () => {
    const parts = fresh();
    bench.put('one.txt', 'inputs');
    bench.put('two.txt', 'inputs');
    bench.typed.push('alice@example.org', 'bob@example.org');
    await bench.run(request('one.txt'), {}, parts);
    const second = await bench.run(request('two.txt'), {}, parts);
    expect(Buffer.from(second.shown[0]?.detail ?? []).toString()).toContain('alice');
    expect(bench.prompts).toHaveLength(1);
    await bench.run(request('two.txt', '${other}'), {}, parts);
    expect(bench.prompts).toHaveLength(2);
  });

  test.each([
    ['no address', 'alice'],
    ['too long', `${'a'.repeat(40)}@example.org`],
    ['nothing', null],
  ])('a value that does not fit (%s) refuses the run before anything is touched', async (_, text) => {
    bench.put('orders/inputs', 'inputs');
    const { source, touched } = recordingSource(bench.parts.source);
    const parts = { ...fresh(), source };
    bench.typed.push(text, 'alice@example.org');
    const running = bench.run(request('orders/inputs'), {}, parts);
    await expect(running).rejects.toMatchObject({ code: 'E_INPUT_INVALID' });
    await running.catch((error: Error) => expect(error.message).not.toContain(text ?? 'alice'));
    expect(touched).toStrictEqual([]);
    // It was not kept: the next run asks again.
    await bench.run(request('orders/inputs'), {}, parts);
    expect(bench.prompts).toHaveLength(2);
  });

  test('nobody at the console: no answer, nothing touched', async () => {
    const { source, touched } = recordingSource(bench.parts.source);
    expect(await codeOf(bench.run(request('orders/inputs'), {}, { ...fresh(), source }))).toBe('E_NO_ANSWER');
    expect(touched).toStrictEqual([]);
  });

  test('text.contains finds the value and tells the human the lines', async () => {
    bench.put('notes.txt', 'first\nalice@example.org\nlast alice@example.org\n');
    bench.typed.push('alice@example.org', 'nobody@example.org');
    const parts = fresh();
    const ask = (placeholder: string) =>
      bench.run(
        { key: 'notes.txt', plugins: ['text.contains'], inputs: { 'text.contains.needle': placeholder } },
        {},
        parts,
      );
    const found = await ask('${a}');
    expect(results(found)).toStrictEqual([1]);
    expect(Buffer.from(found.shown[0]?.detail ?? []).toString()).toBe('found on lines 2, 3');
    expect(results(await ask('${b}'))).toStrictEqual([0]);
  });
});

describe('the whole session', () => {
  test('closing it leaves neither file nor folder', async () => {
    bench.put('end.txt', 'x');
    const handles = new HandleTable(bench.parts.workspace, (count) => new Uint8Array(count).fill(7));
    const end = await bench.run({ key: 'end.txt', plugins: ['file.non-empty'] }, {}, { handles });
    expect(handles.find(end.result.handle, 1000)).toBeDefined();
    handles.releaseAll();
    const [console] = readdirSync(join(bench.dir, 'workspace'));
    expect(existsSync(join(bench.dir, 'workspace', console as string, end.result.handle))).toBe(false);
  });
});
