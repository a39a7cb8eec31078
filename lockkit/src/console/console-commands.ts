// What the human types while no question waits: `:status`, `:review`, `:reopen`, `:results`, `:unmask`, `:quit`.
// Registered by the running console, whatever form the human has. Nothing here answers a ticket.
import type { Human } from '../approval/human.js';
import { untrusted } from '../approval/untrusted.js';
import type { Line, Screen } from '../approval/screen.js';
import type { TicketLedger } from '../tickets/ledger.js';
import type { LockSession } from './lock-type.js';
import type { PolicyDesk } from './policy-desk.js';

export interface CommandParts<P> {
  readonly human: Human;
  readonly policy: PolicyDesk<P>;
  readonly session: LockSession<P>;
  /** Whether clear results are shown here. */
  readonly results: { shown: boolean };
  readonly desktopLevel: 1 | 2 | 3;
  readonly profile: string;
  readonly statusOf: () => Readonly<Record<string, unknown>>;
  readonly ledger: TicketLedger;
  readonly finish: (why: 'quit' | 'target_changed') => void;
  readonly audit: (event: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
}

const LEVEL_NEEDED: Line = [
  'refused at this desktop level: clear text is for a login session of its own (level 3)',
];

const HELP: readonly string[] = [
  ':status   this session, its policy and what waits',
  ':review   policy changes and wishes that wait for you',
  ':reopen   ask again about a policy change you refused',
  ':results  clear results on this console, on or off (also Ctrl-O)',
  ':unmask   let the agent ask for output in clear, on or off',
  ':quit     end the session',
];

function statusScreen<P>(parts: CommandParts<P>): Screen {
  const facts = Object.entries(parts.statusOf()).map(([label, value]) => ({
    label,
    value: [untrusted(String(value))],
  }));
  const waiting = parts.ledger
    .waiting()
    .map(({ ticket }): Line => [`waits  ${ticket.id}  ${ticket.kind}  ${ticket.risk}`]);
  return {
    title: [untrusted(parts.profile.toUpperCase()), ' · status'],
    origin: [],
    sections: [
      { kind: 'facts', facts },
      { kind: 'lines', lines: [...parts.session.statusLines(), ...waiting] },
    ],
    warnings: [],
  };
}

async function toggleResults<P>({ human, results, desktopLevel, audit }: CommandParts<P>): Promise<void> {
  if (desktopLevel !== 3) return human.note(LEVEL_NEEDED);
  results.shown = !results.shown;
  await audit('console.results', { shown: results.shown });
  human.note([results.shown ? 'clear results are shown here from now on' : 'clear results are off']);
}

async function toggleUnmask<P>(
  { human, session, desktopLevel, audit }: CommandParts<P>,
  allowed: { on: boolean },
): Promise<void> {
  if (session.setUnmask === null) return human.note(['this lock has no clear output']);
  if (desktopLevel !== 3) return human.note(LEVEL_NEEDED);
  allowed.on = !allowed.on;
  await audit('console.unmask', { allowed: allowed.on });
  session.setUnmask(allowed.on);
  human.note([
    allowed.on ? 'the agent may ask for clear output now; each time you decide' : 'clear output is off',
  ]);
}

async function review<P>(
  { policy, session, finish, human }: CommandParts<P>,
  how: 'review' | 'reopen',
): Promise<void> {
  const end = await policy[how]();
  if (end === 'approved' || end === 'ends_session') session.policyApproved();
  if (end === 'ends_session') finish('target_changed');
  if (end === 'approved') human.note(['approved: in force from now on']);
  if (end === 'refused') human.note(['not approved: what was in force stays (:reopen asks again)']);
}

/** Returns a function that takes all of them off again. */
export function registerCommands<P>(parts: CommandParts<P>): () => void {
  const { human } = parts;
  const allowed = { on: false };
  const off = [
    human.onCommand(':status', () => human.show(statusScreen(parts))),
    human.onCommand(':review', () => review(parts, 'review')),
    human.onCommand(':reopen', () => review(parts, 'reopen')),
    human.onCommand(':results', () => toggleResults(parts)),
    human.onCommand(':unmask', () => toggleUnmask(parts, allowed)),
    human.onCommand(':quit', () => parts.finish('quit')),
    human.onCommand(':help', () => HELP.forEach((line) => human.note([line]))),
  ];
  return () => off.forEach((take) => take());
}
