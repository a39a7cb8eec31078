import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DETECTORS } from './detector.js';
import { openMasker } from './masker.js';

const page = readFileSync(new URL('../../../docs/masking.md', import.meta.url), 'utf8');
const limits = page.slice(page.indexOf('## What masking cannot do'), page.indexOf('## Measures'));
const masker = openMasker({
  detectors: DEFAULT_DETECTORS,
  key: Buffer.alloc(32),
  maskRules: [],
  agentRules: [],
  allow: [],
});

const SECRET = 'password=hunter2hunter2';
const shift = (text: string): string =>
  text.replace(/[a-z]/g, (char) => String.fromCharCode(((char.charCodeAt(0) - 96) % 26) + 97));

/** What the program makes of the secret, and the command as the page names it. */
const LIMITS: readonly (readonly [string, string, string])[] = [
  ['A3-207', 'rev FILE', [...SECRET].reverse().join('')],
  ['A3-208', 'cut -c1-10 FILE', SECRET.slice(10)],
  ['A3-209', 'fold -w1 FILE', [...SECRET].join('\n')],
  [
    'A3-210',
    'xxd FILE',
    `00000000: ${Buffer.from(SECRET)
      .toString('hex')
      .replace(/(.{4})/g, '$1 ')}`,
  ],
  ['A3-211', 'tr a-z b-za', shift(SECRET)],
];

describe('documented limits', () => {
  it.each(LIMITS)('%s: %s is not maskable, and the page says so', (_id, command, output) => {
    expect(limits).toContain(`\`${command}\``);
    expect(masker.mask(Buffer.from(output)).text).toBe(output);
  });
});
