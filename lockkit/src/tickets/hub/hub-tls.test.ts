// A hub behind TLS, for the shared store: its own authority is taken and no other, and nothing is spoken in the clear.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HubLost } from '../client/hub-lost.js';
import { openTestHub, type TestHub } from '../test/open-hub.js';
import { sampleTicket } from '../test/samples.js';
import { TICKET_LIMITS } from '../ticket.js';

let hub: TestHub;
let folder: string;
const pem = (name: string): string => readFileSync(join(folder, name), 'utf8');

function makeCertificate(name: string): void {
  const out = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`)];
  const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...out, ...about], { stdio: 'ignore' });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lock-tls-'));
  makeCertificate('hub');
  makeCertificate('other');
  const [cert, key] = [pem('hub.pem'), pem('hub.key')];
  hub = await openTestHub({ listen: { kind: 'tls', host: '127.0.0.1', port: 0, cert, key } });
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a lock and a decider that know the hub’s authority', async () => {
  const { address, token } = hub;
  expect(address.kind).toBe('tls');
  const ca = pem('hub.pem');
  const lock = await hub.openLock({ keyFile: { address, token, ca } });
  const decider = await hub.openDecider({ ca });
  const nowMs = Date.now();
  const ticket = sampleTicket({
    created_at: new Date(nowMs).toISOString(),
    expires_at: new Date(nowMs + TICKET_LIMITS.decideMs).toISOString(),
  });
  const heard = new Promise<unknown>((resolve) => void lock.post(ticket, resolve));
  await expect.poll(() => decider.open()).toHaveLength(1);
  const [entry] = decider.open();
  if (entry) await decider.decide(entry, { verdict: 'denied', rule: 'human' });
  expect(await heard).toMatchObject({ decision: { verdict: 'denied' } });
});

test('another authority, or none: the hub is not spoken to', async () => {
  const { address, token } = hub;
  const wrong = hub.openLock({ keyFile: { address, token, ca: pem('other.pem') } });
  await expect(wrong).rejects.toEqual(new HubLost('down'));
  await expect(hub.openLock({ keyFile: { address, token } })).rejects.toEqual(new HubLost('down'));
});

test('plain HTTP gets no answer', async () => {
  const { port } = hub.address as { readonly port: number };
  const answered = await new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: '/v1/tickets' }, () => resolve(true));
    sent.on('error', () => resolve(false));
    sent.end();
  });
  expect(answered).toBe(false);
});
