import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideDesktopLevel, type DesktopReason } from './decide-desktop-level.js';
import type { SessionFacts } from './session-facts.js';
import { client, goodFacts, session } from './test/sample-facts.js';

type Change = Partial<SessionFacts>;
type Code = DesktopReason['code'];

const wayland: Change = {
  session: { ...session, type: 'wayland' },
  terminals: [{ kind: 'pseudo', path: '/dev/pts/2', uid: goodFacts.uid }],
};
const other = { kind: 'pseudo', path: '/dev/pts/9', uid: 1001 } as const;

/** Why it is not higher, by what is different from a text console of the console's own account. */
const LOWERS: readonly (readonly [title: string, change: Change, level: 1 | 2, code: Code])[] = [
  ['a container', { container: 'docker' }, 1, 'container'],
  ['no login is known', { loginUid: null }, 1, 'login_unknown'],
  ['su or sudo from the agent’s login', { loginUid: 1001 }, 1, 'login_foreign'],
  ['root logged in and changed over', { loginUid: 0 }, 1, 'login_foreign'],
  ['no terminal', { terminals: [] }, 1, 'no_terminal'],
  ['the agent’s terminal', { terminals: [other] }, 1, 'terminal_foreign'],
  [
    'one of three descriptors is the agent’s',
    { terminals: [...goodFacts.terminals, other] },
    1,
    'terminal_foreign',
  ],
  ['no session manager', { session: null }, 1, 'session_unknown'],
  ['the agent’s session', { session: { ...session, uid: 1001 } }, 1, 'session_foreign'],
  ['a session of an unknown kind', { session: { ...session, type: 'mir' } }, 1, 'session_kind_unknown'],
  ['an X11 session', { session: { ...session, type: 'x11' } }, 2, 'x11'],
  ['an X11 display in a text session (ssh -X)', { hasX11Display: true }, 2, 'x11'],
  ['ssh', { session: { ...session, remote: true, seat: null } }, 2, 'relay'],
  ['machinectl shell', { session: { ...session, seat: null } }, 2, 'relay'],
  ['tmux or screen', { isMultiplexed: true }, 2, 'multiplexer'],
  [
    'a pseudo terminal in a text session',
    { terminals: [{ kind: 'pseudo', path: '/dev/pts/1', uid: goodFacts.uid }] },
    2,
    'terminal_indirect',
  ],
  ['a client in the group video', { clients: [{ ...client, deviceGroups: ['video'] }] }, 2, 'device_group'],
];

describe('decideDesktopLevel', () => {
  test.each([
    ['a text console of its own', {}],
    ['a Wayland session of its own', wayland],
    ['a Wayland session with its own X server beside it', { ...wayland, hasX11Display: true }],
    ['a terminal that root owns', { terminals: [{ kind: 'console', path: '/dev/tty1', uid: 0 }] }],
  ] as const)('3: %s', (_title, change) => {
    expect(decideDesktopLevel({ ...goodFacts, ...change })).toMatchObject({
      level: 3,
      reasons: [{ code: 'own_session' }],
    });
  });

  test.each(LOWERS)('%s', (_title, change, level, code) => {
    const verdict = decideDesktopLevel({ ...goodFacts, ...change });
    expect(verdict.level).toBe(level);
    expect(verdict.reasons.map((reason) => reason.code)).toEqual([code]);
  });

  test('never higher than the lowest of what is true at once, whatever comes together', () => {
    fc.assert(
      fc.property(fc.subarray([...LOWERS], { minLength: 1 }), (rows) => {
        const facts = rows.reduce<SessionFacts>((now, [, change]) => ({ ...now, ...change }), goodFacts);
        // A later row may take an earlier one back (two kinds of session): what counts is what holds in the end.
        const holding = rows.filter(([, change]) =>
          Object.entries(change).every(([key, value]) => facts[key as keyof SessionFacts] === value),
        );
        const lowest = Math.min(...holding.map(([, , level]) => level));
        expect(decideDesktopLevel(facts).level).toBeLessThanOrEqual(lowest);
      }),
      { numRuns: 2000 },
    );
  });
});
