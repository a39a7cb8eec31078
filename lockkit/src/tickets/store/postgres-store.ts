// The hub's record in a PostgreSQL database, for several hubs at once (docs/hub-protocol.md, section 10). Opened by the
// hub's process in place of the embedded store; no other code differs. Who comes first is the database's to say: every
// change is one transaction that holds the head's row.
import { UserMistake } from '../../contract/fault.js';
import { accepted, refused, type Outcome } from '../../contract/outcome.js';
import { decideClosing, parseHubEntry, type HubConsole, type HubEntry } from '../hub-entry.js';
import type { SignedDecision } from '../decision.js';
import type { TicketState } from '../ledger.js';
import { hashTicket, TICKET_LIMITS } from '../ticket.js';
import { PostgresLink, SIGNAL_CHANGE, type PostgresOptions, type Query } from './postgres-link.js';
import { makeTables } from './postgres-schema.js';
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

type Row = Readonly<Record<string, unknown>>;

/** Where a ticket goes; `same`: it is there already. */
interface Step {
  readonly state: TicketState;
  readonly decision?: SignedDecision;
  readonly why?: string;
}

/** Throws StoreFault when the database cannot be used, UserMistake when its tables are of another version. */
export async function openPostgresStore(options: PostgresOptions): Promise<TicketStore> {
  const store = new PostgresStore(options);
  try {
    await store.open();
  } catch (error) {
    await store.shutDown();
    throw error;
  }
  return store;
}

class PostgresStore implements TicketStore {
  readonly #link: PostgresLink;
  readonly #listeners = new Set<() => void>();

  constructor(options: PostgresOptions) {
    this.#link = new PostgresLink(options, () => this.#signal());
  }

  async open(): Promise<void> {
    const version = await this.#link.transact(makeTables);
    if (version !== 1) throw new UserMistake('the database holds the record of another version of the hub');
    await this.#link.listen();
  }

  head = async (): Promise<number> => {
    const [row] = await this.#link.query('select seq from head');
    return Number(row?.['seq']);
  };

  announce = (owner: string, console: HubConsole): Promise<number> =>
    this.#change(async (query, seqs) => {
      const [row] = await query('select body from console where owner = $1', [owner]);
      if (row && (parseJson(row['body']) as HubConsole).key === console.key) return seqs.head;
      const open = await query(
        `select * from ticket where owner = $1 and state in ('pending', 'approved') order by seq`,
        [owner],
      );
      for (const ticket of open)
        await moveTo(query, ticket, { state: 'withdrawn', why: 'E_NEW_RUN' }, console.since, seqs.next());
      const values = [owner, seqs.next(), JSON.stringify(console)];
      await query(
        `insert into console (owner, seq, body) values ($1, $2, $3)
           on conflict (owner) do update set seq = excluded.seq, body = excluded.body`,
        values,
      );
      return seqs.head;
    });

  consoleOf = async (owner: string): Promise<HubConsole | undefined> => {
    const [row] = await this.#link.query('select body from console where owner = $1', [owner]);
    return row && (parseJson(row['body']) as HubConsole);
  };

  consoles = async (): Promise<readonly HubConsole[]> =>
    (await this.#link.query('select body from console order by seq')).map(
      ({ body }) => parseJson(body) as HubConsole,
    );

  post = ({ owner, key, ticket, signature, now, maxWaiting }: Posting): ReturnType<TicketStore['post']> =>
    this.#change<Outcome<{ readonly entry: HubEntry; readonly isNew: boolean }, PostCode>>(
      async (query, seqs) => {
        const hash = hashTicket(ticket);
        const [known] = await query('select * from ticket where id = $1', [ticket.id]);
        if (known && (known['owner'] !== owner || known['hash'] !== hash)) return refused('E_DUPLICATE');
        if (known) return accepted({ entry: entryOf(known), isNew: false });
        const [{ count } = {}] = await query(
          `select count(*) from ticket where owner = $1 and state in ('pending', 'approved')`,
          [owner],
        );
        if (Number(count) >= maxWaiting) return refused('E_BUSY');
        const ends = Date.parse(ticket.expires_at);
        const [row] = await query(
          `insert into ticket (id, seq, owner, key, hash, state, since, ends_ms, ticket, signature)
             values ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9) returning *`,
          [
            ticket.id,
            seqs.next(),
            owner,
            key,
            hash,
            now.toISOString(),
            ends,
            JSON.stringify(ticket),
            signature,
          ],
        );
        return accepted({ entry: entryOf(row as Row), isNew: true });
      },
    );

  decide = (id: string, signed: SignedDecision, now: Date): Promise<Outcome<HubEntry, MoveCode>> =>
    this.#move(id, now, (row) => {
      if (row['state'] === 'pending' && Number(row['ends_ms']) > now.getTime())
        return { state: signed.decision.verdict, decision: signed };
      return entryOf(row).decision?.signature === signed.signature ? 'same' : 'E_NOT_PENDING';
    });

  close: TicketStore['close'] = ({ owner, id, state, why, now }) =>
    this.#move(id, now, (row) => {
      if (row['owner'] !== owner) return 'E_UNKNOWN_TICKET';
      const step = decideClosing(row['state'] as TicketState, state);
      if (step === 'move') return { state, ...(why === undefined ? {} : { why }) };
      return step === 'same' ? 'same' : 'E_NOT_PENDING';
    });

  expire = async (now: Date): Promise<void> => {
    const over = `state in ('pending', 'approved') and ends_ms <= $1`;
    const [any] = await this.#link.query(`select 1 from ticket where ${over} limit 1`, [now.getTime()]);
    if (!any) return;
    await this.#change(async (query, seqs) => {
      const rows = await query(`select * from ticket where ${over} order by seq`, [now.getTime()]);
      for (const row of rows) await moveTo(query, row, { state: 'expired' }, now.toISOString(), seqs.next());
    });
  };

  find = async (id: string): Promise<OwnedEntry | undefined> => {
    const [row] = await this.#link.query('select * from ticket where id = $1', [id]);
    return row && { owner: String(row['owner']), entry: entryOf(row) };
  };

  page = async ({ state, from, count }: PageQuery): Promise<readonly HubEntry[]> => {
    const only = {
      all: 'true',
      open: `state in ('pending', 'approved')`,
      closed: `state not in ('pending', 'approved')`,
    }[state];
    const [where, order, at] =
      'after' in from ? ['seq > $1', 'asc', from.after] : ['seq < $1', 'desc', from.before];
    const text = `select * from ticket where ${only} and ${where} order by seq ${order} limit $2`;
    return (await this.#link.query(text, [at, count])).map(entryOf);
  };

  changes = async ({ after, count, owner }: ChangesQuery): Promise<readonly StoreChange[]> => {
    const mine = owner === undefined ? [] : [owner];
    const tickets = await this.#link.query(
      `select * from ticket where seq > $1 ${owner === undefined ? '' : 'and owner = $3'} order by seq limit $2`,
      [after, count, ...mine],
    );
    const consoles =
      owner === undefined
        ? await this.#link.query('select * from console where seq > $1 order by seq limit $2', [after, count])
        : [];
    const changes = [
      ...tickets.map((row): StoreChange => ({ kind: 'ticket', entry: entryOf(row) })),
      ...consoles.map((row): StoreChange => ({
        kind: 'console',
        seq: Number(row['seq']),
        console: parseJson(row['body']) as HubConsole,
      })),
    ];
    const seqOf = (change: StoreChange): number => (change.kind === 'ticket' ? change.entry.seq : change.seq);
    return changes.sort((a, b) => seqOf(a) - seqOf(b)).slice(0, count);
  };

  onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  shutDown = (): Promise<void> => this.#link.close();

  #signal(): void {
    for (const listener of this.#listeners) listener();
  }

  #move(
    id: string,
    now: Date,
    decide: (row: Row) => Step | 'same' | MoveCode,
  ): Promise<Outcome<HubEntry, MoveCode>> {
    return this.#change<Outcome<HubEntry, MoveCode>>(async (query, seqs) => {
      const [row] = await query('select * from ticket where id = $1', [id]);
      const step = row === undefined ? 'E_UNKNOWN_TICKET' : decide(row);
      if (step === 'same') return accepted(entryOf(row as Row));
      if (typeof step === 'string') return refused(step);
      return accepted(entryOf(await moveTo(query, row as Row, step, now.toISOString(), seqs.next())));
    });
  }

  /** One writer at a time holds the head; what it numbered becomes visible in that order. */
  #change<T>(work: (query: Query, seqs: Seqs) => Promise<T>): Promise<T> {
    return this.#link.transact(async (query) => {
      const [row] = await query('select seq from head for update');
      const before = Number(row?.['seq']);
      const seqs = new Seqs(before);
      const result = await work(query, seqs);
      if (seqs.head > before) {
        await query('update head set seq = $1', [seqs.head]);
        await query(SIGNAL_CHANGE);
      }
      return result;
    });
  }
}

class Seqs {
  head: number;
  constructor(head: number) {
    this.head = head;
  }
  next(): number {
    this.head += 1;
    return this.head;
  }
}

async function moveTo(query: Query, row: Row, step: Step, since: string, seq: number): Promise<Row> {
  const { state, decision, why } = step;
  const ends = state === 'approved' ? Date.parse(since) + TICKET_LIMITS.useMs : null;
  const [moved] = await query(
    `update ticket set state = $2, seq = $3, since = $4, ends_ms = $5,
       decision = coalesce($6, decision), why = coalesce($7, why) where id = $1 returning *`,
    [row['id'], state, seq, since, ends, decision ? JSON.stringify(decision) : null, why ?? null],
  );
  return moved as Row;
}

/** What stands in the database is checked like what comes over a wire: others may write there too. */
function entryOf(row: Row): HubEntry {
  const entry = parseHubEntry({
    seq: Number(row['seq']),
    ticket: parseJson(row['ticket']),
    signature: row['signature'],
    key: row['key'],
    state: row['state'],
    since: row['since'],
    ...(row['decision'] === null ? {} : { decision: parseJson(row['decision']) }),
    ...(row['why'] === null ? {} : { why: row['why'] }),
  });
  if (entry === null) throw new StoreFault('the database holds something else than was written');
  return entry;
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw new StoreFault('the database holds something else than was written');
  }
}
