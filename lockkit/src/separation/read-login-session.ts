// Which login session this process belongs to, from the session manager's own records. Called by read-session-facts.
// The kernel's group of the process decides before any environment variable does.
import type { FactsIo } from './facts-io.js';
import type { LoginSession } from './session-facts.js';

const SESSIONS = '/run/systemd/sessions';
const USERS = '/run/systemd/users';
const ID = /^[A-Za-z0-9]{1,32}$/;

/** null: there is no session manager, or it knows nothing of this process. */
export function readLoginSession(io: FactsIo): LoginSession | null {
  const id = sessionIdOf(io);
  if (id === null || !ID.test(id)) return null;
  const text = io.readText(`${SESSIONS}/${id}`);
  return text === null ? null : parseSession(id, text);
}

function sessionIdOf(io: FactsIo): string | null {
  const groups = io.readText('/proc/self/cgroup') ?? '';
  const scope = /\/session-([A-Za-z0-9]+)\.scope(\/|$)/m.exec(groups)?.[1];
  if (scope !== undefined) return scope;
  // A terminal window is started by the account's own manager: it shows on that account's graphical session.
  if (groups.includes(`/user@${String(io.uid)}.service/`)) {
    const display = valuesOf(io.readText(`${USERS}/${String(io.uid)}`) ?? '').get('DISPLAY');
    if (display !== undefined) return display;
  }
  return io.env['XDG_SESSION_ID'] ?? null;
}

/** KEY=value lines; a value has no quotes in these files. */
function valuesOf(text: string): ReadonlyMap<string, string> {
  const pairs = text.split('\n').flatMap((line) => {
    const at = line.indexOf('=');
    return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
  });
  return new Map(pairs);
}

function parseSession(id: string, text: string): LoginSession | null {
  const values = valuesOf(text);
  const uid = values.get('UID');
  if (uid === undefined || !/^[0-9]{1,10}$/.test(uid)) return null;
  const seat = values.get('SEAT') ?? '';
  return {
    id,
    uid: Number(uid),
    type: values.get('TYPE') ?? 'unspecified',
    seat: seat === '' ? null : seat,
    remote: values.get('REMOTE') !== '0',
  };
}
