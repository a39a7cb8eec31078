// The shared record's tables. Made by the first hub that opens the database; never changed by a later one.
// `head` holds the last seq: whoever changes anything holds its row, so that the order of seq is the order in which
// changes become visible.
import type { Query } from './postgres-link.js';

/** Any number that nothing else in the database takes. */
const SCHEMA_LOCK = 7_211_970_043;

const TABLES = [
  'create schema if not exists lockkit_hub',
  `create table if not exists lockkit_hub.head (
     only_one boolean primary key default true check (only_one),
     version integer not null,
     seq bigint not null)`,
  'insert into lockkit_hub.head (version, seq) values (1, 0) on conflict do nothing',
  `create table if not exists lockkit_hub.console (
     owner text primary key,
     seq bigint not null,
     body text not null)`,
  `create table if not exists lockkit_hub.ticket (
     id text primary key,
     seq bigint not null unique,
     owner text not null,
     key text not null,
     hash text not null,
     state text not null,
     since text not null,
     ends_ms bigint,
     ticket text not null,
     signature text not null,
     decision text,
     why text)`,
  `create index if not exists ticket_open on lockkit_hub.ticket (seq)
     where state in ('pending', 'approved')`,
  'create index if not exists ticket_owner on lockkit_hub.ticket (owner, seq)',
  'create index if not exists console_seq on lockkit_hub.console (seq)',
];

/** Gives the version of the tables. */
export async function makeTables(query: Query): Promise<number> {
  await query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
  for (const text of TABLES) await query(text);
  const [head] = await query('select version from lockkit_hub.head');
  return Number(head?.['version']);
}
