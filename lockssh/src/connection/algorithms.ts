// The only algorithms that a connection may use, in order of preference.
// Called by the place that connects. No SHA-1 signature or MAC, no CBC, and no chacha20-poly1305: without strict key
// exchange it is open to prefix truncation (Terrapin), and the client cannot tell before it is used.

/** Host key algorithms on the wire, by the key type that known_hosts records. */
const HOST_KEY_ALGORITHMS = [
  ['ssh-ed25519', 'ssh-ed25519'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp256'],
  ['ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp384'],
  ['ecdsa-sha2-nistp521', 'ecdsa-sha2-nistp521'],
  ['ssh-rsa', 'rsa-sha2-512'],
  ['ssh-rsa', 'rsa-sha2-256'],
] as const;

export const KEX_ALGORITHMS = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group-exchange-sha256',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group18-sha512',
  'diffie-hellman-group14-sha256',
] as const;

export const CIPHERS = [
  'aes256-gcm@openssh.com',
  'aes128-gcm@openssh.com',
  'aes256-ctr',
  'aes192-ctr',
  'aes128-ctr',
] as const;

export const MACS = [
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha2-256',
  'hmac-sha2-512',
] as const;

export type HostKeyAlgorithm = (typeof HOST_KEY_ALGORITHMS)[number][1];

/**
 * Every allowed host key algorithm, those of the recorded types first: a server that still has the recorded key
 * presents it, and one that has not presents another, which is then a changed key.
 */
export function orderHostKeyAlgorithms(recordedTypes: readonly string[]): readonly HostKeyAlgorithm[] {
  const isRecorded = (type: string): boolean => recordedTypes.includes(type);
  return [
    ...HOST_KEY_ALGORITHMS.filter(([type]) => isRecorded(type)),
    ...HOST_KEY_ALGORITHMS.filter(([type]) => !isRecorded(type)),
  ].map(([, algorithm]) => algorithm);
}

/** The type of key that a host key algorithm presents. */
export function keyTypeOf(algorithm: HostKeyAlgorithm): string {
  return algorithm.startsWith('rsa-') ? 'ssh-rsa' : algorithm;
}
