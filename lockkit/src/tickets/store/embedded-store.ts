// The hub's record in files, without any service (docs/hub-protocol.md, section 10). Opened by the hub's process.
// Changes are decided one after the other against what is on disk, written and synced together, and only then seen by
// anybody: no reader and no answer ever knows a change that a crash could take back.
import { UserMistake } from '../../contract/fault.js';
import { accepted, refused, type Outcome } from '../../contract/outcome.js';
import { decideClosing, isOpenState, type HubConsole, type HubEntry } from '../hub-entry.js';
import type { SignedDecision } from '../decision.js';
import { hashTicket } from '../ticket.js';
import {
  encodeChange,
  FIRST_PREV,
  parseChange,
  type ChangeLine,
  type RecordedChange,
} from './change-line.js';
import { HubState, type Row } from './hub-state.js';
import { openJournal, type Journal, type JournalOptions, type LinePlace } from './journal.js';
import {
  StoreFault,
  type ChangesQuery,
  type MoveCode,
  type OwnedEntry,
  type PageQuery,
  type PostCode,
  type Posting,
  type StoreChange,
  type TicketStore,
} from './ticket-store.js';

/** Decides on the state that is on disk: the changes to write, and what to answer once they are. */
interface Job {
  readonly now: Date;
  /** The ticket it looks at and changes; `all`: more than one. */
  readonly touches: string;
  readonly decide: () => { readonly changes: readonly RecordedChange[]; readonly done: () => void };
  readonly fail: (fault: unknown) => void;
}

const MAX_BATCH = 64;

/** Throws UserMistake for a record that is in use, open to others or damaged. */
export async function openEmbeddedStore(options: JournalOptions): Promise<TicketStore> {
  const journal = await openJournal(options);
  const state = new HubState();
  state.hash = FIRST_PREV;
  try {
    await journal.readLines((line, place) => {
      const change = parseChange(line);
      if (change === null || change.seq !== state.head + 1 || change.prev !== state.hash)
        throw new UserMistake(`the record in ${options.folder} is damaged at change ${state.head + 1}`);
      state.apply(change, place);
    });
  } catch (error) {
    await journal.close();
    throw error;
  }
  return new EmbeddedStore(journal, state);
}

class EmbeddedStore implements TicketStore {
  readonly #journal: Journal;
  readonly #state: HubState;
  readonly #listeners = new Set<() => void>();
  #jobs: Job[] = [];
  #running: Promise<void> | undefined;

  constructor(journal: Journal, state: HubState) {
    this.#journal = journal;
    this.#state = state;
  }

  head = (): Promise<number> => Promise.resolve(this.#state.head);

  announce = (owner: string, console: HubConsole): Promise<number> =>
    this.#change('all', new Date(console.since), () => {
      const answer = (): number => this.#state.head;
      if (this.#state.consoles.get(owner)?.console.key === console.key) return { changes: [], answer };
      const withdrawn = [...this.#state.openOf(owner)].map((id): RecordedChange => ({
        kind: 'close',
        id,
        state: 'withdrawn',
        why: 'E_NEW_RUN',
      }));
      const changes: RecordedChange[] = [...withdrawn, { kind: 'console', owner, console }];
      return { changes, answer };
    });

  consoleOf = (owner: string): Promise<HubConsole | undefined> =>
    Promise.resolve(this.#state.consoles.get(owner)?.console);

  consoles = (): Promise<readonly HubConsole[]> =>
    Promise.resolve([...this.#state.consoles.values()].map(({ console }) => console));

  post = async (
    posting: Posting,
  ): Promise<Outcome<{ readonly entry: HubEntry; readonly isNew: boolean }, PostCode>> => {
    const { owner, key, ticket, signature, now, maxWaiting } = posting;
    const taken = await this.#change<PostCode | boolean>(ticket.id, now, () => {
      const known = this.#state.rows.get(ticket.id);
      if (known)
        return nothing(known.owner === owner && known.hash === hashTicket(ticket) ? false : 'E_DUPLICATE');
      if (this.#state.openOf(owner).size >= maxWaiting) return nothing('E_BUSY');
      return { changes: [{ kind: 'ticket', owner, key, ticket, signature }], answer: () => true };
    });
    if (typeof taken === 'string') return refused(taken);
    return accepted({ entry: await this.#entry(ticket.id), isNew: taken });
  };

  decide = (id: string, signed: SignedDecision, now: Date): Promise<Outcome<HubEntry, MoveCode>> =>
    this.#move(id, now, (row) => {
      if (row.state === 'pending' && row.endsMs > now.getTime()) return [{ kind: 'decision', id, ...signed }];
      return row.entry?.decision?.signature === signed.signature ? 'same' : 'refuse';
    });

  close: TicketStore['close'] = ({ owner, id, state, why, now }) =>
    this.#move(id, now, (row) => {
      if (row.owner !== owner) return 'unknown';
      const step = decideClosing(row.state, state);
      if (step !== 'move') return step;
      return [{ kind: 'close', id, state, ...(why === undefined ? {} : { why }) }];
    });

  expire = async (now: Date): Promise<void> => {
    const isOver = (id: string): boolean => (this.#state.rows.get(id)?.endsMs ?? Infinity) <= now.getTime();
    if (![...this.#state.open.after(0)].some(isOver)) return;
    await this.#change('all', now, () => ({
      changes: [...this.#state.open.after(0)]
        .filter(isOver)
        .map((id): RecordedChange => ({ kind: 'close', id, state: 'expired' })),
      answer: () => undefined,
    }));
  };

  find = async (id: string): Promise<OwnedEntry | undefined> => {
    const row = this.#state.rows.get(id);
    return row && { owner: row.owner, entry: await this.#read(row) };
  };

  page = ({ state, from, count }: PageQuery): Promise<readonly HubEntry[]> => {
    const order = this.#state[state];
    const ids = 'after' in from ? order.after(from.after) : order.before(from.before);
    return Promise.all(firstOf(ids, count).map((id) => this.#entry(id)));
  };

  changes = async ({ after, count, owner }: ChangesQuery): Promise<readonly StoreChange[]> => {
    const ids = [...firstOf(this.#state.all.after(after), count, (id) => this.#isOf(id, owner))];
    const tickets = await Promise.all(
      ids.map(async (id): Promise<StoreChange> => ({ kind: 'ticket', entry: await this.#entry(id) })),
    );
    const consoles = owner === undefined ? [...this.#state.consoles.values()] : [];
    const announced = consoles
      .filter(({ seq }) => seq > after)
      .map(({ seq, console }): StoreChange => ({ kind: 'console', seq, console }));
    return [...tickets, ...announced].sort((a, b) => seqOf(a) - seqOf(b)).slice(0, count);
  };

  onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  shutDown = async (): Promise<void> => {
    await this.#running;
    await this.#journal.close();
  };

  #isOf(id: string, owner: string | undefined): boolean {
    return owner === undefined || this.#state.rows.get(id)?.owner === owner;
  }

  async #move(
    id: string,
    now: Date,
    step: (row: Row) => readonly RecordedChange[] | 'same' | 'refuse' | 'unknown',
  ): Promise<Outcome<HubEntry, MoveCode>> {
    const known = this.#state.rows.get(id);
    // The decision of a closed ticket lies on disk; a repeated request is answered from there.
    const past = known && !isOpenState(known.state) ? await this.#read(known) : undefined;
    const code = await this.#change<MoveCode | 'ok'>(id, now, () => {
      const row = this.#state.rows.get(id);
      const made = row === undefined ? 'unknown' : step(past && !row.entry ? { ...row, entry: past } : row);
      if (made === 'unknown') return nothing('E_UNKNOWN_TICKET');
      if (made === 'refuse') return nothing('E_NOT_PENDING');
      return { changes: made === 'same' ? [] : made, answer: () => 'ok' };
    });
    return code === 'ok' ? accepted(await this.#entry(id)) : refused(code);
  }

  #entry(id: string): Promise<HubEntry> {
    const row = this.#state.rows.get(id);
    if (row === undefined) throw new Error('a ticket that was just there is gone');
    return this.#read(row);
  }

  async #read(row: Row): Promise<HubEntry> {
    if (row.entry) return row.entry;
    const ticket = await this.#recorded(row.ticketPlace);
    const decided = row.decisionPlace && (await this.#recorded(row.decisionPlace));
    if (ticket.kind !== 'ticket' || (decided && decided.kind !== 'decision'))
      throw new StoreFault('the record holds something else than was written');
    const { seq, key, state, since, why } = row;
    const decision = decided && { decision: decided.decision, signature: decided.signature };
    const { ticket: body, signature } = ticket;
    return {
      seq,
      ticket: body,
      signature,
      key,
      state,
      since,
      ...(decision ? { decision } : {}),
      ...(why === undefined ? {} : { why }),
    };
  }

  async #recorded(place: LinePlace): Promise<RecordedChange> {
    const line = parseChange(await this.#journal.readAt(place));
    if (line === null) throw new StoreFault('the record was changed from outside');
    return line.change;
  }

  /** `decide` runs when everything before it is on disk; its answer leaves when its own changes are. */
  #change<T>(
    touches: string,
    now: Date,
    decide: () => { readonly changes: readonly RecordedChange[]; readonly answer: () => T },
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): ReturnType<Job['decide']> => {
        const { changes, answer } = decide();
        return { changes, done: () => resolve(answer()) };
      };
      this.#jobs.push({ touches, now, decide: run, fail: reject });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    while (this.#jobs.length > 0) await this.#runBatch(this.#takeBatch());
    this.#running = undefined;
  }

  /** Jobs that look at different tickets share one write and one sync. */
  #takeBatch(): readonly Job[] {
    const touched = new Set<string>();
    const end = this.#jobs.findIndex(({ touches }, index) => {
      if (index === MAX_BATCH || touched.has(touches) || (touches === 'all' && index > 0)) return true;
      if (touched.has('all')) return true;
      touched.add(touches);
      return false;
    });
    return this.#jobs.splice(0, end < 0 ? this.#jobs.length : end);
  }

  async #runBatch(batch: readonly Job[]): Promise<void> {
    try {
      const steps = batch.map((job) => ({ now: job.now, ...job.decide() }));
      await this.#write(steps.flatMap(({ changes, now }) => changes.map((change) => ({ change, now }))));
      for (const { done } of steps) done();
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }

  async #write(changes: readonly { readonly change: RecordedChange; readonly now: Date }[]): Promise<void> {
    if (changes.length === 0) return;
    const lines: { readonly line: Buffer; readonly change: ChangeLine }[] = [];
    let [seq, prev] = [this.#state.head, this.#state.hash];
    for (const { change, now } of changes) {
      const { line, hash } = encodeChange(++seq, now, change, prev);
      lines.push({ line, change: { seq, time: now.toISOString(), change, prev, hash } });
      prev = hash;
    }
    const places = await this.#journal.append(lines.map(({ line }) => line));
    lines.forEach(({ change }, index) => this.#state.apply(change, places[index] as LinePlace));
    for (const listener of this.#listeners) listener();
  }
}

function nothing<T>(answer: T): { readonly changes: readonly []; readonly answer: () => T } {
  return { changes: [], answer: () => answer };
}

function seqOf(change: StoreChange): number {
  return change.kind === 'ticket' ? change.entry.seq : change.seq;
}

function firstOf(
  ids: Iterable<string>,
  count: number,
  wanted: (id: string) => boolean = () => true,
): string[] {
  const first: string[] = [];
  for (const id of ids) {
    if (first.length >= count) break;
    if (wanted(id)) first.push(id);
  }
  return first;
}
