import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UserMistake } from 'lockkit/contract';
import type { UsableKernel } from 'lockkit/sandbox';
import { builtPlugins, scratchDir, usableKernel } from '../test/built-plugins.js';
import { testPlugin } from './test-plugin.js';

const pluginsDir = fileURLToPath(new URL('../../plugins', import.meta.url));
const sdkDir = fileURLToPath(new URL('../../sdk', import.meta.url));
const built = builtPlugins();
let kernel: UsableKernel;
let dir: string;
let remove: () => void;

beforeAll(() => {
  kernel = usableKernel();
  ({ dir, remove } = scratchDir());
});
afterAll(() => remove());

/** What a fixture's name says it must be answered. */
const expected = (name: string): 1 | 0 | null =>
  name.startsWith('one-') ? 1 : name.startsWith('zero-') ? 0 : null;

describe('the official plugins', () => {
  test('are all built here', () => {
    const sources = readdirSync(pluginsDir).filter((name) =>
      existsSync(join(pluginsDir, name, 'plugin.toml')),
    );
    const isPdf = (name: string): boolean => name.startsWith('pdf.');
    const possible = existsSync('/usr/include/qpdf/QPDF.hh')
      ? sources
      : sources.filter((name) => !isPdf(name));
    expect(built.map(({ name }) => name)).toStrictEqual(possible.toSorted());
  });

  test.each(built)('$name answers its fixtures, both answers among them', async ({ name, dir: target }) => {
    const fixtures = join(pluginsDir, name, 'fixtures');
    const names = readdirSync(fixtures).filter((file) => file !== 'inputs.json');
    const inputsFile = join(fixtures, 'inputs.json');
    const inputs = existsSync(inputsFile) ? readFileSync(inputsFile, 'utf8') : undefined;
    const results = await testPlugin(
      { target, inputs, files: names.map((file) => join(fixtures, file)) },
      kernel,
    );
    expect(Object.fromEntries(results.map(({ answer }, at) => [names[at], answer]))).toStrictEqual(
      Object.fromEntries(names.map((file) => [file, expected(file)])),
    );
    for (const answer of ['one-', 'zero-']) expect(names.some((file) => file.startsWith(answer))).toBe(true);
  });
});

describe.skipIf(!existsSync('/usr/include/qpdf/QPDF.hh'))('a cut PDF', () => {
  test.each(['linearized', 'object-streams', 'linearized-object-streams'])(
    'never parses, and never has its end (%s)',
    async (sample) => {
      const whole = readFileSync(join(pluginsDir, 'samples', `${sample}.pdf`));
      // The last byte is a newline: without it the file is still whole.
      const cuts = Array.from({ length: 24 }, (_, at) => Math.floor((at * (whole.length - 2)) / 23));
      const files = [...cuts, whole.length].map((length) => {
        const path = join(dir, `${sample}-${length}`);
        writeFileSync(path, whole.subarray(0, length));
        return path;
      });
      const ask = async (name: string): Promise<readonly (1 | 0 | null)[]> => {
        const target = built.find((plugin) => plugin.name === name)?.dir ?? '';
        return (await testPlugin({ target, inputs: undefined, files }, kernel)).map(({ answer }) => answer);
      };
      expect(await ask('pdf.parses')).toStrictEqual([...cuts.map(() => 0), 1]);
      const truncated = await ask('pdf.is-truncated');
      expect(truncated.slice(0, -1)).not.toContain(0);
      expect(truncated.at(-1)).toBe(0);
    },
  );
});

describe('testPlugin', () => {
  const misbehave = (): string => {
    const target = join(dir, 'misbehave');
    if (existsSync(target)) return target;
    mkdirSync(target);
    const source = fileURLToPath(new URL('../test/misbehave.c', import.meta.url));
    execFileSync('gcc', ['-O1', '-static', '-o', join(target, 'plugin'), source]);
    writeFileSync(
      join(target, 'plugin.toml'),
      'name = "test.it"\nversion = "1.0.0"\nprotocol = 2\nquestion = "Is it ${needle}?"\none = "y"\nzero = "n"\ndetail = true\n' +
        'inputs = [{ name = "needle", kind = "text", max_bytes = 8 }]\nlimits = { cpu_s = 1, memory = "16MiB", timeout_s = 1 }\n',
    );
    return target;
  };
  const order = (text: string): string => {
    const path = join(dir, text);
    writeFileSync(path, text);
    return path;
  };
  const inputs = '{"needle":"a\\"b"}';

  test('prints the cause and the detail for the author', async () => {
    const results = await testPlugin(
      { target: misbehave(), inputs, files: ['exit1', 'hang', 'inputs'].map(order) },
      kernel,
    );
    expect(results.map(({ answer }) => answer)).toStrictEqual([null, null, 1]);
    expect(results[0]?.cause).toContain('status 1');
    expect(results[1]?.cause).toContain('1000 ms');
    expect(results[2]?.detail).toBe('{"needle":"a\\"b"}');
    expect(results.every(({ cpu_ms: cpu, wall_ms: wall }) => cpu >= 0 && wall >= 0)).toBe(true);
  });

  test('takes the program itself, its manifest beside it', async () => {
    const target = join(misbehave(), 'plugin');
    const [result] = await testPlugin({ target, inputs, files: [order('one')] }, kernel);
    expect(result?.answer).toBe(1);
  });

  test.each([
    ['no inputs', undefined],
    ['inputs that are no JSON', '{'],
    ['a list', '[]'],
    ['an input too many', '{"needle":"a","other":"b"}'],
    ['another input', '{"other":"b"}'],
    ['an input that is no text', '{"needle":1}'],
    ['an input that is too long', '{"needle":"123456789"}'],
  ])('refuses %s', async (_, text) => {
    await expect(
      testPlugin({ target: misbehave(), inputs: text, files: [order('one')] }, kernel),
    ).rejects.toThrow(UserMistake);
  });

  test.each([
    ['a missing plugin', { target: '/nonexistent' }],
    ['a folder without a manifest', { target: '/tmp' }],
    ['a dynamic program', { target: '/bin/true' }],
  ])('refuses %s', async (_, { target }) => {
    await expect(testPlugin({ target, inputs: undefined, files: [order('one')] }, kernel)).rejects.toThrow(
      UserMistake,
    );
  });

  test('refuses a fixture that is missing or no file', async () => {
    for (const file of ['/nonexistent', '/tmp', '/dev/zero'])
      await expect(testPlugin({ target: misbehave(), inputs, files: [file] }, kernel)).rejects.toThrow(
        UserMistake,
      );
  });
});

describe.skipIf(spawnSync('rustc', ['--version']).status !== 0)('lock_plugin.rs', () => {
  test('reads the file and the values, tells a detail, answers; a panic is no answer', async () => {
    const target = join(dir, 'rust');
    mkdirSync(target);
    writeFileSync(
      join(target, 'main.rs'),
      `#[path = ${JSON.stringify(join(sdkDir, 'lock_plugin.rs'))}] mod lock_plugin;
use std::io::Read;
fn main() {
    let mut text = String::new();
    if lock_plugin::file().read_to_string(&mut text).is_err() { lock_plugin::fail() }
    let needle = lock_plugin::inputs().remove("needle").unwrap();
    lock_plugin::detail(&format!("{} bytes, needle {}", text.len(), needle));
    if text == "panic" { panic!("on purpose") }
    lock_plugin::answer(text.contains(&needle))
}
`,
    );
    execFileSync(
      'rustc',
      [
        '-O',
        '-C',
        'target-feature=+crt-static',
        '-C',
        'strip=symbols',
        '-o',
        join(target, 'plugin'),
        join(target, 'main.rs'),
      ],
      { stdio: 'pipe' },
    );
    writeFileSync(
      join(target, 'plugin.toml'),
      readFileSync(join(pluginsDir, 'text.contains', 'plugin.toml'), 'utf8').replace('16MiB', '64MiB'),
    );
    const files = ['a "quoted\\" text', 'nothing', 'panic'].map((text, at) => {
      const path = join(target, `file${at}`);
      writeFileSync(path, text);
      return path;
    });
    const results = await testPlugin({ target, inputs: '{"needle":"\\"quoted\\\\\\""}', files }, kernel);
    expect(results.map(({ answer }) => answer)).toStrictEqual([1, 0, null]);
    expect(results[0]?.detail).toBe('16 bytes, needle "quoted\\"');
  });
});
