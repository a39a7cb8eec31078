// SIGKILL between any two writes of decide → run → record: afterwards the audit says "not run", "run and recorded" or
// "started, end unknown", and what it says is true (docs/decisions.md, "Tickets and hub").
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAuditLog } from '../audit/audit-log.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { lockFile } from '../native/kernel.js';
import { bundleScript } from '../test/bundle-script.js';
import type { DeciderHub } from '../tickets/client/decider-hub.js';
import { openTestHub, type TestHub } from '../tickets/test/open-hub.js';

let script: string;
let hub: TestHub;
let auto: DeciderHub;
let keyFile: string;

beforeAll(async () => {
  script = await bundleScript(join(import.meta.dirname, 'test/killed-console.ts'));
  hub = await openTestHub();
  auto = await hub.openDecider({
    decider: hub.auto,
    onNews: (news) => {
      if (news.kind !== 'ticket' || news.entry.state !== 'pending') return;
      void auto.decide(news.entry, { verdict: 'approved', rule: 'auto.exec' }).catch(() => undefined);
    },
  });
  keyFile = join(hub.folder, 'key.json');
  const { url, token } = hub;
  const deciders = [{ key: hub.auto.key, role: 'auto' }];
  writeFileSync(keyFile, JSON.stringify({ url, token, deciders }), { mode: 0o600 });
});
afterAll(() => hub.close());

interface Records {
  readonly event: string;
  readonly ticket?: string;
}

/** What the audit says of the one effect. */
function toldBy(records: readonly Records[]): string {
  const events = new Set(records.map(({ event }) => event));
  if (events.has('effect.end')) return 'run and recorded';
  if (events.has('effect.unknown_end')) return 'started, end unknown';
  return events.has('effect.start') ? 'nothing' : 'not run';
}

async function runKilledAt(step: number) {
  const folder = mkdtempSync(join(tmpdir(), 'lock-killed-'));
  const [log, effectFile] = [join(folder, 'log'), join(folder, 'effects')];
  const args = [script, log, effectFile, keyFile, hub.url, String(step)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const [, signal] = await once(child, 'close');
  // The next console of the same profile finds what a crash left, and says it.
  await (await openAuditLog({ dir: log, profile: 'web', now: () => new Date(), lock: lockFile })).close();
  expect(await verifyAudit(log)).toMatchObject({ verdict: 'intact' });
  const records = readFileSync(join(log, 'audit-000001.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Records);
  const runs = existsSync(effectFile) ? readFileSync(effectFile, 'utf8').split('\n').length - 1 : 0;
  rmSync(folder, { recursive: true, force: true });
  return { signal, records, runs, out };
}

test('killed at every step in turn: the audit tells one of three, and it is true', async () => {
  const whole = await runKilledAt(0);
  expect(whole).toMatchObject({ signal: null, runs: 1 });
  const { steps } = JSON.parse(whole.out) as { readonly steps: number };
  expect(toldBy(whole.records)).toBe('run and recorded');
  const told = new Set<string>();
  for (let step = 1; step <= steps; step++) {
    const { signal, records, runs } = await runKilledAt(step);
    const says = toldBy(records);
    told.add(says);
    expect([step, signal]).toEqual([step, 'SIGKILL']);
    const possible: Readonly<Record<string, readonly number[]>> = {
      'not run': [0],
      'run and recorded': [1],
      'started, end unknown': [0, 1],
    };
    expect(possible[says], `step ${step} says ${says}`).toContain(runs);
  }
  expect([...told].sort()).toEqual(['not run', 'run and recorded', 'started, end unknown']);
  // No ticket of a console that died can be used by a later one: the hub has closed all but the last run's.
  expect(auto.open().length).toBeLessThanOrEqual(1);
});
