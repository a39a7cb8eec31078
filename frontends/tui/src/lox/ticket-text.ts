// Tickets as text for a person without the window: `lox tickets`, `lox history`. Every word of an agent is visible text.
import { renderLine, visibleText } from 'lockkit/approval';
import type { ControlTicket } from './control-messages.js';

function renderTicket(ticket: ControlTicket): string {
  const { id, lock, instance, profile, kind, risk, state, since, rule, reason, why, screen } = ticket;
  const name = `${lock} ${profile}${instance === '' ? '' : `@${instance}`}`;
  const by = rule === undefined ? '' : rule === 'human' ? ' by a human' : ` by ${rule}`;
  const said = reason === undefined ? '' : `: ${visibleText(reason)}`;
  const head = `${id}  ${state}${by}${said}${why === undefined ? '' : ` (${visibleText(why)})`}  ${since}`;
  return `${head}\n    ${visibleText(name)} · ${kind} · ${risk} · ${renderLine(screen.title)}\n`;
}

export function renderTickets(tickets: readonly ControlTicket[], nothing: string): string {
  return tickets.length === 0 ? `${nothing}\n` : tickets.map(renderTicket).join('');
}
