import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expandInput } from '../generators.js';
import type { JsonObject } from '../kind.js';
import { kinds } from './a5-approval-screen.js';
import { isApproved } from './a5-questions.js';

interface Case {
  readonly id: string;
  readonly input: JsonObject;
  readonly expected: JsonObject;
  readonly why: string;
}

const cases = readFileSync(new URL('../../cases/a5-approval-screen.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('A5: the approval screen', () => {
  for (const { id, input, expected, why } of cases) {
    const kind = kinds[String(input['kind'])];
    if (kind === undefined) continue;
    it(`${id}: ${why}`, async () => {
      const expanded = expandInput(input);
      expect(kind.judge(expanded, expected, await kind.run(expanded))).toBeNull();
    });
  }

  it('every field shows every control and invisible code point as a visible sign', async () => {
    const fields = ['intent', 'argv', 'host', 'results_clear'];
    const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}]|(?! )\p{Zs}/u;
    const codePoints = Array.from({ length: 0x30000 }, (_, n) => n).filter((n) => n !== 0x0a);
    const hidden = codePoints
      .map((n) => String.fromCodePoint(n))
      .filter((character) => unseen.test(character));
    for (const [index, character] of hidden.filter((_c, n) => n % 7 === 0 || n < 300).entries()) {
      const input = { field: fields[index % fields.length] ?? '', value: `a${character}b` };
      const got = await kinds['render']?.run(input);
      expect(
        kinds['render']?.judge(input, { raw_emitted: false, visible_escape: true }, got ?? null),
      ).toBeNull();
    }
  });

  it('A5-072: keys typed before the prompt was drawn are no answer', async () => {
    for (const beforePrompt of ['y\n', 'y', 'y\ny\n', '\ny\n'])
      expect(await isApproved({ beforePrompt })).toBe(false);
    expect(await isApproved({ beforePrompt: 'y\n', afterPrompt: 'y\n' })).toBe(true);
  });
});

describe('the judges', () => {
  const frame = (row: string): string => `╭─ t ─────\n│ ${row}\n╰─ Approve? [y/N]`;
  const judge = (value: string, expected: JsonObject, text: string): string | null | undefined =>
    kinds['render']?.judge({ field: 'intent', value }, expected, { text, columns: 80 });

  it('fail a raw control, a missing sign, a row outside of the frame, and a demand they do not know', () => {
    const hidden = { raw_emitted: false, visible_escape: true };
    expect(judge('a\u001b[2J', hidden, frame('agent: a\u001b[2J'))).not.toBeNull();
    expect(judge('a\u001b[2J', hidden, frame('agent: a'))).not.toBeNull();
    expect(judge('a\nb', hidden, `${frame('agent: a⏎b')}\nb`)).not.toBeNull();
    expect(judge('│ key', hidden, frame('│ key'))).not.toBeNull();
    expect(judge('a', { glows: true }, frame('a'))).not.toBeNull();
    expect(judge('ls   ; rm', { tail_visible_or_marked: true }, frame('ls'))).not.toBeNull();
  });

  it('fail an argv that could be another', () => {
    const argv = (list: string[], expected: JsonObject, text: string): string | null | undefined =>
      kinds['render_argv']?.judge({ argv: list }, expected, { text, screen: frame(text), columns: 80 });
    expect(argv(['echo', ''], { empty_argument_visible: true }, 'echo ')).not.toBeNull();
    expect(argv(['echo', 'a', 'b'], { distinguishable_from: ['echo', 'a, b'] }, 'echo, a, b')).not.toBeNull();
    expect(argv(['echo', 'it\'s "x"'], { unambiguous: true }, "echo 'it's \"x\"'")).not.toBeNull();
    expect(argv(['x', '字'.repeat(60)], { wraps_within_frame: true }, `x ${'字'.repeat(60)}`)).not.toBeNull();
  });
});
