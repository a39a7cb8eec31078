// Area A4: the verdict of a known_hosts file. Called by the runner; scenarios told in words are tests beside the
// connection. The judge never looks at the file.

import {
  checkKnownHosts,
  keyTypeOf,
  orderHostKeyAlgorithms,
  recordedKeyTypes,
} from '@lockkit/lockssh/connection';
import type { JsonObject, Kind, Kinds } from '../kind.js';

/**
 * Input {file: lines, host, port, server_keys: ["TYPE BASE64"]} → {verdict: ok | unknown | changed | revoked}.
 * The server presents its key of the first algorithm that the client asks for, as in a handshake; a certificate is
 * never asked for. `certificate_authority` says that the file leaves the host to an authority.
 */
const knownHosts: Kind = {
  run: (input) => {
    const text = strings(input['file']).join('\n');
    const host = String(input['host']);
    const port = Number(input['port']);
    const presented = presentKey(strings(input['server_keys']), recordedKeyTypes(text, host, port));
    if (presented === null) return { verdict: 'no common algorithm' };
    const verdict = checkKnownHosts(text, host, port, presented);
    return verdict.kind === 'unknown' && verdict.certAuthority
      ? { verdict: 'unknown', certificate_authority: true }
      : { verdict: verdict.kind };
  },
  judge: (_input, expected, got) => {
    const verdict = (got as JsonObject | null)?.['verdict'] ?? null;
    return verdict === expected['verdict'] ? null : `verdict: ${JSON.stringify(verdict)}`;
  },
};

export const kinds: Kinds = { known_hosts: knownHosts };

function presentKey(serverKeys: readonly string[], recorded: readonly string[]): Buffer | null {
  for (const algorithm of orderHostKeyAlgorithms(recorded)) {
    const key = serverKeys.find((entry) => entry.split(' ')[0] === keyTypeOf(algorithm));
    if (key !== undefined) return Buffer.from(key.split(' ')[1] ?? '', 'base64');
  }
  return null;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
