// `lox tickets` and `lox history`: what waits, and what was decided, asked of the running lox; history is read from the
// record where none runs. Nothing is decided here.
import { openEmbeddedStore, type HubEntry } from 'lockkit/hub';
import { lockFile } from 'lockkit/native';
import { hashTicket, verifyTicket } from 'lockkit/tickets';
import { join } from 'node:path';
import { ConsoleKeys } from './console-keys.js';
import { askRunningLox } from './control-client.js';
import type { ControlReply, ControlTicket } from './control-messages.js';
import { describeEntry } from './control-desk.js';
import { ask, type DecidePlace } from './decide-command.js';
import { renderTickets } from './ticket-text.js';

export async function listTickets(json: boolean, at: DecidePlace): Promise<number> {
  return print(await ask(at, { kind: 'tickets' }), json, 'nothing waits', at);
}

export async function listHistory(limit: number, json: boolean, at: DecidePlace): Promise<number> {
  const { place, io } = at;
  const running = await askRunningLox(place.controlSocket, io.account.uid, { kind: 'history', limit });
  return print(running ?? (await readRecord(limit, at)), json, 'nothing was decided yet', at);
}

/** No lox runs: the record is this process's for a moment. */
async function readRecord(limit: number, { place }: DecidePlace): Promise<ControlReply> {
  const store = await openEmbeddedStore({ folder: place.recordDir, lock: lockFile });
  try {
    const keys = new ConsoleKeys(join(place.stateDir, 'console-keys.jsonl'), () => new Date());
    const from = { before: Number.MAX_SAFE_INTEGER };
    const entries = await store.page({ state: 'all', from, count: limit });
    const isOurs = (entry: HubEntry): boolean =>
      keys.isKnown(entry.key, entry.ticket) && verifyTicket(entry, entry.key);
    const verified = entries.filter(isOurs);
    const tickets = verified.map((entry) => describeEntry(entry, hashTicket(entry.ticket)));
    return { kind: 'tickets', tickets, unverified: entries.length - verified.length };
  } finally {
    await store.shutDown();
  }
}

function print(reply: ControlReply, json: boolean, nothing: string, { io }: DecidePlace): number {
  if (reply.kind !== 'tickets') {
    io.err('lox: the running lox could not answer\n');
    return 1;
  }
  const { tickets, unverified } = reply;
  if (json) io.out(`${JSON.stringify({ tickets: tickets.map(withoutScreen), unverified })}\n`);
  else {
    io.out(renderTickets(tickets, nothing));
    if (unverified > 0)
      io.out(`${unverified} more in the record were signed by no console that lox knows: not shown\n`);
  }
  return 0;
}

function withoutScreen({ screen: _screen, ...rest }: ControlTicket): Omit<ControlTicket, 'screen'> {
  return rest;
}
