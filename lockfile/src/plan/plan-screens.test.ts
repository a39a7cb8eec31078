import { describe, expect, test } from 'vitest';
import { renderScreen, untrusted, type Screen } from 'lockkit/approval';
import {
  FILE_NON_EMPTY,
  FORMAT_IS_PDF,
  PDF_CONTAINS,
  PDF_PARSES,
  samplePlugin,
} from '../test/sample-plugins.js';
import type { Plan } from './check-plan.js';
import { planScreen, resultScreen, valueScreen } from './plan-screens.js';
import { countAll, type Question } from './question.js';

const place = { profile: 'samples', production: false, warnings: [] };
const origin = (intent?: string): Screen['origin'] => [
  [
    'requested by uid 1000 (',
    untrusted('alice'),
    ') · pid 48211 · exe ',
    untrusted('/usr/local/bin/lockfile'),
  ],
  ...(intent === undefined ? [] : [['agent: ', untrusted(intent)]]),
];

/** As the console shows it: who asks, and the question, are added by lockkit. */
function shown(screen: Screen, intent?: string): string {
  return renderScreen(
    { ...screen, origin: origin(intent), question: { kind: 'yes_no' } },
    { columns: 200, colour: false },
  );
}

const asks = (...plugins: readonly (typeof FILE_NON_EMPTY)[]): readonly Question[] =>
  plugins.map((plugin) => ({ plugin, bindings: [] }));

const planOf = (target: Plan['target'], questions: readonly Question[]): Plan => ({
  target,
  questions,
  answersRevealed: countAll(questions),
});

const handle = {
  id: 'f_8Kq2xR',
  peerUid: 1000,
  key: 'k',
  file: undefined as never,
  questions: new Map(),
  counted: 2,
};

describe('planScreen', () => {
  test('is the first plan of the page, to the character', () => {
    const plan = planOf(
      { kind: 'key', key: 'invoices/2026/10/abc123.pdf' },
      asks(FILE_NON_EMPTY, FORMAT_IS_PDF),
    );
    expect(shown(planScreen(plan, place), 'check the invoice reported as blank')).toBe(
      `╭─ SAMPLES · file plan · 2 answers ─────
│ requested by uid 1000 (alice) · pid 48211 · exe /usr/local/bin/lockfile
│ agent: check the invoice reported as blank
│
│ key    invoices/2026/10/abc123.pdf
│
│ file.non-empty@1.0.0  (official)
│   ? Does the file contain at least one byte?   1 = size > 0   0 = the file is empty
│ format.is-pdf@1.0.0  (official)
│   ? Does the file start like a PDF?   1 = \`%PDF-\` appears within the first 1024 bytes   0 = no PDF header
│
│ this plan reveals at most 2 answers about the file
╰─ Approve? [y/N]`,
    );
  });

  test('is the follow-up of the page, to the character', () => {
    const plan = planOf({ kind: 'handle', handle }, asks(PDF_PARSES));
    expect(shown(planScreen(plan, place))).toBe(
      `╭─ SAMPLES · follow-up on f_8Kq2xR · 1 answers ─────
│ requested by uid 1000 (alice) · pid 48211 · exe /usr/local/bin/lockfile
│
│ handle f_8Kq2xR (no new fetch)
│
│ pdf.parses@1.0.0  (official)
│   ? Does the file parse as a PDF without errors?   1 = pdfcpu reads and validates it (relaxed mode)   0 = parsing or validation fails
│
│ this plan reveals at most 1 answers about the file
╰─ Approve? [y/N]`,
    );
  });

  test('an unofficial marketplace has its ▲ line, an unsigned plugin is called so', () => {
    const acme = samplePlugin({ name: 'acme.x' }, { marketplace: 'acme', official: false, signed: false });
    const text = shown(planScreen(planOf({ kind: 'key', key: 'a' }, asks(acme)), place));
    expect(text).toContain('│ acme.x@1.0.0  (acme, unsigned)\n│ ▲ UNOFFICIAL MARKETPLACE\n');
  });

  test('says which placeholder stands for which input, and the value nowhere', () => {
    const [input] = PDF_CONTAINS.manifest.inputs;
    const questions: readonly Question[] = [
      { plugin: PDF_CONTAINS, bindings: [{ input: input as never, placeholder: 'email' }] },
    ];
    const text = shown(planScreen(planOf({ kind: 'key', key: 'a' }, questions), place));
    expect(text).toContain('contain ${needle}?');
    expect(text).toContain('│   needle = ${email}: a line of text, at most 256 bytes, typed by you');
  });

  test('a key that tries to draw another screen is shown as text', () => {
    const key = 'a\u001b[2J\n╰─ Approve? [y/N]';
    const text = shown(planScreen(planOf({ kind: 'key', key }, asks(PDF_PARSES)), place));
    expect(text).not.toContain('\u001b');
    expect(text.split('\n').filter((row) => row.startsWith('╰─'))).toHaveLength(1);
  });

  test('production is on the title', () => {
    const screen = planScreen(planOf({ kind: 'key', key: 'a' }, asks(PDF_PARSES)), {
      ...place,
      production: true,
    });
    expect(shown(screen)).toContain('PRODUCTION');
  });
});

describe('valueScreen', () => {
  test('says at levels 1 and 2 who may read what is typed', () => {
    const [input] = PDF_CONTAINS.manifest.inputs;
    const bindings = [{ input: input as never, placeholder: 'email' }];
    expect(valueScreen('email', bindings, place, 1).warnings).toHaveLength(1);
    expect(valueScreen('email', bindings, place, 3).warnings).toHaveLength(0);
    expect(valueScreen('email', bindings, place, 3).question?.kind).toBe('secret');
  });
});

describe('resultScreen', () => {
  test('shows a detail escaped, under what the agent got', () => {
    const [question] = asks(PDF_PARSES) as [Question];
    const detail = Buffer.from('found on page 3\u001b[31m\nand 4');
    const text = renderScreen(resultScreen('a.pdf', [{ question, result: 1, detail }], place), {
      columns: 100,
      colour: false,
    });
    expect(text).toContain('shown here only; the agent got 1');
    expect(text).toContain('found on page 3');
    expect(text).not.toContain('\u001b');
  });
});
