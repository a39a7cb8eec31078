// `lockssh mask` as people run it: every form of its output, every detector, and input of any length in bounded memory.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { ALL_DETECTORS } from 'lockkit/detectors';
import { runCommand } from './test-console.js';

const command = resolve(dirname(fileURLToPath(import.meta.url)), '../../bin/lockssh.cjs');
const folder = mkdtempSync(join(tmpdir(), 'lockssh-mask-'));
const peakScript = join(folder, 'peak.cjs');
writeFileSync(
  peakScript,
  "process.on('exit', () => require('node:fs').writeSync(3, String(process.resourceUsage().maxRSS)));\n",
);
afterAll(() => rmSync(folder, { recursive: true }));

const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
const mask = (input: string, ...flags: readonly string[]) =>
  runCommand(['mask', ...flags], folder, env, input);

/** One value of each detector that is off by default. */
const OPTIONAL_TEXT =
  'ether 00:1a:2b:3c:4d:5e\nSSN: 460-89-9847\nNISS 85.07.30-033.28\nNIR 2 55 08 14 168 025 38\nBSN: 111222333\nVAT BE0428759497\n';
const TEXT = 'from anna.berg@example.org\r\nnothing here\n  password=hunter2-mask "quoted" \\ 𝒳\n';

describe('mask', () => {
  test('prints the text masked, and as JSON the same text with the counts', async () => {
    const plain = await mask(TEXT);
    expect(plain.stdout).toMatch(
      /^from ⟦email:[0-9A-Z]{12}⟧\r\nnothing here\n {2}password=⟦secret⟧ "quoted" \\ 𝒳\n$/u,
    );
    const { json, exit } = await mask(TEXT, '--json');
    expect(exit).toBe(0);
    expect(json.masked).toEqual({ email: 1, secret: 1 });
    expect(json.text.replace(/⟦email:\w+⟧/u, '')).toBe(plain.stdout.replace(/⟦email:\w+⟧/u, ''));
  });

  test('--explain gives places and reasons, never the text; --json the same as data; --stats goes beside both', async () => {
    const { stdout, stderr } = await mask(TEXT, '--explain', '--stats');
    expect(stdout.split('\n').map((line) => line.replace(/: [^:]*$/u, ''))).toEqual([
      'line 1, column 6: email, 21 bytes',
      'line 3, column 12: secret, 12 bytes',
      '',
    ]);
    expect(stderr).toContain(`${Buffer.byteLength(TEXT)} bytes`);
    expect(stderr).toContain('email 1, secret 1');
    expect((await mask(TEXT, '--explain', '--json')).json).toEqual({
      explanations: [
        { line: 1, column: 6, lengthBytes: 21, kind: 'email', why: expect.any(String) },
        { line: 3, column: 12, lengthBytes: 12, kind: 'secret', why: expect.any(String) },
      ],
    });
    expect((await mask('', '--explain', '--json')).json).toEqual({ explanations: [] });
    expect((await mask('', '--json')).json).toEqual({ text: '', masked: {} });
  });

  test('--detectors turns the optional ones on, and refuses others without a word of them', async () => {
    const { json } = await mask(OPTIONAL_TEXT, '--detectors', ALL_DETECTORS.join(', '), '--json');
    expect(json.masked).toEqual({ mac: 1, us_ssn: 1, be_niss: 1, fr_nir: 1, nl_bsn: 1, eu_vat: 1 });
    const one = await mask(OPTIONAL_TEXT, '--detectors', 'mac');
    expect(one.stdout.replace(/⟦mac:\w+⟧/u, '00:1a:2b:3c:4d:5e')).toBe(OPTIONAL_TEXT);
    expect((await mask(OPTIONAL_TEXT)).stdout).toContain('00:1a:2b:3c:4d:5e');
    const wrong = await mask(TEXT, '--detectors', 'email,findme', '--json');
    expect(wrong).toMatchObject({ exit: 3, json: { error: { code: 'E_USAGE' } } });
    expect(wrong.stdout).not.toContain('findme');
  });
});

const LINE =
  'Nov 30 12:00:00 web1 app[123]: login of anna.berg@example.org from 203.0.113.7 took 31 ms, fine\n';
const BLOCK = LINE.repeat(10_000);
const BLOCKS = 84;

interface LongRun {
  readonly exit: number | null;
  readonly peakKb: number;
  readonly bytes: number;
  readonly head: string;
  readonly tail: string;
}

/** 80 MB through the command; of its output only the ends are kept. */
async function maskLong(...flags: readonly string[]): Promise<LongRun> {
  const child = spawn(process.execPath, ['--require', peakScript, command, 'mask', ...flags], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  const [, stdout, , peak] = child.stdio as unknown as readonly Readable[];
  const stdin = child.stdin as Writable;
  const exit = new Promise<number | null>((done) => child.once('close', done));
  let [bytes, head, tail, peakKb] = [0, '', '', ''];
  peak?.on('data', (chunk: Buffer) => (peakKb += chunk.toString()));
  stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (head.length < 200) head += chunk.toString('latin1', 0, 200);
    tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 200))).slice(-200);
  });
  await pipeline(Readable.from(Array.from({ length: BLOCKS }, () => BLOCK)), stdin);
  return { exit: await exit, peakKb: Number(peakKb), bytes, head, tail };
}

describe('mask: input of any length', () => {
  test.each([
    [
      ['--explain', '--json'],
      /^\{"explanations":\[\{"line":1,/,
      /"line":840000,"column":\d+,[^{}]*\}\]\}\n$/,
    ],
    [['--json'], /^\{"text":"Nov/, /fine\\n","masked":\{"email":840000,"ip":840000\}\}\n$/],
  ] as const)('%j: memory holds a window of 80 MB, not all', async (flags, head, tail) => {
    const run = await maskLong(...flags);
    expect(run.exit).toBe(0);
    expect(run.head).toMatch(head);
    expect(run.tail).toMatch(tail);
    expect(run.bytes).toBeGreaterThan(BLOCK.length * BLOCKS * 0.9);
    expect(run.peakKb).toBeGreaterThan(0);
    expect(run.peakKb).toBeLessThan(300 * 1024);
  });
});
