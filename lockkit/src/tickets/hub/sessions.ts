// Deciders prove their key once and then carry a session (docs/hub-protocol.md, section 7). Called by the hub server.
// A challenge is used once and belongs to one key; sessions live in memory, as hashes, and end with the hub.
import { z } from 'zod';
import { verifyCanonical } from '../signing.js';
import { keySchema, signatureSchema } from '../wire-shapes.js';
import { hashToken, makeToken, type HubAccess } from './access.js';
import { HubRefusal } from './hub-codes.js';
import { HUB_LIMITS } from './hub-limits.js';

const challengeSchema = z.strictObject({ key: keySchema });
const proofSchema = z.strictObject({ key: keySchema, challenge: keySchema, signature: signatureSchema });

export interface SessionParts {
  readonly access: HubAccess;
  readonly nowMs: () => number;
  readonly randomBytes: (count: number) => Buffer;
}

export class Sessions {
  readonly #parts: SessionParts;
  readonly #challenges = new Map<string, { readonly key: string; readonly endsMs: number }>();
  readonly #sessions = new Map<string, { readonly key: string; readonly endsMs: number }>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  challenge(body: unknown): object {
    const parsed = challengeSchema.safeParse(body);
    if (!parsed.success) throw new HubRefusal('E_BAD_REQUEST');
    const { key } = parsed.data;
    if (this.#parts.access.findDecider(key) === undefined) throw new HubRefusal('E_UNAUTHORIZED');
    const challenge = makeToken(this.#parts.randomBytes);
    const endsMs = this.#parts.nowMs() + HUB_LIMITS.challengeMs;
    this.#challenges.set(challenge, { key, endsMs });
    dropOldest(this.#challenges, HUB_LIMITS.challenges);
    return { challenge, expires_at: new Date(endsMs).toISOString() };
  }

  open(body: unknown): object {
    const parsed = proofSchema.safeParse(body);
    if (!parsed.success) throw new HubRefusal('E_BAD_REQUEST');
    const { key, challenge, signature } = parsed.data;
    const asked = this.#challenges.get(challenge);
    this.#challenges.delete(challenge);
    const role = this.#parts.access.findDecider(key);
    if (asked?.key !== key || asked.endsMs <= this.#parts.nowMs() || role === undefined)
      throw new HubRefusal('E_UNAUTHORIZED');
    if (!verifyCanonical('lockkit hub session v1', { challenge, key }, key, signature))
      throw new HubRefusal('E_UNAUTHORIZED');
    return this.#start(key, role);
  }

  /** The key of a session that still counts. */
  find(session: string): string | undefined {
    const found = this.#sessions.get(hashToken(session));
    if (!found || found.endsMs <= this.#parts.nowMs()) return undefined;
    return this.#parts.access.findDecider(found.key) === undefined ? undefined : found.key;
  }

  #start(key: string, role: string): object {
    const session = makeToken(this.#parts.randomBytes);
    const endsMs = this.#parts.nowMs() + HUB_LIMITS.sessionMs;
    const mine = [...this.#sessions].filter(([, one]) => one.key === key).map(([hash]) => hash);
    for (const hash of mine.slice(0, Math.max(0, mine.length + 1 - HUB_LIMITS.sessionsPerDecider)))
      this.#sessions.delete(hash);
    this.#sessions.set(hashToken(session), { key, endsMs });
    return { session, role, expires_at: new Date(endsMs).toISOString() };
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const name of map.keys()) {
    if (map.size <= most) return;
    map.delete(name);
  }
}
