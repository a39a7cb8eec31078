// The areas of the suite and the kinds of case that each can run. Called by the runner and by our own adapter.
// A module is loaded when the suite runs, never before: `lock-conformance --help` needs none of them.
import type { Kind, Kinds } from './kind.js';

interface AreaModule {
  readonly kinds: Kinds;
}

/** An area whose kinds are told in words only has no module: its cases are scenario tests that cite the id. */
const AREA_MODULES: Readonly<Record<string, () => Promise<AreaModule>>> = {
  A1: () => import('./areas/a1-allow-rules.js'),
  A2: () => import('./areas/a2-quoting.js'),
  A3: () => import('./areas/a3-masking.js'),
  A4: () => import('./areas/a4-ssh-client.js'),
  A5: () => import('./areas/a5-approval-screen.js'),
  A6: () => import('./areas/a6-audit-chain.js'),
  A7: () => import('./areas/a7-policy-toml.js'),
  A9: () => import('./areas/a9-sandbox.js'),
};

export interface LoadedKinds {
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Areas whose module did not load, with one line of why: their cases fail instead of being skipped. */
  readonly broken: ReadonlyMap<string, string>;
}

/** Loads every area. Two areas that define the same kind are a bug. */
export async function loadKinds(modules = AREA_MODULES): Promise<LoadedKinds> {
  const kinds = new Map<string, Kind>();
  const broken = new Map<string, string>();
  for (const [area, load] of Object.entries(modules)) {
    const loaded = await load().catch((error: unknown) => error);
    if (!isAreaModule(loaded)) {
      broken.set(area, `the module of area ${area} did not load: ${firstLine(loaded)}`);
      continue;
    }
    for (const [name, kind] of Object.entries(loaded.kinds)) {
      if (kinds.has(name)) throw new Error(`two areas define the kind ${name}`);
      kinds.set(name, kind);
    }
  }
  return { kinds, broken };
}

function isAreaModule(value: unknown): value is AreaModule {
  return typeof value === 'object' && value !== null && 'kinds' in value;
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}
