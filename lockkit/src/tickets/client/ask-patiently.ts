// A request that waits its turn: a hub that is asked too fast says E_BUSY, and the same request may be sent again.
// Used for what a client must get through after it connected (pages, tickets that still wait) and for decisions.
import type { Outcome } from '../../contract/outcome.js';
import type { HubCode } from '../hub/hub-codes.js';
import type { HubWire } from './hub-wire.js';
import { pause, type ConnectionParts } from './keep-connected.js';

const TRIES = 40;
const WAIT_MS = 250;

export async function askPatiently(
  wire: HubWire,
  parts: Pick<ConnectionParts, 'later' | 'signal'>,
  [method, path, body]: readonly [method: string, path: string, body?: object | undefined],
): Promise<Outcome<unknown, HubCode>> {
  for (let tries = 1; ; tries++) {
    const answer = await wire.ask(method, path, body);
    if (answer.ok || answer.code !== 'E_BUSY' || tries === TRIES || parts.signal.aborted) return answer;
    await pause(WAIT_MS, parts);
  }
}
