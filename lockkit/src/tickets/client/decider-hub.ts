// The decider's end of the hub (docs/hub-protocol.md, sections 5 to 8): follows what waits, shows nothing that its
// console has not signed, decides. Opened by lox, and by whoever decides elsewhere. Private keys and typed values never
// leave this process but sealed; a ticket that does not verify can neither be shown nor decided here.
import type { Peer } from '../../native/kernel.js';
import { z } from 'zod';
import { accepted, type Outcome } from '../../contract/outcome.js';
import { signDecision, type DesktopLevel, type Verdict } from '../decision.js';
import { consoleSchema, isOpenState, parseHubEntry, type HubConsole, type HubEntry } from '../hub-entry.js';
import type { HubCode } from '../hub/hub-codes.js';
import { signCanonical, type SigningKey } from '../signing.js';
import { verifyTicket } from '../signed-ticket.js';
import { hashTicket, type Ticket } from '../ticket.js';
import { askPatiently } from './ask-patiently.js';
import type { HubAddress } from './hub-address.js';
import { HubLost, HubRefused, whyLost } from './hub-lost.js';
import { HubWire } from './hub-wire.js';
import { keepConnected } from './keep-connected.js';
import { sealInputs } from './seal-inputs.js';

/** Which lock, and which console of it. */
export type Place = Pick<Ticket, 'lock' | 'instance' | 'profile'>;

/** An entry of which the console's signature was verified. */
export interface VerifiedEntry extends HubEntry {
  readonly verified: true;
}

export type DeciderNews =
  /** New, or in another state; `open` tells which tickets stand now. */
  | { readonly kind: 'ticket'; readonly entry: VerifiedEntry }
  /** No longer there after the hub came back. */
  | { readonly kind: 'gone'; readonly id: string }
  /** Not signed by a console that is trusted, or another ticket under a known id: nothing of it is shown. */
  | { readonly kind: 'forged'; readonly id: string | null }
  | { readonly kind: 'console'; readonly console: HubConsole }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'back' };

export interface DeciderHubOptions {
  readonly address: HubAddress;
  readonly ca?: string;
  readonly decider: SigningKey;
  /**
   * Was this ever the key of the console that holds this lock, instance and profile? Who started the console knows it
   * from the console's own pipe; who did not leaves this out, and takes what was announced while this end was open.
   */
  readonly isTrusted?: (key: string, of: Place) => boolean;
  readonly mayServe: (peer: Peer) => boolean;
  readonly now: () => Date;
  readonly later: (ms: number, call: () => void) => () => void;
  readonly onNews: (news: DeciderNews) => void;
  readonly timeoutMs?: number;
}

export interface Verdicts {
  readonly verdict: Verdict;
  /** `human`, or what decideByRules named. */
  readonly rule: string;
  readonly desktopLevel?: DesktopLevel;
  readonly reason?: string;
  /** By placeholder: what the human typed. Wiped when it was sealed. */
  readonly values?: ReadonlyMap<string, Uint8Array>;
}

export interface DeciderHub {
  /** Verified tickets that are pending or approved, oldest first. */
  readonly open: () => readonly VerifiedEntry[];
  readonly consoles: () => readonly HubConsole[];
  /** Seals, signs, sends. Throws HubLost when nobody knows: the same may be said again. */
  readonly decide: (entry: VerifiedEntry, verdicts: Verdicts) => Promise<Outcome<HubEntry, HubCode>>;
  /** Closed tickets, the newest first; those of unknown consoles are counted, not shown. */
  readonly history: (wish?: { readonly before?: number; readonly limit?: number }) => Promise<{
    readonly entries: readonly VerifiedEntry[];
    readonly unverified: number;
    readonly next?: number;
  }>;
  readonly close: () => void;
}

const sessionSchema = z.object({ session: z.string() });
const challengeSchema = z.object({ challenge: z.string() });
const pageSchema = z.object({
  seq: z.int().min(0),
  entries: z.array(z.unknown()),
  next: z.int().optional(),
});
const consolesSchema = z.object({ consoles: z.array(consoleSchema) });

const MAX_HASHES = 65_536;
/** Verifying is work: whoever draws a window in this process gets its turn between two pages. */
const READ_AT_ONCE = 50;
/** Larger than any seq. */
const END = 999_999_999_999_999;

/** Resolves when everything that is open is known. Throws HubLost or HubRefused when the hub cannot be used at all. */
export async function openDeciderHub(options: DeciderHubOptions): Promise<DeciderHub> {
  const hub = new DeciderHubClient(options);
  try {
    await hub.start();
  } catch (error) {
    hub.close();
    throw error;
  }
  return hub;
}

class DeciderHubClient implements DeciderHub {
  readonly #options: DeciderHubOptions;
  readonly #wire: HubWire;
  readonly #ended = new AbortController();
  readonly #open = new Map<string, VerifiedEntry>();
  /** Ids of this run and the ticket each stands for. */
  readonly #hashes = new Map<string, string>();
  #consoles: readonly HubConsole[] = [];
  readonly #announced = new Set<string>();

  constructor(options: DeciderHubOptions) {
    const { address, ca, mayServe, later, timeoutMs } = options;
    this.#options = options;
    this.#wire = new HubWire({
      address,
      mayServe,
      later,
      ...(ca === undefined ? {} : { ca }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  }

  start(): Promise<void> {
    const { later, onNews } = this.#options;
    return keepConnected({
      connect: (onOpen) => this.#connect(onOpen),
      signal: this.#ended.signal,
      later,
      onLost: (error) => onNews({ kind: 'lost', why: whyLost(error) }),
      onBack: () => onNews({ kind: 'back' }),
    });
  }

  open = (): readonly VerifiedEntry[] => [...this.#open.values()];

  consoles = (): readonly HubConsole[] => this.#consoles;

  decide = async (entry: VerifiedEntry, verdicts: Verdicts): Promise<Outcome<HubEntry, HubCode>> => {
    if (entry.verified !== true) throw new Error('a ticket that was not verified cannot be decided');
    const { ticket } = entry;
    const { values, verdict, ...rest } = verdicts;
    const sealed = verdict === 'approved' ? await sealInputs(ticket, values ?? new Map()) : undefined;
    const saying = { ...rest, verdict, now: this.#options.now(), ...(sealed ? { sealed } : {}) };
    const signed = signDecision(ticket, saying, this.#options.decider);
    const answer = await this.#ask('POST', `/v1/tickets/${ticket.id}/decision`, signed);
    if (!answer.ok) return answer;
    const decided = parseHubEntry(answer.value);
    if (decided === null) throw new HubLost('nonsense');
    return accepted(decided);
  };

  history: DeciderHub['history'] = async ({ before = END, limit = 100 } = {}) => {
    const page = await this.#page(`state=closed&before=${before}&limit=${limit}`);
    const parsed = page.entries.map((value) => this.#verify(value));
    const entries = parsed.filter((entry) => entry !== null);
    const unverified = parsed.length - entries.length;
    return { entries, unverified, ...(page.next === undefined ? {} : { next: page.next }) };
  };

  close = (): void => {
    this.#ended.abort();
    this.#wire.close();
  };

  async #connect(onOpen: () => void): Promise<void> {
    await this.#openSession();
    await this.#readConsoles();
    const seq = await this.#readOpen();
    const streamed = await this.#wire.listen(`/v1/events?after=${seq}`, {
      signal: this.#ended.signal,
      onOpen,
      onEvent: ({ event, data }) => {
        if (event === 'ticket') this.#hear(data);
        if (event === 'console') this.#hearConsole(data);
      },
    });
    if (!streamed.ok) throw new HubRefused(streamed.code);
  }

  async #openSession(): Promise<void> {
    const { decider } = this.#options;
    const { key } = decider;
    const asked = await this.#wire.ask('POST', '/v1/session/challenge', { key });
    if (!asked.ok) throw new HubRefused(asked.code);
    const { challenge } = shaped(challengeSchema, asked.value);
    const signature = signCanonical('lockkit hub session v1', { challenge, key }, decider);
    const opened = await this.#wire.ask('POST', '/v1/session', { key, challenge, signature });
    if (!opened.ok) throw new HubRefused(opened.code);
    this.#wire.authorization = `Session ${shaped(sessionSchema, opened.value).session}`;
  }

  async #readConsoles(): Promise<void> {
    const answer = await this.#ask('GET', '/v1/consoles');
    if (!answer.ok) throw new HubRefused(answer.code);
    this.#consoles = shaped(consolesSchema, answer.value).consoles;
    for (const row of this.#consoles) this.#announced.add(announcement(row.key, row));
  }

  /** Every page of what is open; gives the seq of the first, where the stream begins. */
  async #readOpen(): Promise<number> {
    const standing = new Set<string>();
    let [first, after]: [number | undefined, number | undefined] = [undefined, 0];
    while (after !== undefined) {
      const page = await this.#page(`state=open&after=${after}&limit=${READ_AT_ONCE}`);
      first ??= page.seq;
      for (const value of page.entries) standing.add(this.#hear(value) ?? '');
      after = page.next;
    }
    for (const id of this.#open.keys())
      if (!standing.has(id)) {
        this.#open.delete(id);
        this.#options.onNews({ kind: 'gone', id });
      }
    return first ?? 0;
  }

  async #page(query: string): Promise<z.infer<typeof pageSchema>> {
    const answer = await this.#ask('GET', `/v1/tickets?${query}`);
    if (!answer.ok) throw new HubRefused(answer.code);
    return shaped(pageSchema, answer.value);
  }

  /** As the wire asks; a session that the hub does not know any more is opened anew, once. */
  async #ask(method: string, path: string, body?: object): Promise<Outcome<unknown, HubCode>> {
    const patience = { later: this.#options.later, signal: this.#ended.signal };
    const ask = (): Promise<Outcome<unknown, HubCode>> =>
      askPatiently(this.#wire, patience, [method, path, body]);
    const answer = await ask();
    if (answer.ok || answer.code !== 'E_UNAUTHORIZED') return answer;
    await this.#openSession();
    return ask();
  }

  /** The id of what was verified. */
  #hear(value: unknown): string | undefined {
    const entry = this.#verify(value);
    if (entry === null) {
      this.#options.onNews({ kind: 'forged', id: idIn(value) });
      return undefined;
    }
    const { id } = entry.ticket;
    const known = this.#open.get(id);
    this.#open.delete(id);
    if (isOpenState(entry.state)) this.#open.set(id, entry);
    if (known?.seq !== entry.seq) this.#options.onNews({ kind: 'ticket', entry });
    return id;
  }

  #verify(value: unknown): VerifiedEntry | null {
    const entry = parseHubEntry(value);
    if (entry === null || !this.#isTrusted(entry.key, entry.ticket)) return null;
    const hash = hashTicket(entry.ticket);
    const { id } = entry.ticket;
    if ((this.#hashes.get(id) ?? hash) !== hash || !verifyTicket(entry, entry.key)) return null;
    this.#hashes.set(id, hash);
    const [oldest] = this.#hashes.keys();
    if (this.#hashes.size > MAX_HASHES && oldest !== undefined) this.#hashes.delete(oldest);
    return { ...entry, verified: true };
  }

  #isTrusted(key: string, of: Place): boolean {
    const { isTrusted } = this.#options;
    return isTrusted ? isTrusted(key, of) : this.#announced.has(announcement(key, of));
  }

  #hearConsole(value: unknown): void {
    const parsed = consoleSchema.safeParse(value);
    if (!parsed.success) return;
    const { lock, instance, profile } = parsed.data;
    const isOther = (row: HubConsole): boolean =>
      row.lock !== lock || row.instance !== instance || row.profile !== profile;
    this.#consoles = [...this.#consoles.filter(isOther), parsed.data];
    this.#announced.add(announcement(parsed.data.key, parsed.data));
    this.#options.onNews({ kind: 'console', console: parsed.data });
  }
}

function announcement(key: string, { lock, instance, profile }: Place): string {
  return JSON.stringify([key, lock, instance, profile]);
}

function shaped<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new HubLost('nonsense');
  return parsed.data;
}

function idIn(value: unknown): string | null {
  const id = (value as { readonly ticket?: { readonly id?: unknown } } | null)?.ticket?.id;
  return typeof id === 'string' && /^t_[0-9A-Z]{16}$/.test(id) ? id : null;
}
