// docs/hub-protocol-vectors.json against the code: what another implementation is held against is what ours does.
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DhkemX25519HkdfSha256 } from '@hpke/core';
import { expect, test } from 'vitest';
import { canonicalText } from './canonical.js';
import { parseSignedDecision, verifyDecision } from './decision.js';
import { sealKeyOf } from './seal.js';
import { parseSignedTicket, signTicket, verifyTicket } from './signed-ticket.js';
import { signCanonical, signingKeyOf, verifyCanonical, type SigningKey } from './signing.js';
import { encodeChange, parseChange } from './store/change-line.js';
import { hashTicket } from './ticket.js';

const path = join(import.meta.dirname, '../../../docs/hub-protocol-vectors.json');
const vectors = JSON.parse(readFileSync(path, 'utf8'));

/** From the 32 bytes of a private key, as hex. */
function keyFrom(seed: string): SigningKey {
  const pkcs8 = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(seed, 'hex'),
  ]);
  return signingKeyOf(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }));
}

test('keys, canonical form, ticket hash, ticket signature', () => {
  const signing = keyFrom(vectors.console.private);
  expect(signing.key).toBe(vectors.console.key);
  const { ticket, signature } = vectors.signed_ticket;
  expect(canonicalText(ticket)).toBe(vectors.canonical_ticket);
  expect(hashTicket(ticket)).toBe(vectors.ticket_hash);
  expect(parseSignedTicket(vectors.signed_ticket).ok).toBe(true);
  expect(signTicket(ticket, signing).signature).toBe(signature);
  expect(verifyTicket(vectors.signed_ticket, signing.key)).toBe(true);
});

test('decision and its signature', () => {
  const decider = keyFrom(vectors.decider.private);
  const { decision, signature } = vectors.signed_decision;
  expect(decision).toMatchObject({ key: decider.key, ticket_hash: vectors.ticket_hash });
  expect(signCanonical('lockkit decision v1', decision, decider)).toBe(signature);
  const parsed = parseSignedDecision(vectors.signed_decision);
  expect(parsed.ok && verifyDecision(parsed.value)).toBe(true);
});

test('session proof', () => {
  const { challenge, key, signature } = vectors.session;
  expect(verifyCanonical('lockkit hub session v1', { challenge, key }, key, signature)).toBe(true);
});

test('sealed values', async () => {
  const raw = Uint8Array.from(Buffer.from(vectors.seal.private, 'hex')).buffer;
  const privateKey = await new DhkemX25519HkdfSha256().importKey('raw', raw, false);
  const seal = sealKeyOf(vectors.signed_ticket.ticket.seal_key, privateKey);
  const values = await seal.open(vectors.signed_ticket.ticket, vectors.signed_decision.decision.sealed);
  expect([...(values ?? [])].map(([name, value]) => [name, value.toString()])).toEqual(
    Object.entries(vectors.seal.values),
  );
});

test('a line of the record', () => {
  const { line, prev } = vectors.record;
  const parsed = parseChange(Buffer.from(line));
  expect(parsed?.prev).toBe(prev);
  if (parsed === null) return;
  const made = encodeChange(parsed.seq, new Date(parsed.time), parsed.change, prev);
  expect(made.line.toString()).toBe(`${line}\n`);
});
