// The shipped source of all packages, and what each file imports: for the two architecture tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

export interface Import {
  readonly specifier: string;
  readonly names: readonly string[];
  /** `import()`: loaded when it is asked for. */
  readonly dynamic: boolean;
}

/** Paths from the root; tests and their fixtures left out. */
export function listSources(): readonly string[] {
  const folders = [
    'lockkit',
    'lockssh',
    'lockfile',
    'conformance',
    'frontends/cli',
    'frontends/mcp',
    'frontends/tui',
  ];
  return folders
    .map((folder) => join(root, folder, 'src'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
        relative(root, join(folder, path)),
      ),
    )
    .filter((path) => path.endsWith('.ts'))
    .filter((path) => !path.endsWith('.test.ts') && !path.includes('/test/'))
    .sort();
}

export function readSource(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

const STATIC = /^(?:import|export)\s+(type\s)?(?:([^'";]*?)\sfrom\s)?'([^']+)';?/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)/g;

/** Imports of values; what is only a type leaves no trace in the program. */
export function importsOf(source: string): readonly Import[] {
  const found: Import[] = [];
  for (const [, isType, clause, specifier] of source.matchAll(STATIC)) {
    const names = namesIn(clause ?? '');
    const onlyTypes =
      isType !== undefined || (names.length > 0 && names.every((name) => name.startsWith('type ')));
    if (!onlyTypes)
      found.push({
        specifier: specifier as string,
        names: names.filter((name) => !name.startsWith('type ')),
        dynamic: false,
      });
  }
  for (const [, specifier] of source.matchAll(DYNAMIC))
    found.push({ specifier: specifier as string, names: [], dynamic: true });
  return found;
}

function namesIn(clause: string): readonly string[] {
  const braces = /\{([^}]*)\}/s.exec(clause)?.[1] ?? '';
  const outside = clause
    .replace(/\{[^}]*\}/s, '')
    .split(',')
    .map((name) => name.trim());
  const inside = braces.split(',').map((name) => name.trim().replace(/\s+as\s+\w+$/, ''));
  return [...outside, ...inside].filter((name) => name !== '');
}

const PACKAGES: Readonly<Record<string, string>> = {
  lockkit: 'lockkit',
  '@lockkit/cli': 'frontends/cli',
  '@lockkit/mcp': 'frontends/mcp',
  '@lockkit/tui': 'frontends/tui',
  '@lockkit/lockssh': 'lockssh',
  '@lockkit/lockfile': 'lockfile',
  '@lockkit/conformance': 'conformance',
};

/** A file of ours, or the name of a package or a built-in. */
export function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier).replace(/\.js$/, '.ts');
  const name = Object.keys(PACKAGES).find((one) => specifier === one || specifier.startsWith(`${one}/`));
  if (name === undefined) return specifier;
  const folder = PACKAGES[name] as string;
  const { exports } = JSON.parse(readSource(join(folder, 'package.json'))) as {
    readonly exports: Readonly<Record<string, { readonly source: string }>>;
  };
  const entry = exports[specifier === name ? '.' : `.${specifier.slice(name.length)}`];
  if (!entry) throw new Error(`${from}: ${specifier} is no entry of its package`);
  return join(folder, entry.source);
}
