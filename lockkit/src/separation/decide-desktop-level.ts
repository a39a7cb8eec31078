// How far the human's window is from the agent's account (docs/decisions.md, "Desktop security level"). Pure; called
// by the console's start and by doctor. What is unknown counts as 1.
import type { SessionFacts } from './session-facts.js';

export type DesktopLevel = 1 | 2 | 3;

export interface DesktopReason {
  readonly code:
    | 'container'
    | 'login_unknown'
    | 'login_foreign'
    | 'no_terminal'
    | 'terminal_foreign'
    | 'session_unknown'
    | 'session_foreign'
    | 'session_kind_unknown'
    | 'x11'
    | 'relay'
    | 'multiplexer'
    | 'terminal_indirect'
    | 'device_group'
    | 'own_session';
  readonly sentence: string;
}

export interface DesktopVerdict {
  readonly level: DesktopLevel;
  /** Why it is not higher; at level 3, what makes it so. */
  readonly reasons: readonly DesktopReason[];
}

export function decideDesktopLevel(facts: SessionFacts): DesktopVerdict {
  const one = reasonsForOne(facts);
  if (one.length > 0) return { level: 1, reasons: one };
  const two = reasonsForTwo(facts);
  if (two.length > 0) return { level: 2, reasons: two };
  const sentence = 'this terminal is in a login session of its own';
  return { level: 3, reasons: [{ code: 'own_session', sentence }] };
}

type Row = readonly [holds: boolean, code: DesktopReason['code'], sentence: string];

function reasonsOf(rows: readonly Row[]): readonly DesktopReason[] {
  return rows.filter(([holds]) => holds).map(([, code, sentence]) => ({ code, sentence }));
}

function reasonsForOne({
  uid,
  loginUid,
  terminals,
  session,
  container,
}: SessionFacts): readonly DesktopReason[] {
  return reasonsOf([
    [container !== null, 'container', 'the console runs in a container: who reads its terminal is unknown'],
    [loginUid === null, 'login_unknown', 'the kernel does not know which account logged in here'],
    [loginUid !== null && loginUid !== uid, 'login_foreign', 'another account logged in here'],
    [terminals.length === 0, 'no_terminal', 'there is no terminal'],
    [hasForeignTerminal(uid, terminals), 'terminal_foreign', 'the terminal belongs to another account'],
    [session === null, 'session_unknown', 'the session manager knows no login session of this process'],
    [session !== null && session.uid !== uid, 'session_foreign', 'the login session is another account’s'],
    [
      session !== null && !['x11', 'wayland', 'tty'].includes(session.type),
      'session_kind_unknown',
      'the kind of the login session is unknown',
    ],
  ]);
}

/** Root reads everything anyway: its terminal (a container's, a boot console) is nobody else's. */
export function hasForeignTerminal(uid: number, terminals: SessionFacts['terminals']): boolean {
  return terminals.some((terminal) => terminal.uid !== uid && terminal.uid !== 0);
}

function reasonsForTwo(facts: SessionFacts): readonly DesktopReason[] {
  const { session, terminals, clients, isMultiplexed } = facts;
  const text = session?.type === 'tty';
  const watched = clients.some(({ deviceGroups }) => deviceGroups.length > 0);
  return reasonsOf([
    [usesX11(facts), 'x11', 'the display is X11: programs of other accounts may read and type on it'],
    [
      session?.remote === true || session?.seat === null,
      'relay',
      'the terminal comes through a relay (ssh, machinectl) and not from a screen of this machine',
    ],
    [isMultiplexed, 'multiplexer', 'a terminal multiplexer (tmux, screen) can be attached from elsewhere'],
    [
      text && terminals.some(({ kind }) => kind !== 'console'),
      'terminal_indirect',
      'the terminal is not the text console itself',
    ],
    [
      watched,
      'device_group',
      'a client is in a group that may read screens or keyboards (tty, video, input)',
    ],
  ]);
}

export function usesX11({ session, hasX11Display }: SessionFacts): boolean {
  return session?.type === 'x11' || (hasX11Display && session?.type !== 'wayland');
}
