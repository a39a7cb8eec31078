// `lox approve ID` and `lox deny ID REASON`: for people without the window. Approving shows the whole screen in this
// terminal and asks as the window would; the running lox signs. A pipe is asked as well: silence is never a yes.
import { openTerminalHuman, processClock, type Answer, type Screen } from 'lockkit/approval';
import { UserMistake } from 'lockkit/contract';
import { isTicketId, type DesktopLevel } from 'lockkit/tickets';
import { hasColour } from '../window/terminal-kind.js';
import { askRunningLox } from './control-client.js';
import type { ControlReply, ControlRequest, ControlTicket } from './control-messages.js';
import type { LoxIo } from './lox-io.js';
import type { LoxPlace } from './lox-place.js';

export interface DecidePlace {
  readonly io: LoxIo;
  readonly place: LoxPlace;
  /** Of this terminal. */
  readonly desktopLevel: DesktopLevel;
}

const REFUSED: Readonly<Record<string, string>> = {
  E_NOT_PENDING: 'this ticket waits no longer',
  E_OTHER_TICKET: 'another ticket has this id now: nothing was decided',
  E_NEEDS_WINDOW: 'this ticket asks for values: they are typed in the window',
};

export async function ask({ io, place }: DecidePlace, request: ControlRequest): Promise<ControlReply> {
  const reply = await askRunningLox(place.controlSocket, io.account.uid, request);
  if (reply === null) throw new UserMistake('lox does not run in this account: start it with `lox run`');
  return reply;
}

/** Exit code 0: decided as asked; 1: not. */
export async function approve(id: string, at: DecidePlace): Promise<number> {
  const ticket = await findTicket(id, at);
  const answer = await askHere(ticket.screen, at.io);
  if (answer.kind === 'no') return decide(ticket, 'denied', at, answer.reason);
  if (answer.kind === 'yes') return decide(ticket, 'approved', at);
  at.io.out('not decided: the ticket waits on\n');
  return 1;
}

export async function deny(id: string, reason: string, at: DecidePlace): Promise<number> {
  const text = [...reason.trim()].slice(0, 500).join('');
  return decide(await findTicket(id, at), 'denied', at, text === '' ? undefined : text);
}

async function findTicket(id: string, at: DecidePlace): Promise<ControlTicket> {
  if (!isTicketId(id))
    throw new UserMistake('a ticket’s id is t_ and 16 characters: `lox tickets` lists them');
  const reply = await ask(at, { kind: 'tickets' });
  const found = reply.kind === 'tickets' ? reply.tickets.find((ticket) => ticket.id === id) : undefined;
  if (found?.state !== 'pending')
    throw new UserMistake('no ticket of that id waits: `lox tickets` lists them');
  return found;
}

async function decide(
  { id, hash }: ControlTicket,
  verdict: 'approved' | 'denied',
  at: DecidePlace,
  reason?: string,
): Promise<number> {
  const why = reason === undefined ? {} : { reason };
  const reply = await ask(at, { kind: 'decide', id, hash, verdict, level: at.desktopLevel, ...why });
  if (reply.kind === 'decided') {
    at.io.out(`${id} ${reply.state}\n`);
    return reply.state === verdict ? 0 : 1;
  }
  const code = reply.kind === 'refused' ? reply.code : 'E_INTERNAL';
  at.io.err(`lox: ${REFUSED[code] ?? 'nothing was decided'} (${code})\n`);
  return 1;
}

/** One question at this terminal, with all of its guards. */
async function askHere(screen: Screen, { stdin: input, stdout: output, env }: LoxIo): Promise<Answer> {
  const colour = hasColour({ isTerminal: input.isTTY && output.isTTY, env });
  const human = openTerminalHuman({ input, output, clock: processClock, colour });
  try {
    return await Promise.race([
      human.ask(screen),
      new Promise<Answer>((resolve) =>
        human.gone.addEventListener('abort', () => resolve({ kind: 'withdrawn' }), { once: true }),
      ),
    ]);
  } finally {
    await human.close();
  }
}
