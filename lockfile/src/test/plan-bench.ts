// A console's plan machinery for tests, with every real part: kernel, sandbox, installed plugins, a local source, a
// workspace. The human is a list of values to type; the clock's quantum is 250 ms unless a test turns it by hand.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { Answer, Screen } from 'lockkit/approval';
import { openBinaryStore, type BinaryStore } from 'lockkit/sandbox';
import { AnswerMemory } from '../plan/answer-memory.js';
import { checkPlan, type Plan, type PlanRequest } from '../plan/check-plan.js';
import { HandleTable } from '../plan/handle-table.js';
import { runPlan, type RunEnd, type RunParts, type RunTerms } from '../plan/run-plan.js';
import { TypedValues } from '../plan/typed-values.js';
import { installPlugin } from '../plugin/install-plugin.js';
import { loadPlugins, type InstalledPlugin } from '../plugin/installed-plugins.js';
import { openLocalSource } from '../sources/local-source.js';
import type { Source } from '../sources/source.js';
import { openWorkspace } from '../sources/workspace.js';
import { builtPlugins, scratchDir, usableKernel } from './built-plugins.js';

export interface PlanBench {
  readonly dir: string;
  readonly plugins: ReadonlyMap<string, InstalledPlugin>;
  readonly parts: RunParts;
  readonly put: (key: string, content: string | Buffer) => void;
  readonly check: (request: PlanRequest, max?: number) => Plan;
  readonly run: (
    request: PlanRequest,
    terms?: Partial<RunTerms>,
    parts?: Partial<RunParts>,
  ) => Promise<RunEnd>;
  /** What the human will type next; a string is a value, null is Enter alone. */
  readonly typed: (string | null)[];
  readonly prompts: Screen[];
  readonly close: () => void;
}

const MISBEHAVE = `
version = "1.0.0"
question = "Does it?"
one = "yes"
zero = "no"
`;
const LIMITS = 'limits = { cpu_s = 5, memory = "64MiB", timeout_s = 60 }';
/** The same program under four manifests: plain, with no time to hang in, with detail, with an input. */
const MANIFESTS = [
  `name = "test.misbehave"\nprotocol = 1${MISBEHAVE}${LIMITS}\n`,
  `name = "test.hasty"\nprotocol = 1${MISBEHAVE}${LIMITS.replace('= 60', '= 1')}\n`,
  `name = "test.detail"\nprotocol = 2${MISBEHAVE}${LIMITS}\ndetail = true\n`,
  `name = "test.inputs"\nprotocol = 2${MISBEHAVE.replace('Does it?', 'Does it hold ${needle}?')}${LIMITS}\ndetail = true\ninputs = [{ name = "needle", kind = "email", max_bytes = 40 }]\n`,
];

async function installAll(pluginsDir: string, work: string, store: BinaryStore): Promise<void> {
  for (const { dir } of builtPlugins())
    await installPlugin(
      { manifestPath: join(dir, 'plugin.toml'), binaryPath: join(dir, 'plugin'), marketplace: 'official' },
      pluginsDir,
      store,
    );
  const binaryPath = join(work, 'misbehave');
  const source = fileURLToPath(new URL('misbehave.c', import.meta.url));
  execFileSync('gcc', ['-O1', '-static', '-o', binaryPath, source]);
  for (const [at, manifest] of MANIFESTS.entries()) {
    const manifestPath = join(work, `${at}.toml`);
    writeFileSync(manifestPath, manifest);
    await installPlugin({ manifestPath, binaryPath, marketplace: 'local' }, pluginsDir, store);
  }
}

export async function openPlanBench(): Promise<PlanBench> {
  const { dir, remove } = scratchDir();
  const root = join(dir, 'root');
  const pluginsDir = join(dir, 'plugins');
  mkdirSync(root);
  const store = openBinaryStore(usableKernel());
  await installAll(pluginsDir, dir, store);
  const { usable: plugins, unusable } = await loadPlugins(pluginsDir, store);
  if (unusable.length > 0) throw new Error(JSON.stringify(unusable));
  const workspace = openWorkspace(dir);
  const typed: (string | null)[] = [];
  const prompts: Screen[] = [];
  const ask = (screen: Screen): Promise<Answer> => {
    prompts.push(screen);
    const text = typed.shift();
    if (text === undefined) return Promise.resolve({ kind: 'no_answer' });
    return Promise.resolve(text === null ? { kind: 'no' } : { kind: 'secret', value: Buffer.from(text) });
  };
  const parts: RunParts = {
    source: openLocalSource(root),
    workspace,
    handles: new HandleTable(workspace, randomBytes),
    memory: new AnswerMemory(),
    values: new TypedValues(),
    human: { ask },
    desktopLevel: 3,
    monotonicMs: () => performance.now(),
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
  const check = (request: PlanRequest, max = 64): Plan => {
    const checked = checkPlan(request, {
      prefix: '',
      allowed: 'all',
      maxPluginsPerHandle: max,
      plugins,
      findHandle: (id) => parts.handles.find(id, 1000),
    });
    if (!checked.ok) throw new Error(checked.code);
    return checked.value;
  };
  const terms: RunTerms = {
    peerUid: 1000,
    maxObjectBytes: 64 * 1024 * 1024,
    maxPluginsPerHandle: 64,
    quantumMs: 250,
    place: { profile: 'samples', production: false, warnings: [] },
    signal: new AbortController().signal,
  };
  return {
    dir,
    plugins,
    parts,
    put: (key, content) => {
      mkdirSync(dirname(join(root, key)), { recursive: true });
      writeFileSync(join(root, key), content);
    },
    check,
    run: (request, changedTerms, changedParts) =>
      runPlan(check(request), { ...terms, ...changedTerms }, { ...parts, ...changedParts }),
    typed,
    prompts,
    close: () => {
      parts.handles.releaseAll();
      parts.values.wipe();
      workspace.close();
      store.close();
      remove();
    },
  };
}

/** A source that remembers every touch. */
export function recordingSource(inner: Source): { readonly source: Source; readonly touched: string[] } {
  const touched: string[] = [];
  return {
    touched,
    source: {
      open: (key, signal) => {
        touched.push(key);
        return inner.open(key, signal);
      },
      close: () => inner.close(),
    },
  };
}
