// Capabilities by file (ARCHITECTURE.md, "Who may import whom", 4): capabilities.json names the only files that may
// hold each power. A file that gains or loses one is named there in the same commit, so that a review sees it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, listSources, readSource, root } from './source-files.js';

const MODULES: Readonly<Record<string, RegExp>> = {
  processes: /^node:child_process$/,
  network: /^node:(net|http|https|tls|dgram|dns)(\/promises)?$/,
  ssh: /^ssh2$/,
  patterns: /^re2$/,
  toml: /^smol-toml$/,
  window: /^blessed$/,
  mcp: /^@modelcontextprotocol\/sdk\//,
  native: /^node:module$/,
  threads: /^node:(worker_threads|vm|cluster|inspector)$/,
};

const WRITING =
  /^(appendFile|chmod|chown|copyFile|cp|createWriteStream|fchmod|fchown|ftruncate|lchown|link|mkdir|mkdtemp|rename|rm|rmdir|symlink|truncate|unlink|utimes|write|writeFile|writev)(Sync)?$/;

const allowed = JSON.parse(readFileSync(join(root, 'test/capabilities.json'), 'utf8')) as Readonly<
  Record<string, readonly string[]>
>;

function powersOf(path: string): readonly string[] {
  const source = readSource(path);
  const imports = importsOf(source);
  const modules = Object.entries(MODULES).filter(([, pattern]) =>
    imports.some(({ specifier }) => pattern.test(specifier)),
  );
  const fs = imports.filter(({ specifier }) => /^(node:)?fs(\/promises)?$/.test(specifier));
  // A handle that was opened for writing writes without naming a function of the module.
  const writes =
    fs.some(({ names }) => names.some((name) => WRITING.test(name))) ||
    (fs.length > 0 && /O_(WRONLY|RDWR|CREAT|APPEND)|open(Sync)?\([^)]*'(w|a|r\+|wx)/.test(source));
  return [...modules.map(([name]) => name), ...(writes ? ['writes'] : [])];
}

test.each([...Object.keys(MODULES), 'writes'])(
  'capabilities.json names exactly the files that hold: %s',
  (power) => {
    const holders = listSources().filter((path) => powersOf(path).includes(power));
    expect(holders).toEqual([...(allowed[power] ?? [])].sort());
  },
);

test('nothing imports a file system or a process by another name', () => {
  const bad = listSources().filter((path) =>
    importsOf(readSource(path)).some(({ specifier }) =>
      /^(fs|net|child_process|http|https|module)(\/|$)/.test(specifier),
    ),
  );
  expect(bad).toEqual([]);
});
