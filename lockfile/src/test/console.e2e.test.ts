// lockfile end to end on one account: the real command and a real MCP client, a real console, sandbox and plugins.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { renderScreen, type Answer, type Screen } from 'lockkit/approval';
import { verifyAudit } from 'lockkit/audit';
import { COMMAND, openTestConsole, runCommand, writeConfig, type TestConsole } from './test-console.js';

const isBuilt = existsSync(join(COMMAND, '../../dist/lockfile.cjs'));
const KEY = 'invoices/2026/10/abc123.pdf';

let lock: TestConsole;

beforeAll(async () => {
  if (!isBuilt) throw new Error('run `npm run build` first');
  lock = await openTestConsole({ showResults: true });
});
afterAll(() => lock?.stop());
beforeEach(() => {
  lock.put(KEY, '%PDF-1.7\n');
  lock.human.screens.length = 0;
});
afterEach(() => {
  lock.human.decide = () => ({ kind: 'yes' });
});

const ask = (...more: readonly string[]) =>
  lock.cli(
    'plan',
    '--key',
    KEY,
    '--plugin',
    'file.non-empty',
    '--plugin',
    'format.is-pdf',
    ...more,
    '--json',
  );
const questions = (): readonly Screen[] =>
  lock.human.screens.filter(({ question }) => question !== undefined);

function audit(): string {
  return readdirSync(lock.auditDir)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(lock.auditDir, name), 'utf8'))
    .join('');
}

describe('the command', () => {
  test('plan --run answers both questions after the human’s yes, and says nothing else about the file', async () => {
    const { exit, json } = await ask('--run', '--intent', 'check the invoice reported as blank');
    expect(exit).toBe(0);
    expect(json).toStrictEqual({
      handle: json.handle,
      answers: [
        { plugin: 'file.non-empty', version: '1.0.0', result: 1 },
        { plugin: 'format.is-pdf', version: '1.0.0', result: 1 },
      ],
    });
    const [screen] = questions();
    const shown = renderScreen({ ...(screen as Screen), demo: false }, { columns: 200, colour: false });
    expect(
      shown
        .split('\n')
        .filter((row) => !row.includes('requested by'))
        .join('\n'),
    ).toBe(
      `╭─ SAMPLES · file plan · 2 answers ─────
│ agent: check the invoice reported as blank
│
│ key    ${KEY}
│
│ file.non-empty@1.0.0  (official, unsigned)
│   ? Does the file contain at least one byte?   1 = size > 0   0 = the file is empty
│ format.is-pdf@1.0.0  (official, unsigned)
│   ? Does the file start like a PDF?   1 = \`%PDF-\` appears within the first 1024 bytes   0 = no PDF header
│
│ this plan reveals at most 2 answers about the file
╰─ Approve? [y/N]`,
    );
  });

  test('a follow-up, its answers, and the release', async () => {
    const { handle } = (await ask('--run')).json;
    const more = await lock.cli('plan', '--handle', handle, '--plugin', 'text.is-utf8', '--run', '--json');
    expect(more.json.answers).toMatchObject([{ plugin: 'text.is-utf8', result: 1 }]);
    const all = await lock.cli('answers', handle, '--json');
    expect(all.exit).toBe(0);
    expect(all.json.answers).toHaveLength(3);
    expect((await lock.cli('release', handle, '--json')).json).toStrictEqual({ handle, status: 'released' });
    const gone = await lock.cli('answers', handle, '--json');
    expect([gone.exit, gone.json.error.code]).toStrictEqual([2, 'E_UNKNOWN_HANDLE']);
  });

  test('a plan is submitted without touching anything, runs once, and is then unknown', async () => {
    const planned = await ask('--intent', 'later');
    expect(planned.json).toStrictEqual({
      plan: planned.json.plan,
      expires_at: planned.json.expires_at,
      answers_revealed: 2,
    });
    expect(questions()).toHaveLength(0);
    const ran = await lock.cli('run', planned.json.plan, '--json');
    expect([ran.exit, ran.json.answers.length]).toStrictEqual([0, 2]);
    expect(JSON.stringify(questions()[0]?.origin)).toContain('later');
    const again = await lock.cli('run', planned.json.plan, '--json');
    expect([again.exit, again.json.error.code]).toStrictEqual([2, 'E_UNKNOWN_PLAN']);
  });

  test('the exit code is that of the outcome, never of an answer', async () => {
    lock.put('empty', '');
    const zero = await lock.cli('plan', '--key', 'empty', '--plugin', 'file.non-empty', '--run', '--json');
    expect([zero.exit, zero.json.answers[0].result]).toStrictEqual([0, 0]);
    const none = await lock.cli(
      'plan',
      '--key',
      'empty',
      '--plugin',
      'pdf.has-blank-page',
      '--run',
      '--json',
    );
    expect(none.exit).toBe(0);
    expect(none.json.answers).toStrictEqual([
      { plugin: 'pdf.has-blank-page', version: '1.0.0', result: null, code: 'plugin_error' },
    ]);
  });

  test.each<[string, number, string, readonly string[]]>([
    ['a key that climbs', 2, 'E_BAD_KEY', ['--key', '../x', '--plugin', 'file.non-empty']],
    ['an unknown plugin', 2, 'E_UNKNOWN_PLUGIN', ['--key', KEY, '--plugin', 'mind.reads']],
    [
      'a literal input',
      2,
      'E_LITERAL_INPUT',
      ['--key', KEY, '--plugin', 'text.contains', '--input', 'text.contains.needle=bob@example.org'],
    ],
    ['no input', 2, 'E_MISSING_INPUT', ['--key', KEY, '--plugin', 'text.contains']],
    ['neither key nor handle', 2, 'E_BAD_REQUEST', ['--plugin', 'file.non-empty']],
    ['a missing file', 2, 'E_FETCH_FAILED', ['--key', 'none', '--plugin', 'file.non-empty']],
  ])('%s: exit %i, %s, and nothing of the request in the error', async (_, exit, code, argv) => {
    const refused = await lock.cli('plan', ...argv, '--run', '--json');
    expect([refused.exit, refused.json.error.code]).toStrictEqual([exit, code]);
    expect(refused.stdout + refused.stderr).not.toMatch(/bob@example|mind\.reads|\.\.\/x/);
  });

  test('a denial is exit 3, and the same plan is refused without asking again', async () => {
    lock.put('denied', 'x');
    lock.human.decide = () => ({ kind: 'no', reason: 'no' });
    const plan = ['plan', '--key', 'denied', '--plugin', 'file.non-empty', '--run', '--json'];
    const first = await lock.cli(...plan);
    expect([first.exit, first.json.error.code]).toStrictEqual([3, 'E_DENIED']);
    lock.human.decide = () => ({ kind: 'yes' });
    const second = await lock.cli(...plan);
    expect([second.exit, second.json.error.code]).toStrictEqual([3, 'E_DENIED']);
    expect(questions()).toHaveLength(1);
  });

  test.each([
    ['plan --run', 'run'],
    ['run', 'plan --run'],
  ] as const)('what was denied through %s is denied through %s, without asking', async (denied, tried) => {
    const key = `denied-through-${denied.length}`;
    lock.put(key, 'x');
    const plan = ['plan', '--key', key, '--plugin', 'file.non-empty', '--json'];
    const ways = {
      'plan --run': () => lock.cli(...plan, '--run'),
      run: async () => lock.cli('run', (await lock.cli(...plan)).json.plan, '--json'),
    };
    lock.human.decide = () => ({ kind: 'no', reason: 'no' });
    expect((await ways[denied]()).json.error.code).toBe('E_DENIED');
    lock.human.decide = () => ({ kind: 'yes' });
    const again = await ways[tried]();
    expect([again.exit, again.json.error.code]).toStrictEqual([3, 'E_DENIED']);
    expect(questions()).toHaveLength(1);
  });

  test.each([
    ['E_UNKNOWN_HANDLE', ['answers', 'f_8Kq2xR']],
    ['E_UNKNOWN_HANDLE', ['release', 'f_8Kq2xRab']],
    ['E_UNKNOWN_HANDLE', ['plan', '--handle', 'f_8Kq2xR', '--plugin', 'file.non-empty']],
    ['E_UNKNOWN_PLAN', ['run', 'p_8Kq2xR']],
    ['E_BAD_REQUEST', ['answers', 'f_']],
    ['E_BAD_REQUEST', ['answers', 'f_8Kq-xR']],
    ['E_BAD_REQUEST', ['run', 'f_8Kq2xR']],
  ] as const)('%s: %j', async (code, argv) => {
    const { exit, json } = await lock.cli(...argv, '--json');
    expect([exit, json.error.code]).toStrictEqual([2, code]);
  });

  test('no console: exit 1; bad usage: exit 64', async () => {
    const env = { ...lock.env, LOCKKIT_DEMO_SOCKET_DIR: lock.folder };
    const none = await runCommand(['plugins', '--json'], lock.projectRoot, env);
    expect([none.exit, none.json.error.code]).toStrictEqual([1, 'E_NO_CONSOLE']);
    expect((await lock.cli('plan', '--frobnicate')).exit).toBe(64);
    expect((await lock.cli('plan', '--plugin', 'x', '--input', 'no-equals-sign')).exit).toBe(64);
  });

  test('plugins, sources and status tell no key, no path, no size', async () => {
    const plugins = await lock.cli('plugins', '--json');
    expect(plugins.json.plugins.find(({ name }: { name: string }) => name === 'text.contains')).toMatchObject(
      {
        question: 'Does the file contain ${needle}, byte for byte?',
        inputs: [{ name: 'needle', kind: 'text', max_bytes: 256 }],
        official: true,
        signed: false,
      },
    );
    const sources = await lock.cli('sources', '--json');
    expect(sources.json.sources).toMatchObject([{ profile: 'samples', source: 'local', prefix: '' }]);
    const status = await lock.cli('status', '--json');
    const told = plugins.stdout + sources.stdout + status.stdout;
    expect(told).not.toContain(lock.root);
    expect(told).not.toContain('abc123');
    for (const command of ['plugins', 'sources', 'status']) expect((await lock.cli(command)).exit).toBe(0);
  });

  test('a client that leaves withdraws the question', async () => {
    lock.put('left', 'x');
    let shown: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (shown = resolve));
    lock.human.decide = () => {
      shown();
      return new Promise<Answer>(() => undefined);
    };
    let kill: () => void = () => undefined;
    const running = runCommand(
      ['plan', '--key', 'left', '--plugin', 'file.non-empty', '--run'],
      lock.projectRoot,
      lock.env,
      (stop) => (kill = stop),
    );
    await asked;
    kill();
    await running;
    await expect.poll(() => audit()).toContain('"ticket.withdrawn"');
  });
});

describe('typed values', () => {
  test('the human types the value; agent, audit and state never see it, the detail stays on the console', async () => {
    lock.put('notes.txt', 'one\nalice@example.org\n');
    lock.human.decide = (screen): Answer =>
      screen.question?.kind === 'secret'
        ? { kind: 'secret', value: Buffer.from('alice@example.org') }
        : { kind: 'yes' };
    const { exit, stdout, json } = await lock.cli(
      ...[
        'plan',
        '--key',
        'notes.txt',
        '--plugin',
        'text.contains',
        '--input',
        'text.contains.needle=${email}',
      ],
      ...['--run', '--json'],
    );
    expect([exit, json.answers[0].result]).toStrictEqual([0, 1]);
    expect(stdout).not.toContain('lines');
    const shown = lock.human.screens
      .map((screen) => renderScreen(screen, { columns: 100, colour: false }))
      .join('\n');
    expect(shown).toContain('needle = ${email}');
    expect(shown).toContain('shown here only; the agent got 1');
    expect(shown).toContain('found on lines 2');
    expect(audit()).not.toContain('alice');
    expect(audit()).toContain('text.contains.needle=${email}');
    expect(audit()).not.toContain('found on lines');
  });
});

describe('the MCP server', () => {
  test('offers the seven tools and answers a plan', async () => {
    const client = await lock.openMcp();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toStrictEqual(
      ['answers', 'plan', 'plugins', 'release', 'run', 'sources', 'status'].map((name) => `lockfile_${name}`),
    );
    const answered = await client.callTool({
      name: 'lockfile_plan',
      arguments: { key: KEY, plugins: ['file.non-empty'], run: true },
    });
    expect(answered.structuredContent).toMatchObject({ answers: [{ plugin: 'file.non-empty', result: 1 }] });
    const refused = await client.callTool({
      name: 'lockfile_plan',
      arguments: {
        key: KEY,
        plugins: ['text.contains'],
        inputs: { 'text.contains.needle': 'literal' },
        run: true,
      },
    });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused)).toContain('E_LITERAL_INPUT');
    expect(JSON.stringify(refused)).not.toContain('literal"');
    await client.close();
  });
});

describe('the policy', () => {
  test('a plan of an older policy is stale; a tightened prefix holds at once, for handles too', async () => {
    lock.put('other/x', 'x');
    const planned = await lock.cli('plan', '--key', KEY, '--plugin', 'file.non-empty', '--json');
    const { handle } = (
      await lock.cli('plan', '--key', 'other/x', '--plugin', 'file.non-empty', '--run', '--json')
    ).json;
    const limits = '[profiles.samples.limits]\nanswer_quantum = "250ms"\n';
    writeConfig(lock, `prefix = "invoices/"\n${limits}`);
    const codes = [
      await lock.cli('run', planned.json.plan, '--json'),
      await lock.cli('plan', '--key', 'other/x', '--plugin', 'file.non-empty', '--json'),
      await lock.cli('plan', '--handle', handle, '--plugin', 'text.is-utf8', '--json'),
    ].map(({ json }) => json.error?.code);
    expect(codes).toStrictEqual(['E_STALE', 'E_KEY_OUTSIDE_PREFIX', 'E_KEY_OUTSIDE_PREFIX']);
  });
});

describe('the records', () => {
  test('hold the cause of every failure and the byte count of stderr, and verify', async () => {
    await lock.cli('plan', '--key', 'invoices/none', '--plugin', 'file.non-empty', '--run', '--json');
    const log = audit();
    expect(log).toContain('fetch_failed: missing');
    expect(log).toContain('"stderr_bytes":0');
    expect((await verifyAudit(lock.auditDir)).verdict).toBe('intact');
  });
});
