// The verdict of a known_hosts file on the key that a server presents ("Host key").
// Called by the connection before any secret is sent. A line that cannot be read vouches for nothing; a host that is
// recorded with any other key, of whatever type, is changed and never new.

import { isHostInField, knownHostName } from './host-pattern.js';
import { parseHostKey, type HostKey } from './host-key.js';

/** What the file says; `certAuthority`: it names an authority for this host, which is not supported and never asked about. */
export type KnownHostsVerdict =
  | { readonly kind: 'ok' }
  | { readonly kind: 'unknown'; readonly certAuthority: boolean }
  | { readonly kind: 'changed'; readonly recordedTypes: readonly string[] }
  | { readonly kind: 'revoked' };

type Marker = 'none' | 'revoked' | 'cert-authority';

interface KnownHostsLine {
  readonly marker: Marker;
  readonly hosts: string;
  readonly key: HostKey;
}

/** The verdict on one presented key (wire form). A key that is no well-formed key is never ok. */
export function checkKnownHosts(
  text: string,
  host: string,
  port: number,
  presented: Buffer,
): KnownHostsVerdict {
  const lines = parseKnownHosts(text);
  const verdict = checkName(lines, knownHostName(host, port), presented);
  if (port === 22 || verdict.kind !== 'unknown') return verdict;
  // As OpenSSH does: a key recorded for the host's port 22 also vouches for its other ports, and only vouches.
  const bare = checkName(lines, knownHostName(host, 22), presented);
  return bare.kind === 'ok' || bare.kind === 'revoked' ? bare : verdict;
}

/** The key types that the file records for this host, in its order: what the client must ask the server for first. */
export function recordedKeyTypes(text: string, host: string, port: number): readonly string[] {
  const lines = linesOf(parseKnownHosts(text), knownHostName(host, port), 'none');
  return [...new Set(lines.map((line) => line.key.type))];
}

/** The line to append for a key that the human trusted, with its newline. */
export function encodeKnownHostsLine(host: string, port: number, key: HostKey): string {
  return `${knownHostName(host, port)} ${key.type} ${key.blob.toString('base64')}\n`;
}

function checkName(lines: readonly KnownHostsLine[], name: string, presented: Buffer): KnownHostsVerdict {
  const revoked = linesOf(lines, name, 'revoked');
  const authorities = linesOf(lines, name, 'cert-authority');
  const recorded = linesOf(lines, name, 'none');
  const isRevoked = (blob: Buffer): boolean => revoked.some((line) => line.key.blob.equals(blob));
  if (isRevoked(presented)) return { kind: 'revoked' };
  if (recorded.some((line) => line.key.blob.equals(presented))) return { kind: 'ok' };
  if (recorded.length > 0) return { kind: 'changed', recordedTypes: recorded.map((line) => line.key.type) };
  if (authorities.some((line) => isRevoked(line.key.blob))) return { kind: 'revoked' };
  return { kind: 'unknown', certAuthority: authorities.length > 0 };
}

function linesOf(lines: readonly KnownHostsLine[], name: string, marker: Marker): readonly KnownHostsLine[] {
  return lines.filter((line) => line.marker === marker && isHostInField(name, line.hosts));
}

function parseKnownHosts(text: string): readonly KnownHostsLine[] {
  return text.split('\n').flatMap((line) => parseLine(line) ?? []);
}

function parseLine(line: string): KnownHostsLine | null {
  const fields = line.split(/[ \t\r]+/u).filter((field) => field !== '');
  const first = fields[0];
  if (first === undefined || first.startsWith('#')) return null;
  const marker = parseMarker(first);
  if (marker === null) return null;
  const [hosts, type, encoded] = marker === 'none' ? fields : fields.slice(1);
  if (hosts === undefined || type === undefined || encoded === undefined) return null;
  const key = parseEncodedKey(encoded);
  return key === null || key.type !== type ? null : { marker, hosts, key };
}

function parseMarker(field: string): Marker | null {
  if (!field.startsWith('@')) return 'none';
  if (field === '@revoked') return 'revoked';
  return field === '@cert-authority' ? 'cert-authority' : null;
}

function parseEncodedKey(encoded: string): HostKey | null {
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/u.test(encoded)) return null;
  return parseHostKey(Buffer.from(encoded, 'base64'));
}
