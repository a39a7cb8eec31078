// Which powers a source file holds: modules that reach out of the process, and writing to the file system.
import { importsOf, readSource } from './source-files.js';

export const MODULES: Readonly<Record<string, RegExp>> = {
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

/** The powers a source file holds, by name. */
export function powersOf(path: string): readonly string[] {
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
