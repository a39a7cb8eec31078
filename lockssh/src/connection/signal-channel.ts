// Sends KILL to what a channel runs, also after its stdin was closed.
// Called by a run that is over its time. The library's own signal() is silently dropped once stdin has ended, so this
// reaches into it; the tests hold it against the real server.

import type { ClientChannel } from 'ssh2';

interface ChannelInside {
  readonly outgoing: { readonly id: number; readonly state: string };
  readonly _client: { readonly _protocol: { readonly signal: (id: number, name: string) => void } };
}

export function killChannel(channel: ClientChannel): void {
  const { outgoing, _client } = channel as unknown as ChannelInside;
  if (outgoing.state === 'open' || outgoing.state === 'eof') _client._protocol.signal(outgoing.id, 'KILL');
}
