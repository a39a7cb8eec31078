// Every number that bounds a connection, in one table. Called by the connection and its tests, which may lower them.
// A limit is never absent: there is no unlimited.

export interface ConnectionLimits {
  /** From the first packet to the end of authentication. */
  readonly readyTimeoutMs: number;
  /** One address of the host; the next is tried after it. */
  readonly addressTimeoutMs: number;
  readonly keepaliveIntervalMs: number;
  /** Unanswered keepalives after which the connection is lost. */
  readonly keepaliveCount: number;
  /** Silence after the exit status after which a channel that a background child holds open is left. */
  readonly graceMs: number;
  /** From KILL to the answer that the process ended; after it the end is unknown. */
  readonly killGraceMs: number;
  /** From KILL to the next KILL: the first may arrive before the process has its own group. */
  readonly killAgainMs: number;
  /** From the request of a session to the server's word that the line runs. */
  readonly openTimeoutMs: number;
  /** One question of the login. */
  readonly probeTimeoutMs: number;
  /** Sessions at once on one connection: OpenSSH's MaxSessions. A server that allows fewer is found out. */
  readonly maxSessions: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  readyTimeoutMs: 20_000,
  addressTimeoutMs: 10_000,
  keepaliveIntervalMs: 15_000,
  keepaliveCount: 3,
  graceMs: 500,
  killGraceMs: 3_000,
  killAgainMs: 250,
  openTimeoutMs: 15_000,
  probeTimeoutMs: 15_000,
  maxSessions: 10,
};
