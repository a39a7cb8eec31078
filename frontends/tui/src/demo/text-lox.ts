// lox without its window, for the demo as text: its hub, its deciders, its ticket desk. The one human who reads the
// console's screens reads the tickets too. Opened by play-in-text.ts; `lox run` is the same with a window.
import { join } from 'node:path';
import { processClock, type Human, type Line } from 'lockkit/approval';
import { TICKET_LIMITS, type DesktopLevel } from 'lockkit/tickets';
import { ConsoleKeys } from '../lox/console-keys.js';
import { Deciders } from '../lox/deciders.js';
import { openHubHost } from '../lox/hub-host.js';
import { rowId } from '../lox/lock-list.js';
import type { LoxPlace } from '../lox/lox-place.js';
import { RuleBook } from '../lox/rule-book.js';
import type { LoxRow } from '../lox/run-lox.js';
import { TicketDesk, type TicketDeskParts } from '../lox/ticket-desk.js';

export interface TextLox {
  /** What the console is started with. */
  readonly hub: { readonly url: string; readonly keyFile: string };
  readonly onTicketKey: (key: string) => void;
  /** Resolves when the ticket is decided, or closed without a decision. */
  readonly decided: (ticket: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const DEMO_LEVEL: DesktopLevel = 1;

export async function openTextLox(row: LoxRow, place: LoxPlace, human: Human): Promise<TextLox> {
  const host = await openHubHost({
    place,
    ownUid: row.consoleUid,
    isShared: false,
    nowMs: Date.now,
    later: processClock.after,
    onFault: (message) => human.note([`▲ hub: ${message}`]),
  });
  const keys = new ConsoleKeys(join(place.stateDir, 'console-keys.jsonl'), () => new Date());
  const deciders = new Deciders(host, keys, (news) => desk.hear(news));
  const desk = new TicketDesk({
    window: asWindow(human),
    human: () => deciders.human,
    auto: () => deciders.auto,
    rules: new RuleBook(process.env),
    desktopLevel: DEMO_LEVEL,
    rowOf: ({ key }) => (keys.rowOf(key) === undefined ? undefined : { row, source: rowId(row) }),
  });
  await deciders.open();
  const keyFile = host.admit(row, row.consoleUid);
  return {
    hub: { url: host.url, keyFile },
    onTicketKey: (key) => keys.add(row, key),
    decided: (ticket) => desk.decided(ticket),
    close: async () => {
      deciders.close();
      await host.close();
    },
  };
}

function asWindow(human: Human): TicketDeskParts['window'] {
  const open = new Map<string, AbortController>();
  return {
    ask: ({ id, screen, about }, settle) => {
      const withdrawn = new AbortController();
      open.set(id, withdrawn);
      const options = { about, signal: withdrawn.signal, timeoutMs: TICKET_LIMITS.decideMs };
      void human.ask(screen, options).then((answer) => {
        open.delete(id);
        settle(answer);
      });
    },
    withdraw: (id, why) => {
      open.get(id)?.abort();
      human.note([why]);
    },
    note: (_source: string, line: Line) => human.note(line),
  };
}
