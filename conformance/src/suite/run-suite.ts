// One suite against one lock: the cases, a few at once, and a result for each. Called by run-main and by the tests.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expandCase } from './fill-words.js';
import { mayMount } from './clean-home.js';
import { meetLock, type MetLock } from './meet-lock.js';
import { readSuite, type SuiteName } from './read-suite.js';
import { byId, readRequirements, type Requirement } from './requirement.js';
import { runCase, type SuiteVerdict } from './run-case.js';
import type { SuiteCase } from './suite-case.js';
import type { SuiteSetting } from './suite-run.js';

export interface SuiteWish {
  readonly suite: SuiteName;
  /** Its program is an absolute path (find-program.ts). */
  readonly lock: readonly [string, ...string[]];
  readonly describe: string | null;
  readonly socketPath: string | null;
  readonly clientEnv: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Only cases that cite one of these requirements or have this id; null: all. */
  readonly only: readonly string[] | null;
  /** The package's folder: suites, requirements, locks. */
  readonly folder: string;
}

export interface SuiteResult {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  readonly attack: string | null;
  readonly level: 'MUST' | 'SHOULD';
  readonly requirements: readonly string[];
  readonly verdict: SuiteVerdict;
}

export interface SuiteOutcome {
  readonly suite: SuiteName;
  readonly lock: MetLock;
  readonly results: readonly SuiteResult[];
}

export async function runSuite(wish: SuiteWish): Promise<SuiteOutcome> {
  const known = byId(readRequirements(join(wish.folder, 'requirements')));
  const wished = readSuite(join(wish.folder, 'suites'), wish.suite).filter((item) =>
    isWished(item, wish.only),
  );
  const needs = new Set(wished.flatMap((item) => item.needs ?? []));
  const met = await meetLock({
    ...wish,
    locksFolder: join(wish.folder, 'locks'),
    needsPlainAccount: needs.has('plain account'),
  });
  const setting: SuiteSetting = {
    ...wish,
    facts: met.facts,
    unknown: met.unknown,
    plainUid: met.plainUid,
    mayMount: needs.has('mount') && mayMount(),
  };
  const cases = wished
    .filter((item) => isFor(item, met.facts.name))
    .flatMap((item) => expandCase(item, met.facts));
  // One console has one rate limit, so its cases go one after the other.
  const lanes = wish.suite === 'socket' ? 1 : Math.min(4, availableParallelism() * 2);
  const verdicts = await inLanes(cases, lanes, (item) => runCase(item, setting));
  const results = cases.map((item, at) => resultOf(item, known, verdicts[at] as SuiteVerdict));
  return { suite: wish.suite, lock: met, results };
}

function isWished({ id, requirements }: SuiteCase, only: readonly string[] | null): boolean {
  return only === null || only.some((one) => one === id || requirements.includes(one));
}

/** What only some locks promise is no case of the others. */
function isFor({ locks }: SuiteCase, name: string): boolean {
  return locks === undefined || locks.includes(name);
}

function resultOf(
  item: SuiteCase,
  known: ReadonlyMap<string, Requirement>,
  verdict: SuiteVerdict,
): SuiteResult {
  const { id, area, title, attack = null, requirements } = item;
  const must = requirements.some((one) => known.get(one)?.level !== 'SHOULD');
  return { id, area, title, attack, level: must ? 'MUST' : 'SHOULD', requirements, verdict };
}

/** At most `lanes` at once; results in the order of the items. */
async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  run: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await run(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return results;
}
