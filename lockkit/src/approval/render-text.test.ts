import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layOutScreen, renderLine, renderScreen } from './render-text.js';
import { parseScreen, type Screen } from './screen.js';
import { argvText, maskedText, untrusted } from './untrusted.js';

const WIDE = { columns: 200, colour: false };

const origin = [
  'requested by uid 1000 (',
  untrusted('alice'),
  ') · pid 48211 · exe ',
  untrusted('/usr/local/bin/lockfile'),
];

const FIRST_PLAN: Screen = {
  title: ['SAMPLES', ' · file plan · 2 answers'],
  origin: [origin, ['agent: ', untrusted('check the invoice reported as blank')]],
  sections: [
    { kind: 'facts', facts: [{ label: 'key', value: [untrusted('invoices/2026/10/abc123.pdf')] }] },
    {
      kind: 'lines',
      lines: [
        ['file.non-empty@1.0.0', '  (official)'],
        ['  ? Does the file contain at least one byte?   1 = size > 0   0 = the file is empty'],
        ['format.is-pdf@1.0.0', '  (official)'],
        [
          '  ? Does the file start like a PDF?   1 = `%PDF-` appears within the first 1024 bytes   0 = no PDF header',
        ],
      ],
    },
    { kind: 'lines', lines: [['this plan reveals at most 2 answers about the file']] },
  ],
  warnings: [],
  question: { kind: 'yes_no' },
};

const FOLLOW_UP: Screen = {
  title: ['SAMPLES', ' · follow-up on ', 'f_8Kq2xR', ' · 1 answers'],
  origin: [origin],
  sections: [
    { kind: 'facts', facts: [{ label: 'handle', value: ['f_8Kq2xR', ' (no new fetch)'] }] },
    {
      kind: 'lines',
      lines: [
        ['pdf.parses@1.0.0', '  (official)'],
        [
          '  ? Does the file parse as a PDF without errors?   1 = pdfcpu reads and validates it (relaxed mode)   0 = parsing or validation fails',
        ],
      ],
    },
    { kind: 'lines', lines: [['this plan reveals at most 1 answers about the file']] },
  ],
  warnings: [],
  question: { kind: 'yes_no' },
};

const FIRST_PLAN_TEXT = `╭─ SAMPLES · file plan · 2 answers ─────
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
╰─ Approve? [y/N]`;

const FOLLOW_UP_TEXT = `╭─ SAMPLES · follow-up on f_8Kq2xR · 1 answers ─────
│ requested by uid 1000 (alice) · pid 48211 · exe /usr/local/bin/lockfile
│
│ handle f_8Kq2xR (no new fetch)
│
│ pdf.parses@1.0.0  (official)
│   ? Does the file parse as a PDF without errors?   1 = pdfcpu reads and validates it (relaxed mode)   0 = parsing or validation fails
│
│ this plan reveals at most 1 answers about the file
╰─ Approve? [y/N]`;

function screenWith(text: string): Screen {
  return {
    title: ['web · run · ', untrusted(text)],
    demo: true,
    origin: [['agent: ', untrusted(text)]],
    sections: [
      { kind: 'facts', facts: [{ label: 'argv', value: [argvText(['ls', text])] }] },
      { kind: 'lines', lines: [{ kind: 'danger', line: [untrusted(text)] }] },
      { kind: 'text', text: untrusted(text) },
    ],
    warnings: [[maskedText(text)]],
    question: { kind: 'typed', prompt: ['Type the profile name ', untrusted(text), ': '], expected: 'web' },
  };
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      { maxLength: 200 },
    )
    .map((units) => units.join('')),
  fc
    .array(
      fc.constantFrom(
        '│',
        '╰',
        '▲',
        '\n',
        '\r',
        '\u001b[2K',
        '\u202e',
        '字',
        'e\u0301',
        ' ',
        '⟦',
        '\\',
        '😀',
      ),
      { maxLength: 200 },
    )
    .map((parts) => parts.join('')),
);

describe('renderScreen', () => {
  test('draws the first plan of the page to the character', () => {
    expect(renderScreen(FIRST_PLAN, WIDE)).toBe(FIRST_PLAN_TEXT);
  });

  test('draws the follow-up of the page to the character', () => {
    expect(renderScreen(FOLLOW_UP, WIDE)).toBe(FOLLOW_UP_TEXT);
  });

  test('is the same after the screen went through JSON', () => {
    const parsed = parseScreen(JSON.parse(JSON.stringify(FIRST_PLAN)));
    expect(parsed.ok && renderScreen(parsed.value, WIDE)).toBe(FIRST_PLAN_TEXT);
  });

  test('puts the demo line and warnings as ▲ lines, red only where there is colour', () => {
    const screen: Screen = { ...FIRST_PLAN, demo: true, warnings: [['UNOFFICIAL MARKETPLACE']] };
    const plain = renderScreen(screen, WIDE).split('\n');
    expect(plain[1]).toMatch(/^│ ▲ DEMO /);
    expect(plain.at(-2)).toBe('│ ▲ UNOFFICIAL MARKETPLACE');
    expect(renderScreen(screen, WIDE)).not.toContain('\u001b');
    expect(renderScreen(screen, { ...WIDE, colour: true })).toContain(
      '\u001b[31m▲ UNOFFICIAL MARKETPLACE\u001b[0m',
    );
  });

  test('always frames every row, whatever the text holds', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 120 }), (text, columns) => {
        const rows = renderScreen(screenWith(text), { columns, colour: false }).split('\n');
        expect(rows.every((row) => /^(?:╭─ |│ |│$|╰─ | {2}↳ )/.test(row))).toBe(true);
        expect(rows.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
      { numRuns: 300 },
    );
  });

  test('never lets a text draw a frame, a warning or a prompt of its own', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const body = renderScreen(screenWith(text), WIDE)
          .split('\n')
          .map((row) => row.replace(/^(?:╭─|│ ┊ ↳|│ ↳|│ ┊|│|╰─| {2}↳)/, ''));
        expect(body.filter((row) => /[│╭╰┊↳]/.test(row))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('never makes a row wider than the terminal', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 24, max: 100 }), (text, columns) => {
        for (const row of renderScreen(screenWith(text), { columns, colour: false }).split('\n')) {
          expect(narrowestWidth(row)).toBeLessThanOrEqual(columns);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Columns counted without our table: marks none, wide East Asian two. */
function narrowestWidth(row: string): number {
  const base = row.replace(/\p{M}/gu, '');
  return [...base].length + [...base].filter((c) => /[\p{Script=Han}\p{Emoji_Presentation}]/u.test(c)).length;
}

describe('layOutScreen', () => {
  test('counts what it hides, so that such a screen cannot be approved', () => {
    const screen: Screen = { ...FIRST_PLAN, origin: [[untrusted('x'.repeat(9000))]] };
    const layout = layOutScreen(screen, WIDE);
    expect(layout.hidden).toBe(9000 - 8192);
    expect(layout.rows.join('')).toContain('808 more characters not shown');
    expect(layOutScreen(FIRST_PLAN, WIDE).hidden).toBe(0);
  });

  test('cuts a text block by code points of the whole block', () => {
    const block: Screen = {
      ...FIRST_PLAN,
      sections: [{ kind: 'text', text: untrusted('😀\n'.repeat(40_000)) }],
    };
    expect(layOutScreen(block, WIDE).hidden).toBe(80_000 - 65_536);
  });
});

describe('renderLine', () => {
  test('opens text from outside as visible text', () => {
    expect(renderLine(['server said: ', untrusted('a\u001b[2Jb')])).toBe('server said: a\\x1b[2Jb');
  });
});

describe('parseScreen', () => {
  test('refuses unknown keys at every depth', () => {
    const bad = [
      { ...FIRST_PLAN, html: '<b>' },
      { ...FIRST_PLAN, question: { kind: 'yes_no', default: 'y' } },
      { ...FIRST_PLAN, sections: [{ kind: 'text', text: { kind: 'untrusted', text: 'x', raw: true } }] },
      { ...FIRST_PLAN, title: [{ kind: 'trusted', text: 'x' }] },
      { ...FIRST_PLAN, question: { kind: 'typed', prompt: ['?'], expected: '' } },
      null,
    ];
    for (const value of bad) expect(parseScreen(value)).toEqual({ ok: false, code: 'E_BAD_SCREEN' });
  });
});
