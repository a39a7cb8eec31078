import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import type { LoadedKinds } from './areas.js';
import type { Kind } from './kind.js';
import { runMain } from './run-main.js';

const rule: Kind = {
  run: (input) => ({ match: input['rule'] === 'ls' }),
  judge: (_input, expected, got) =>
    JSON.stringify(got) === JSON.stringify(expected) ? null : 'match differs',
};
const never: Kind = {
  run: () => {
    throw new Error('broken kit');
  },
  judge: () => null,
};
const LOADED: LoadedKinds = {
  kinds: new Map([
    ['rule', rule],
    ['argv', rule],
    ['never', never],
  ]),
  broken: new Map([['C1', 'the module of area C1 did not load: no such file']]),
};

const folder = mkdtempSync(join(tmpdir(), 'lock-conformance-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A kit that answers what the case's input says under `answer`. */
const ECHO = `'${process.execPath}' -e 'for (const l of require("node:fs").readFileSync(0,"utf8").trim().split("\\n")) {
  const {id, input} = JSON.parse(l); console.log(JSON.stringify({id, got: input.answer ?? null})); }'`;

function file(name: string, lines: readonly (object | string)[]): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return path;
}

interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...argv: readonly string[]): Promise<Run> {
  return runWith([], ...argv);
}

async function runWith(input: readonly string[], ...argv: readonly string[]): Promise<Run> {
  const stdin = Readable.from(input.map((text) => Buffer.from(text)));
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const judgementsPath = join(folder, 'judgements.json');
  const status = await runMain({
    argv,
    stdin,
    stdout,
    stderr,
    version: '0.1.0',
    judgementsPath,
    folder: join(folder, 'nowhere'),
    cwd: folder,
    path: process.env['PATH'] ?? '',
    loadKinds: () => Promise.resolve(LOADED),
  });
  const text = (stream: PassThrough): string => String(stream.read() ?? '');
  return { status, stdout: text(stdout), stderr: text(stderr) };
}

function ruleCase(id: string, answer: boolean, more: object = {}): object {
  return {
    id,
    area: 'A1',
    input: { kind: 'rule', rule: 'ls', argv: ['ls'], answer: { match: answer } },
    expected: { match: true },
    why: 'x',
    ...more,
  };
}

test.each([
  ['no verb', []],
  ['an unknown verb', ['case', 'x']],
  ['no path', ['cases']],
  ['an unknown flag', ['cases', 'x', '--nope']],
  ['a missing path', ['cases', '/nowhere/x.jsonl']],
  ['a folder without cases', ['cases', join(process.cwd(), 'scripts')]],
  ['a timeout of words', ['cases', 'x', '--adapter', 'kit', '--timeout', 'soon']],
])('lock-conformance: %s is usage (64), with a sentence and no report', async (_name, argv) => {
  const { status, stdout, stderr } = await run(...argv);
  expect(status).toBe(64);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^lock-conformance: .+\n$/u);
});

test('lock-conformance: --help and --version exit 0', async () => {
  expect(await run('--help')).toMatchObject({ status: 0, stderr: '' });
  expect(await run('--version')).toMatchObject({ status: 0, stdout: '0.1.0\n' });
});

test('cases --json: the report names the ids per area and exits 1 on a failure', async () => {
  const path = file('a.jsonl', [
    ruleCase('A1-901', true),
    ruleCase('A1-902', false),
    { id: 'B7-001', area: 'B7', input: { kind: 'told in words' }, expected: {}, why: 'x' },
  ]);
  const { status, stdout } = await run('cases', path, '--adapter', ECHO, '--json');
  const report = JSON.parse(stdout);
  expect(status).toBe(1);
  expect(report.areas.A1.passed).toEqual(['A1-901']);
  expect(report.areas.A1.failed).toMatchObject([{ id: 'A1-902', got: { match: false } }]);
  expect(report.areas.B7).toEqual({ passed: [], failed: [], unsupported: ['B7-001'] });
  expect(report.total).toEqual({ passed: 1, failed: 1, unsupported: 1 });
});

test('cases: our own kit is the default, through `adapter` too', async () => {
  const path = file('i.jsonl', [ruleCase('A1-910', false)]);
  expect((await run('cases', path)).status).toBe(0);
  const question = `${JSON.stringify({ id: 'A1-910', input: { kind: 'rule', rule: 'ls' } })}\n`;
  const lines = [
    question,
    'rubbish\n',
    `${JSON.stringify({ id: 'x', input: { kind: 'never' } })}\n`,
    '{"id":"y","input":{}}',
  ];
  const { stdout } = await runWith(lines, 'adapter');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { id: 'A1-910', got: { match: true } },
    { id: null },
    { id: 'x', error: expect.any(String) },
    { id: 'y', unsupported: true },
  ]);
});

test('cases: a kit that throws fails its own case, a module that does not load fails its area', async () => {
  const path = file('j.jsonl', [
    { id: 'A1-911', area: 'A1', input: { kind: 'never' }, expected: {} },
    { id: 'C1-001', area: 'C1', input: { kind: 'of C1' }, expected: {} },
    ruleCase('A1-912', true),
  ]);
  const { status, stdout } = await run('cases', path, '--json');
  expect(status).toBe(1);
  expect(JSON.parse(stdout).total).toEqual({ passed: 1, failed: 2, unsupported: 0 });
});

test('cases: unsupported alone exits 0', async () => {
  const path = file('b.jsonl', [
    { id: 'B7-001', area: 'B7', input: { kind: 'nobody knows' }, expected: {}, why: 'x' },
  ]);
  expect((await run('cases', path)).status).toBe(0);
});

test('cases: bad lines fail, the others still run', async () => {
  const path = file('c.jsonl', [
    '{"id":',
    { area: 'A1', input: { kind: 'rule' }, expected: {} },
    ruleCase('A1-903', true),
    ruleCase('A1-903', true),
  ]);
  const { status, stdout } = await run('cases', path, '--adapter', ECHO, '--json');
  const report = JSON.parse(stdout);
  expect(status).toBe(1);
  expect(report.total).toEqual({ passed: 1, failed: 3, unsupported: 0 });
  expect(report.areas['?'].failed).toMatchObject([{ id: 'c.jsonl:1' }]);
  expect(report.areas.A1.failed).toMatchObject([{ id: 'c.jsonl:2' }, { id: 'A1-903' }]);
});

test('cases: the same file named twice runs once', async () => {
  const path = file('d.jsonl', [ruleCase('A1-904', true)]);
  const { status } = await run('cases', path, path, '--adapter', ECHO, '--json');
  expect(status).toBe(0);
});

test('cases: a generator that cannot be expanded fails its case', async () => {
  const path = file('e.jsonl', [
    { id: 'A1-905', area: 'A1', input: { kind: 'argv', argv_gen: 5 }, expected: {}, why: 'x' },
  ]);
  expect((await run('cases', path, '--adapter', ECHO)).status).toBe(1);
});

test('cases: text output holds no control character of an answer', async () => {
  const hostile = { kind: 'rule', rule: 'ls', argv: ['ls'], answer: { match: '\u001b]0;x\u0007\u202e' } };
  const path = file('f.jsonl', [
    { id: 'A1-906\u001b[2J', area: 'A1', input: hostile, expected: { match: true }, why: 'x' },
  ]);
  const { status, stdout } = await run('cases', path, '--adapter', ECHO);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^[\x20-\x7e…\n]*$/u);
});

test('judgements: a judgement case is overruled with a reason', async () => {
  const entry = { 'A1-907': { expected: { match: false }, reason: 'decided otherwise' } };
  writeFileSync(join(folder, 'judgements.json'), JSON.stringify(entry));
  const path = file('g.jsonl', [ruleCase('A1-907', false, { why: 'JUDGEMENT: open' })]);
  expect((await run('cases', path, '--adapter', ECHO)).status).toBe(0);
  const settled = file('h.jsonl', [ruleCase('A1-907', false)]);
  expect((await run('cases', settled, '--adapter', ECHO)).status).toBe(64);
  writeFileSync(join(folder, 'judgements.json'), '{"A1-907": {"expected": {}}}');
  expect((await run('cases', path, '--adapter', ECHO)).status).toBe(64);
  rmSync(join(folder, 'judgements.json'));
});
