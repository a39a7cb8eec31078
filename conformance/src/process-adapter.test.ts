import { expect, test } from 'vitest';
import type { Answers, Question } from './adapter.js';
import { PROCESS_ADAPTER_DEFAULTS, processAdapter } from './process-adapter.js';

const QUESTIONS: readonly Question[] = ['X-1', 'X-2', 'X-3'].map((id) => ({
  id,
  input: { kind: 'echo', text: id },
}));

/** Runs a small program as the adapter; `body` sees `questions` (all of them) and `say(message)`. */
function ask(body: string, options: Partial<typeof PROCESS_ADAPTER_DEFAULTS> = {}): Promise<Answers> {
  const program = `
    const questions = require('node:fs').readFileSync(0, 'utf8').trim().split('\\n').map((l) => JSON.parse(l));
    const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
    ${body}`;
  return processAdapter([process.execPath, '-e', program], { ...PROCESS_ADAPTER_DEFAULTS, ...options })(
    QUESTIONS,
  );
}

const ANSWER_ALL = 'for (const q of questions) say({id: q.id, got: {text: q.input.text}});';

function kinds(answers: Answers): readonly (string | undefined)[] {
  return QUESTIONS.map(({ id }) => answers.byId.get(id)?.kind);
}

test('processAdapter: answers are taken by id', async () => {
  const answers = await ask(ANSWER_ALL);
  expect(answers.byId.get('X-2')).toEqual({ kind: 'got', got: { text: 'X-2' } });
  expect(answers.breach).toBeNull();
});

test('processAdapter: answers out of order are taken by id', async () => {
  const answers = await ask(`questions.reverse(); ${ANSWER_ALL}`);
  expect(answers.byId.get('X-1')).toEqual({ kind: 'got', got: { text: 'X-1' } });
  expect(answers.breach).toBeNull();
});

test('processAdapter: unsupported and null are answers', async () => {
  const answers = await ask(`say({id:'X-1',unsupported:true}); say({id:'X-2',got:null}); say({id:'X-3'});`);
  expect(kinds(answers)).toEqual(['unsupported', 'got', 'failure']);
});

test('processAdapter: a status that is not 0 after the last answer is no failure', async () => {
  expect(kinds(await ask(`${ANSWER_ALL} process.exitCode = 3;`))).toEqual(['got', 'got', 'got']);
});

test('processAdapter: an adapter that dies fails what it did not answer', async () => {
  const answers = await ask(
    `say({id:'X-1',got:1}); console.error('\\x1b[31mno memory'); process.exitCode = 9;`,
  );
  expect(kinds(answers)).toEqual(['got', 'failure', 'failure']);
});

test('processAdapter: an adapter that is killed fails what it did not answer', async () => {
  expect(kinds(await ask(`process.kill(process.pid, 'SIGKILL')`))).toEqual(['failure', 'failure', 'failure']);
});

test('processAdapter: an adapter that hangs is stopped', async () => {
  const answers = await ask(`say({id:'X-1',got:process.pid}); setInterval(() => {}, 1000);`, {
    silenceMs: 1500,
  });
  expect(kinds(answers)).toEqual(['got', 'failure', 'failure']);
  const first = answers.byId.get('X-1');
  if (first?.kind !== 'got') throw new Error('X-1 was answered');
  await expect.poll(() => isAlive(Number(first.got))).toBe(false);
});

test('processAdapter: an adapter that reads nothing is stopped', async () => {
  const many = Array.from({ length: 3000 }, (_, n) => ({ id: String(n), input: { text: 'x'.repeat(1000) } }));
  const adapter = processAdapter([process.execPath, '-e', 'setInterval(() => {}, 1000)'], {
    ...PROCESS_ADAPTER_DEFAULTS,
    silenceMs: 500,
  });
  const { byId } = await adapter(many);
  expect([...byId.values()].every(({ kind }) => kind === 'failure')).toBe(true);
  expect(byId.size).toBe(many.length);
});

test.each([
  ['rubbish', `process.stdout.write('hello\\n'); ${ANSWER_ALL}`],
  ['a list', `say([]); ${ANSWER_ALL}`],
  ['a number', `say(5); ${ANSWER_ALL}`],
  ['an id that is a number', `say({id: 1, got: 2}); ${ANSWER_ALL}`],
  ['an answer to what was not asked', `say({id: 'X-9', got: 2}); ${ANSWER_ALL}`],
  ['bytes that are no text', `process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a])); ${ANSWER_ALL}`],
])('processAdapter: %s ends the conversation', async (_name, body) => {
  expect(kinds(await ask(body))).toEqual(['failure', 'failure', 'failure']);
});

test('processAdapter: rubbish after the last answer is a breach', async () => {
  const answers = await ask(`${ANSWER_ALL} process.stdout.write('bye\\n');`);
  expect(kinds(answers)).toEqual(['got', 'got', 'got']);
  expect(answers.breach).not.toBeNull();
});

test('processAdapter: a second answer to a case is a breach', async () => {
  const answers = await ask(`${ANSWER_ALL} say({id:'X-1',got:2});`);
  expect(answers.breach).not.toBeNull();
});

test('processAdapter: a line without end is cut off', async () => {
  const body = `const b = Buffer.alloc(65536, 97); const go = () => { while (process.stdout.write(b)); process.stdout.once('drain', go); }; go();`;
  expect(kinds(await ask(body, { maxLineBytes: 1_000_000 }))).toEqual(['failure', 'failure', 'failure']);
});

test('processAdapter: a program that does not exist fails every case', async () => {
  const answers = await processAdapter(['/nowhere/kit'])(QUESTIONS);
  expect(kinds(answers)).toEqual(['failure', 'failure', 'failure']);
});

test('processAdapter: without questions nothing is started', async () => {
  expect(await processAdapter(['/nowhere/kit'])([])).toEqual({ byId: new Map(), breach: null });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
