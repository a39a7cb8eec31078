// lockfile through the hub: plans are decided there, and the values that a human types there come sealed in the
// decision. A real console, a real hub, the agent's command as a process, real plugins in their sandbox.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestHub, type TestHub } from '@lockkit/conformance/real-hub';
import { renderScreen } from 'lockkit/approval';
import type { DeciderHub, VerifiedEntry } from 'lockkit/hub';
import { openTestConsole, type CliResult, type TestConsole } from './test-console.js';

const VALUE = 'alice@example.org';

describe('lockfile through the hub', () => {
  let hub: TestHub;
  let lock: TestConsole;
  let human: DeciderHub;

  beforeEach(async () => {
    hub = await openTestHub({ lock: 'lockfile', profile: 'samples' });
    lock = await openTestConsole({ hub: { url: hub.url, keyFile: hub.keyFile } });
    human = await hub.openDecider('human');
    lock.put('notes.txt', `one\n${VALUE}\n`);
    lock.put('other.txt', 'nothing\n');
  });
  afterEach(async () => {
    await lock.stop();
    await hub.close();
  });

  const plan = (key: string, ...plugin: readonly string[]): Promise<CliResult> =>
    lock.cli('plan', '--key', key, ...plugin, '--run', '--json');
  const contains = ['--plugin', 'text.contains', '--input', 'text.contains.needle=${email}'];
  const audit = (): string => readFileSync(join(lock.auditDir, 'audit-000001.jsonl'), 'utf8');
  const record = (): string => readFileSync(join(hub.keyFile, '../record/hub.jsonl'), 'utf8');

  async function waiting(): Promise<VerifiedEntry> {
    const pending = () => human.open().filter(({ state }) => state === 'pending');
    await expect.poll(pending, { timeout: 10_000 }).toHaveLength(1);
    return pending()[0] as VerifiedEntry;
  }

  test('a plan waits, is decided at the hub, and answers in the same call', async () => {
    const running = plan('notes.txt', '--plugin', 'file.non-empty');
    const entry = await waiting();
    expect(entry.ticket).toMatchObject({ lock: 'lockfile', kind: 'plan', never_auto: true });
    const shown = renderScreen(entry.ticket.screen, { columns: 100, colour: false });
    expect(shown).toContain('notes.txt');
    await human.decide(entry, { verdict: 'approved', rule: 'human', desktopLevel: 3 });
    const { exit, json } = await running;
    expect([exit, json.answers[0].result]).toEqual([0, 1]);
    await expect.poll(async () => (await human.history()).entries[0]).toMatchObject({ state: 'used' });
  });

  test('typed values come sealed with the decision, are replayed, and are nowhere to be read', async () => {
    const running = plan('notes.txt', ...contains);
    const entry = await waiting();
    expect(entry.ticket.inputs).toEqual([
      {
        name: 'text.contains.needle',
        placeholder: 'email',
        kind: expect.any(String),
        max_bytes: expect.any(Number),
      },
    ]);
    const values = new Map([['email', Buffer.from(VALUE)]]);
    await human.decide(entry, { verdict: 'approved', rule: 'human', desktopLevel: 3, values });
    const { exit, json } = await running;
    expect([exit, json.answers[0].result]).toEqual([0, 1]);
    // The same placeholder on another file: decided, and not typed again.
    const again = plan('other.txt', ...contains);
    const second = await waiting();
    expect(second.ticket.inputs).toBeUndefined();
    await human.decide(second, { verdict: 'approved', rule: 'human', desktopLevel: 3 });
    expect((await again).json.answers[0].result).toBe(0);
    expect(audit() + record()).not.toContain(VALUE);
    expect(record()).toContain('"sealed"');
    expect(lock.human.screens.filter(({ question }) => question?.kind === 'secret')).toEqual([]);
  });

  test('a value that does not fit its input refuses the run, without an echo', async () => {
    const running = plan('notes.txt', ...contains);
    const values = new Map([['email', Buffer.from('a\u0007b')]]);
    await human.decide(await waiting(), { verdict: 'approved', rule: 'human', desktopLevel: 3, values });
    const { exit, json, stdout } = await running;
    expect(exit).not.toBe(0);
    expect(json).toMatchObject({ error: { code: 'E_INPUT_INVALID' } });
    expect(stdout + audit()).not.toContain('a\u0007b');
  });

  test('denied at the hub: exit 3; a rule decides nothing that a human must', async () => {
    const running = plan('notes.txt', '--plugin', 'file.non-empty');
    const entry = await waiting();
    const auto = await hub.openDecider('auto');
    expect(await auto.decide(entry, { verdict: 'approved', rule: 'auto.plan' })).toEqual({
      ok: false,
      code: 'E_NEVER_AUTO',
    });
    await human.decide(entry, { verdict: 'denied', rule: 'human', reason: 'no' });
    expect((await running).exit).toBe(3);
  });
});
