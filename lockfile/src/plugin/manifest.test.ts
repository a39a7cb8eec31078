import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_MANIFEST_BYTES, parseManifest } from './manifest.js';

const PAGE_EXAMPLE = `
name = "pdf.has-blank-page"
version = "1.0.0"
protocol = 1
question = "Does the PDF have at least one page that paints nothing visible?"
one  = "at least one page has no painting operator, or only full-page white fills"
zero = "every page paints something"
accepts = ["application/pdf"]
limits = { cpu_s = 20, memory = "512MiB", timeout_s = 30 }
`;

const PROTOCOL_2 = `
name = "pdf.contains"
version = "2.1.0"
protocol = 2
question = "Does the extracted text of the PDF contain \${needle}?"
one = "it does"
zero = "it does not"
inputs = [{ name = "needle", kind = "text", max_bytes = 256 }]
detail = true
`;

const parse = (text: string) => parseManifest(Buffer.from(text));
const codeOf = (text: string): string => {
  const parsed = parse(text);
  return parsed.ok ? 'ok' : parsed.code;
};

describe('parseManifest', () => {
  test('reads the example of the page', () => {
    expect(parse(PAGE_EXAMPLE)).toStrictEqual({
      ok: true,
      value: {
        name: 'pdf.has-blank-page',
        version: '1.0.0',
        protocol: 1,
        question: 'Does the PDF have at least one page that paints nothing visible?',
        one: 'at least one page has no painting operator, or only full-page white fills',
        zero: 'every page paints something',
        accepts: ['application/pdf'],
        limits: { cpuS: 20, memoryBytes: 512 * 1024 * 1024, timeoutMs: 30_000 },
        inputs: [],
        detail: false,
      },
    });
  });

  test('reads inputs and detail of protocol 2, with default limits', () => {
    expect(parse(PROTOCOL_2)).toMatchObject({
      ok: true,
      value: {
        inputs: [{ name: 'needle', kind: 'text', maxBytes: 256 }],
        detail: true,
        accepts: [],
        limits: { cpuS: 10, memoryBytes: 128 * 1024 * 1024, timeoutMs: 30_000 },
      },
    });
  });

  test.each([
    ['inputs', 'inputs = []'],
    ['inputs with a value', 'inputs = [{ name = "a", kind = "text", max_bytes = 1 }]'],
    ['detail', 'detail = true'],
    ['detail = false', 'detail = false'],
  ])('refuses %s on protocol 1', (_, line) => {
    expect(codeOf(`${PAGE_EXAMPLE}${line}\n`)).toBe('key_of_protocol_2');
  });

  test.each([
    ['at the top', `${PAGE_EXAMPLE}network = true\n`],
    ['at the top of protocol 2', `${PROTOCOL_2}parameter = "x"\n`],
    ['in limits', PAGE_EXAMPLE.replace('cpu_s = 20', 'cpu_s = 20, nproc = 1')],
    ['in an input', PROTOCOL_2.replace('kind = "text"', 'kind = "text", default = "x"')],
    ['named __proto__', `${PAGE_EXAMPLE}"__proto__" = 1\n`],
  ])('refuses an unknown key %s', (_, text) => {
    expect(codeOf(text)).toBe('unknown_key');
  });

  test.each([
    ['bad_name', 'name = "pdf.has-blank-page"', 'name = "../../etc"'],
    ['bad_name', 'name = "pdf.has-blank-page"', 'name = "Pdf.x"'],
    ['bad_name', 'name = "pdf.has-blank-page"', 'name = "a..b"'],
    ['bad_name', 'name = "pdf.has-blank-page"', 'name = "-a"'],
    ['bad_name', 'name = "pdf.has-blank-page"', `name = "${'a'.repeat(65)}"`],
    ['bad_name', 'name = "pdf.has-blank-page"', ''],
    ['bad_version', 'version = "1.0.0"', 'version = "1.0"'],
    ['bad_version', 'version = "1.0.0"', 'version = "01.0.0"'],
    ['bad_version', 'version = "1.0.0"', 'version = "1.0.0-rc1"'],
    ['bad_version', 'version = "1.0.0"', 'version = "1.0.0\\n"'],
    ['bad_protocol', 'protocol = 1', 'protocol = 3'],
    ['bad_protocol', 'protocol = 1', 'protocol = "1"'],
    ['bad_zero', 'zero = "every page paints something"', 'zero = ""'],
    ['bad_zero', 'zero = "every page paints something"', 'zero = "a\\nb"'],
    ['bad_zero', 'zero = "every page paints something"', 'zero = "a\\u202Eb"'],
    ['bad_one', 'one  = "at least', 'one  = " at least'],
    ['bad_accepts', '"application/pdf"', '"pdf"'],
    ['bad_accepts', '["application/pdf"]', '"application/pdf"'],
    ['bad_limits', 'cpu_s = 20', 'cpu_s = 0'],
    ['bad_limits', 'cpu_s = 20', 'cpu_s = 20.5'],
    ['bad_limits', 'cpu_s = 20', 'cpu_s = 241'],
    ['bad_limits', 'timeout_s = 30', 'timeout_s = inf'],
    ['bad_limits', '512MiB', '512MB'],
    ['bad_limits', '512MiB', '512'],
    ['bad_limits', '512MiB', '5GiB'],
    ['bad_limits', '512MiB', '0MiB'],
    ['bad_limits', '512MiB', '1KiB'],
    ['bad_limits', '"512MiB"', '1979-05-27'],
    ['not_toml', 'protocol = 1', 'protocol = '],
    ['not_toml', 'protocol = 1', 'protocol = 1\nprotocol = 1'],
  ])('refuses %s: %s → %s', (code, from, to) => {
    expect(PAGE_EXAMPLE).toContain(from);
    expect(codeOf(PAGE_EXAMPLE.replace(from, to))).toBe(code);
  });

  test.each([
    ['bad_inputs', 'kind = "text"', 'kind = "regex"'],
    ['bad_inputs', 'max_bytes = 256', 'max_bytes = 0'],
    ['bad_inputs', 'max_bytes = 256', 'max_bytes = 1025'],
    ['bad_inputs', 'name = "needle"', 'name = "Needle"'],
    ['bad_inputs', 'name = "needle"', `name = "${'n'.repeat(33)}"`],
    ['bad_detail', 'detail = true', 'detail = "yes"'],
    ['question_and_inputs_differ', 'name = "needle"', 'name = "other"'],
    ['question_and_inputs_differ', '${needle}', 'it'],
    ['question_and_inputs_differ', '${needle}', '${needle} and ${other}'],
    ['question_and_inputs_differ', '${needle}', '${needle} and ${'],
    ['question_and_inputs_differ', '${needle}', '${needle} and ${}'],
    ['question_and_inputs_differ', '${needle}', '${ needle }'],
    ['question_and_inputs_differ', 'one = "it does"', 'one = "it holds ${secret}"'],
  ])('refuses %s in protocol 2: %s → %s', (code, from, to) => {
    expect(PROTOCOL_2).toContain(from);
    expect(codeOf(PROTOCOL_2.replace(from, () => to))).toBe(code);
  });

  test('refuses a fifth input and two of the same name', () => {
    const inputs = (names: readonly string[]): string =>
      PROTOCOL_2.replace(
        /inputs = .*/,
        `inputs = [${names.map((name) => `{ name = "${name}", kind = "text", max_bytes = 1 }`).join(', ')}]`,
      ).replace('${needle}', () => names.map((name) => `\${${name}}`).join(' '));
    expect(codeOf(inputs(['a', 'b', 'c', 'd']))).toBe('ok');
    expect(codeOf(inputs(['a', 'b', 'c', 'd', 'e']))).toBe('bad_inputs');
    expect(codeOf(inputs(['a', 'a']))).toBe('bad_inputs');
  });

  test('refuses `${…}` in a question of protocol 1', () => {
    expect(codeOf(PAGE_EXAMPLE.replace('nothing visible', () => '${needle}'))).toBe(
      'question_and_inputs_differ',
    );
  });

  test('refuses bytes that are no UTF-8, and more than 16 KiB', () => {
    expect(parseManifest(Buffer.from([0x61, 0xff]))).toMatchObject({ code: 'not_text' });
    expect(codeOf(`${PAGE_EXAMPLE}#${'x'.repeat(MAX_MANIFEST_BYTES)}`)).toBe('not_text');
  });

  test('never throws, whatever the bytes', () => {
    const mutated = fc
      .tuple(fc.nat(PROTOCOL_2.length), fc.nat(40), fc.string({ maxLength: 20 }))
      .map(([at, cut, text]) => PROTOCOL_2.slice(0, at) + text + PROTOCOL_2.slice(at + cut));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          mutated.map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          expect(typeof parseManifest(bytes).ok).toBe('boolean');
        },
      ),
      { numRuns: 500 },
    );
  });
});
