// The real effect desk, ledger and decision check in a world of the test's own: a clock, a policy that changes, an
// agent, deciders with real keys, a crash. Everything that runs is compared, when it starts, with what was shown and
// signed for it. Used by the exploration of states and of interleavings.
import { randomBytes } from 'node:crypto';
import { argvText } from '../../approval/untrusted.js';
import { accepted, type Outcome } from '../../contract/outcome.js';
import { checkDecision } from '../../tickets/check-decision.js';
import { signDecision, type SignedDecision } from '../../tickets/decision.js';
import { TicketLedger } from '../../tickets/ledger.js';
import { makeSigningKey } from '../../tickets/signing.js';
import { hashSubject, type Ticket } from '../../tickets/ticket.js';
import { EffectDesk } from '../effect-desk.js';
import type { Effect, Need } from '../lock-type.js';
import type { PeerInfo } from '../peer-info.js';
import type { PolicyInForce } from '../policy-desk.js';
import type { TicketDecider, TicketVerdict } from '../ticket-decider.js';

const keys = { human: makeSigningKey(), auto: makeSigningKey(), stranger: makeSigningKey() };
const deciders = [
  { key: keys.human.key, role: 'human' as const },
  { key: keys.auto.key, role: 'auto' as const },
];

interface Waiting {
  readonly ticket: Ticket;
  readonly settle: (verdict: TicketVerdict) => void;
  isOver: boolean;
}

export interface Ran {
  readonly ticket: string;
  readonly argv: readonly string[];
}

export type Pause = (what: string) => Promise<void>;

export class DeskWorld {
  readonly #pause: Pause;
  nowMs = 1_800_000_000_000;
  policy = 'f';
  /** Every ticket that was shown, in order, over all runs of the console. */
  readonly shown: Ticket[] = [];
  readonly ran: Ran[] = [];
  readonly broken: string[] = [];
  readonly #decisions: SignedDecision[] = [];
  readonly #waiting = new Map<string, Waiting>();
  readonly #approvedByHand = new Map<string, number>();
  #records: string[] = [];
  ledger!: TicketLedger;
  #desk!: EffectDesk<string>;
  #run = 0;
  /** The tickets that this run of the console opened. */
  #ofThisRun = new Set<string>();

  constructor(pause: Pause = () => Promise.resolve()) {
    this.#pause = pause;
    this.crash();
  }

  /** The console dies and is started again: its memory is gone, what ran has run. */
  crash(): void {
    this.#run++;
    this.#waiting.clear();
    this.#records = [];
    this.#ofThisRun = new Set();
    const run = this.#run;
    this.ledger = new TicketLedger({ nowMs: () => this.nowMs, randomBytes });
    this.#desk = new EffectDesk<string>({
      lock: 'lockssh',
      profile: 'web',
      instance: '',
      production: () => false,
      productionLevel: 3,
      demo: false,
      decider: this.#decider(),
      ledger: this.ledger,
      policy: { current: () => this.#inForce(), refresh: () => this.#refresh() },
      audit: async (event, fields) => {
        await this.#pause(event);
        // A process that died writes nothing more, and what waits for its record goes no further.
        if (run !== this.#run) return new Promise<void>(() => undefined);
        this.#records.push(`${event} ${String(fields['ticket'])}`);
        return undefined;
      },
      auditHead: () => `1:${'0'.repeat(64)}`,
      nowMs: () => this.nowMs,
      after: () => () => undefined,
      makeId: () => randomBytes(8).toString('hex'),
      use: () => () => undefined,
      onClearResult: () => undefined,
    });
  }

  ask(
    argv: readonly string[],
    peerUid: number,
    ticket?: string,
    signal?: AbortSignal,
  ): Promise<Outcome<unknown>> {
    const needs: readonly Need[] = [{ kind: 'exec', rule: 'ask' }];
    const effect: Effect = {
      kind: 'effect',
      subject: { argv },
      needs,
      risk: 'write',
      record: {},
      screen: () => ({
        title: ['t'],
        origin: [],
        sections: [{ kind: 'lines', lines: [[argvText(argv)]] }],
        warnings: [],
      }),
      run: async (grant) => {
        this.#check(grant.ticket, argv, peerUid);
        await this.#pause('effect');
        return { result: 'done', record: {} };
      },
    };
    const inForce = this.#inForce();
    if (!inForce.ok) throw new Error('no policy');
    const peer: PeerInfo = { uid: peerUid, pid: 1, gid: 0, gids: [], account: null, exe: null };
    const call = {
      peer,
      policy: inForce.value,
      signal: signal ?? new AbortController().signal,
      ...(ticket === undefined ? {} : { ticket }),
    };
    return this.#desk.handle(effect, call, { method: 'run', intent: undefined, waits: false });
  }

  /** What a decider signs for a ticket; `as` says who, or how it is forged. */
  sign(ticket: Ticket, as: 'human' | 'denial' | 'auto' | 'stranger'): SignedDecision {
    const verdict = as === 'denial' ? 'denied' : 'approved';
    const rule = as === 'auto' ? `auto.${ticket.kind}` : 'human';
    const key = keys[as === 'denial' ? 'human' : as];
    const signed = signDecision(ticket, { verdict, rule, now: new Date(this.nowMs), desktopLevel: 3 }, key);
    if (as === 'human') this.#approvedByHand.set(ticket.id, this.nowMs);
    this.#decisions.push(signed);
    return signed;
  }

  /** Every decision ever signed, again, for every ticket that waits: what a lying hub can do. */
  replayAll(): void {
    for (const waiting of [...this.#waiting.values()])
      for (const signed of this.#decisions) this.deliver(waiting.ticket.id, signed);
  }

  deliver(id: string, signed: SignedDecision): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || waiting.isOver) return;
    const { ticket } = waiting;
    const checked = checkDecision(signed, { ticket, deciders, nowMs: this.nowMs, levelNeeded: 1 });
    if (!checked.ok) return;
    waiting.isOver = true;
    const { verdict: kind, rule } = checked.value;
    waiting.settle({ kind, rule });
  }

  withdraw(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || waiting.isOver) return;
    waiting.isOver = true;
    waiting.settle({ kind: 'withdrawn' });
  }

  /** Everything that decides what can happen next, without names that are random. */
  key(): string {
    const index = new Map(this.shown.map(({ id }, at) => [id, at]));
    const entries = this.shown.map(({ id, peer_uid, subject_hash, policy_fingerprint }) => {
      const entry = this.ledger.find(id);
      const age = entry === undefined ? 0 : Math.min(this.nowMs - entry.sinceMs, 1_200_000);
      const isOpen = entry?.state === 'pending' || entry?.state === 'approved';
      return [
        peer_uid,
        subject_hash.slice(0, 4),
        policy_fingerprint.slice(0, 4),
        entry?.state ?? 'forgotten',
        isOpen || entry?.state === 'denied' ? age : 0,
        this.#ofThisRun.has(id),
        this.#waiting.get(id)?.isOver ?? true,
        this.#decisions
          .filter(({ decision }) => decision.ticket === id)
          .map(({ decision }) => decision.verdict),
      ];
    });
    return JSON.stringify([this.policy, entries, this.ran.map(({ ticket }) => index.get(ticket))]);
  }

  #inForce(): Outcome<PolicyInForce<string>, 'E_POLICY'> {
    const fingerprint = hashSubject(this.policy);
    return accepted({ value: this.policy, fingerprint, maskRules: { reviewed: [], added: [] } });
  }

  async #refresh(): Promise<Outcome<PolicyInForce<string>, 'E_POLICY'>> {
    await this.#pause('refresh');
    return this.#inForce();
  }

  #decider(): TicketDecider {
    return {
      kind: 'hub',
      ended: () => undefined,
      ask: async (ticket) => {
        await this.#pause('post');
        this.shown.push(ticket);
        this.#ofThisRun.add(ticket.id);
        return {
          verdict: new Promise((settle) => this.#waiting.set(ticket.id, { ticket, settle, isOver: false })),
        };
      },
    };
  }

  /** In the tick in which something runs: everything that must hold. */
  #check(id: string | undefined, argv: readonly string[], peerUid: number): void {
    const ticket = this.shown.find((one) => one.id === id);
    const wrong = (what: string): void => void this.broken.push(`${what}: ${argv.join(' ')}`);
    if (ticket === undefined || id === undefined) return wrong('ran without a ticket that was shown');
    if (this.ran.some((one) => one.ticket === id)) wrong('ran twice');
    if (!JSON.stringify(ticket.screen).includes(JSON.stringify({ kind: 'argv', argv })))
      wrong('ran other bytes than were shown');
    if (ticket.policy_fingerprint !== hashSubject(this.policy)) wrong('ran under another policy');
    if (ticket.peer_uid !== peerUid) wrong('ran for another account');
    if (!this.#ofThisRun.has(id)) wrong('ran a ticket of an earlier run');
    const approvedMs = this.#approvedByHand.get(id);
    if (approvedMs === undefined) wrong('ran without a human’s signature');
    else if (approvedMs > Date.parse(ticket.expires_at)) wrong('ran on a decision that came too late');
    const order = ['ticket.open', 'ticket.approved', 'effect.start'].map((event) =>
      this.#records.indexOf(`${event} ${id}`),
    );
    if (order.some((at, index) => at < 0 || at < (order[index - 1] ?? 0))) wrong('ran before its records');
    this.ran.push({ ticket: id, argv });
  }
}
