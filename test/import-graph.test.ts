// The import graph is the trust boundary (ARCHITECTURE.md, "Who may import whom"): what the agent's side loads
// never reaches the console, a connection, a credential or the sandbox.
import { describe, expect, test } from 'vitest';
import { importsOf, listSources, readSource, resolveImport } from './source-files.js';

const sources = listSources();
const edges = new Map(
  sources.map((path) => [
    path,
    importsOf(readSource(path)).map(({ specifier, dynamic }) => ({
      to: resolveImport(path, specifier),
      dynamic,
    })),
  ]),
);

/** Everything that is loaded with `entry`, and the way there. */
function reach(
  entry: string,
  follow: (from: string, dynamic: boolean) => boolean,
): ReadonlyMap<string, string> {
  const cameFrom = new Map<string, string>([[entry, '']]);
  const queue = [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop())
    for (const { to, dynamic } of edges.get(path) ?? [])
      if (!cameFrom.has(to) && follow(path, dynamic)) {
        cameFrom.set(to, path);
        queue.push(to);
      }
  return cameFrom;
}

function wayTo(target: string, cameFrom: ReadonlyMap<string, string>): string {
  const way = [target];
  for (let at = cameFrom.get(target); at; at = cameFrom.get(at)) way.unshift(at);
  return way.join(' → ');
}

/** Where a product's command turns to its other half: bodies that are loaded when their command is asked for. */
const isLater = (from: string, dynamic: boolean): boolean =>
  dynamic && /^lock(ssh|file)\/src\/commands\.ts$/.test(from);

const AGENT_ENTRIES = [
  'lockkit/src/agent.ts',
  'lockkit/src/contract.ts',
  'lockkit/src/rpc.ts',
  'frontends/cli/src/cli.ts',
  'frontends/mcp/src/mcp.ts',
  'lockssh/src/main.ts',
  'lockssh/src/contract/lockssh-contract.ts',
  'lockssh/src/later/mcp.ts',
  'lockfile/src/main.ts',
  'lockfile/src/later/mcp.ts',
];

const FORBIDDEN = [
  /^lockkit\/src\/(console|credentials|sandbox)(\/|\.ts$)/,
  /^lock(ssh|file)\/src\/(console|connection|sources)\//,
  /^ssh2$/,
  /^blessed$/,
];

describe('import graph', () => {
  test.each(AGENT_ENTRIES.filter((entry) => edges.has(entry)))(
    '%s never reaches the console’s half',
    (entry) => {
      const cameFrom = reach(entry, (from, dynamic) => !isLater(from, dynamic));
      const bad = [...cameFrom.keys()].filter((path) => FORBIDDEN.some((pattern) => pattern.test(path)));
      expect(bad.map((path) => wayTo(path, cameFrom))).toEqual([]);
    },
  );

  test('the walk finds the way that it looks for', () => {
    const found = reach('lockssh/src/later/console.ts', () => true);
    expect(
      FORBIDDEN.filter((pattern) => [...found.keys()].some((path) => pattern.test(path))).length,
    ).toBeGreaterThanOrEqual(3);
  });

  test('the entries exist', () => {
    expect(AGENT_ENTRIES.filter((entry) => !edges.has(entry))).toEqual([]);
  });

  const GROUND = /^lockkit\/src\/(contract|approval|rpc|native|setting|config)(\/|\.ts$)/;
  const MIDDLE = ['policy', 'masking', 'audit', 'tickets', 'sandbox', 'credentials'];

  test('lockkit: the ground stands on itself', () => {
    const bad = sources
      .filter((path) => GROUND.test(path))
      .flatMap((path) =>
        (edges.get(path) ?? [])
          .filter(({ to }) => to.startsWith('lockkit/') && !GROUND.test(to))
          .map(({ to }) => `${path} → ${to}`),
      );
    expect(bad).toEqual([]);
  });

  test.each(MIDDLE)('lockkit: %s stands on the ground and on none beside it', (name) => {
    const own = new RegExp(`^lockkit/src/${name}(/|\\.ts$)`);
    const bad = sources
      .filter((path) => own.test(path))
      .flatMap((path) =>
        (edges.get(path) ?? [])
          .filter(({ to }) => to.startsWith('lockkit/') && !GROUND.test(to) && !own.test(to))
          .map(({ to }) => `${path} → ${to}`),
      );
    expect(bad).toEqual([]);
  });

  test('no product imports another, no front-end imports a product', () => {
    const bad = sources.flatMap((path) =>
      (edges.get(path) ?? [])
        .filter(({ to }) => {
          const product = /^(lockssh|lockfile)\//.exec(to)?.[1];
          return product !== undefined && !path.startsWith(`${product}/`) && !path.startsWith('conformance/');
        })
        .map(({ to }) => `${path} → ${to}`),
    );
    expect(bad).toEqual([]);
  });

  test('inside a package files are imported, never its own entries', () => {
    const entry = /^(lockkit\/src\/[a-z-]+\.ts|frontends\/\w+\/src\/(cli|mcp|tui)\.ts)$/;
    const bad = sources.flatMap((path) =>
      (edges.get(path) ?? [])
        .filter(
          ({ to }) => entry.test(to) && to.split('/src/')[0] === path.split('/src/')[0] && !entry.test(path),
        )
        .map(({ to }) => `${path} → ${to}`),
    );
    expect(bad).toEqual([]);
  });
});
