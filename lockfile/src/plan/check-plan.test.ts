import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FILE_NON_EMPTY, PAIR, PDF_CONTAINS, SAMPLE_PLUGINS } from '../test/sample-plugins.js';
import { checkPlan, type PlanRequest, type PlanWorld } from './check-plan.js';
import type { FileHandle } from './handle-table.js';
import { countAnswers, questionId, type Question } from './question.js';

const file = { fd: -1, bytes: 1, contentHash: 'h' };

function handleWith(questions: readonly Question[], counted = questions.length): FileHandle {
  return {
    id: 'f_8Kq2xR',
    peerUid: 1000,
    key: 'invoices/a.pdf',
    file,
    questions: new Map(questions.map((question) => [questionId(question), null])),
    counted,
  };
}

function world(changes: Partial<PlanWorld> = {}): PlanWorld {
  return {
    prefix: 'invoices/',
    allowed: 'all',
    maxPluginsPerHandle: 8,
    plugins: SAMPLE_PLUGINS,
    findHandle: () => undefined,
    ...changes,
  };
}

const codeOf = (request: PlanRequest, changes?: Partial<PlanWorld>): string => {
  const checked = checkPlan(request, world(changes));
  return checked.ok ? 'ok' : checked.code;
};
const key = 'invoices/2026/10/abc123.pdf';
const plugins = ['file.non-empty', 'format.is-pdf'];

describe('checkPlan', () => {
  test('takes a key and two plugins, and says how many answers they reveal', () => {
    const checked = checkPlan({ key, plugins }, world());
    expect(checked.ok && checked.value).toMatchObject({ target: { kind: 'key', key }, answersRevealed: 2 });
  });

  test.each<[string, PlanRequest]>([
    ['E_BAD_REQUEST', { plugins }],
    ['E_BAD_REQUEST', { key, handle: 'f_8Kq2xR', plugins }],
    ['E_BAD_REQUEST', { key, plugins: [] }],
    ['E_BAD_REQUEST', { key, plugins: ['file.non-empty', 'file.non-empty'] }],
    ['E_UNKNOWN_HANDLE', { handle: 'f_8Kq2xR', plugins }],
    ['E_BAD_KEY', { key: '', plugins }],
    ['E_BAD_KEY', { key: 'invoices/../x', plugins }],
    ['E_BAD_KEY', { key: '/invoices/x', plugins }],
    ['E_KEY_OUTSIDE_PREFIX', { key: 'contracts/x.pdf', plugins }],
    ['E_UNKNOWN_PLUGIN', { key, plugins: ['file.non-empty', 'pdf.reads-minds'] }],
    ['E_UNKNOWN_PLUGIN', { key, plugins: ['__proto__'] }],
    ['E_UNKNOWN_PLUGIN', { key, plugins: ['file.non-empty@1.0.0'] }],
    ['E_MISSING_INPUT', { key, plugins: ['pdf.contains'] }],
    ['E_MISSING_INPUT', { key, plugins: ['text.pair'], inputs: { 'text.pair.left': '${a}' } }],
    ['E_UNKNOWN_INPUT', { key, plugins: ['pdf.contains'], inputs: { 'pdf.contains.other': '${a}' } }],
    ['E_UNKNOWN_INPUT', { key, plugins: ['file.non-empty'], inputs: { 'pdf.contains.needle': '${a}' } }],
    ['E_UNKNOWN_INPUT', { key, plugins, inputs: { needle: '${a}' } }],
    ['E_UNKNOWN_INPUT', { key, plugins, inputs: { 'file.non-empty.constructor': '${a}' } }],
    [
      'E_LITERAL_INPUT',
      { key, plugins: ['pdf.contains'], inputs: { 'pdf.contains.needle': 'alice@example.org' } },
    ],
    ['E_LITERAL_INPUT', { key, plugins: ['pdf.contains'], inputs: { 'pdf.contains.needle': 'x ${a}' } }],
  ])('refuses with %s: %j', (code, request) => {
    expect(codeOf(request)).toBe(code);
  });

  test('a plugin outside the profile’s list is unknown', () => {
    expect(codeOf({ key, plugins }, { allowed: ['file.non-empty'] })).toBe('E_UNKNOWN_PLUGIN');
    expect(codeOf({ key, plugins: ['file.non-empty'] }, { allowed: ['file.non-empty'] })).toBe('ok');
  });

  test('a follow-up is held to the prefix in force now', () => {
    const findHandle = (): FileHandle => handleWith([]);
    const request = { handle: 'f_8Kq2xR', plugins };
    expect(codeOf(request, { findHandle })).toBe('ok');
    expect(codeOf(request, { findHandle, prefix: 'invoices/2026/' })).toBe('E_KEY_OUTSIDE_PREFIX');
  });

  test('counts what the handle has answered, and a repeated question once', () => {
    const asked: Question = { plugin: FILE_NON_EMPTY, bindings: [] };
    const findHandle = (): FileHandle => handleWith([asked], 7);
    const limit = { findHandle, maxPluginsPerHandle: 8 };
    expect(codeOf({ handle: 'f_8Kq2xR', plugins: ['format.is-pdf'] }, limit)).toBe('ok');
    expect(codeOf({ handle: 'f_8Kq2xR', plugins: ['file.non-empty', 'format.is-pdf'] }, limit)).toBe('ok');
    expect(codeOf({ handle: 'f_8Kq2xR', plugins: ['format.is-pdf', 'pdf.parses'] }, limit)).toBe(
      'E_TOO_MANY_PLUGINS',
    );
  });

  test('counts each distinct placeholder of a plugin as one answer', () => {
    const bind = (left: string, right: string) => ({ 'text.pair.left': left, 'text.pair.right': right });
    const revealed = (inputs: Readonly<Record<string, string>>): number => {
      const checked = checkPlan({ key, plugins: ['text.pair'], inputs }, world());
      return checked.ok ? checked.value.answersRevealed : -1;
    };
    expect(revealed(bind('${a}', '${b}'))).toBe(2);
    expect(revealed(bind('${a}', '${a}'))).toBe(1);
    const request = { key, plugins: ['text.pair'], inputs: bind('${a}', '${b}') };
    expect(codeOf(request, { maxPluginsPerHandle: 1 })).toBe('E_TOO_MANY_PLUGINS');
  });

  test('always refuses a key that a source could read as another place', () => {
    const piece = fc.constantFrom('..', '.', '', '/', '\\', 'a', 'invoices', '\u0000', '\u202e', '%2e%2e');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('/');
        const checked = checkPlan({ key: text, plugins }, world({ prefix: '' }));
        const segments = text.split('/');
        if (checked.ok) expect(segments.some((one) => ['', '.', '..'].includes(one))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('never throws, whatever the request', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.constantFrom('pdf.contains', 'pdf.contains.needle', '${a}', key),
    );
    const request = fc.record(
      {
        key: anyText,
        handle: anyText,
        plugins: fc.array(anyText, { maxLength: 4 }),
        inputs: fc.dictionary(anyText, anyText),
      },
      { requiredKeys: ['plugins'] },
    );
    fc.assert(
      fc.property(request, (any) => {
        expect(typeof codeOf(any)).toBe('string');
      }),
      { numRuns: 500 },
    );
  });
});

describe('questionId', () => {
  test('tells placeholders and plugins apart, and nothing else', () => {
    const [input] = PDF_CONTAINS.manifest.inputs;
    const of = (placeholder: string): Question => ({
      plugin: PDF_CONTAINS,
      bindings: [{ input: input as never, placeholder }],
    });
    expect(questionId(of('a'))).toBe(questionId(of('a')));
    expect(questionId(of('a'))).not.toBe(questionId(of('b')));
    expect(countAnswers(of('a'))).toBe(1);
    const [left, right] = PAIR.manifest.inputs;
    const pair = (a: string, b: string): Question => ({
      plugin: PAIR,
      bindings: [
        { input: left as never, placeholder: a },
        { input: right as never, placeholder: b },
      ],
    });
    expect(questionId(pair('a', 'b'))).not.toBe(questionId(pair('b', 'a')));
  });
});
