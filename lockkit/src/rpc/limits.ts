// The limits of the wire and of a console against clients that flood or stall, in one table
// (docs/decisions.md, "Wire" and "Limits against an agent that floods or stalls").

export const WIRE_LIMITS = {
  requestBytes: 1024 * 1024,
  replyBytes: 16 * 1024 * 1024,
  /** Connections at once, for one account. */
  connectionsPerPeer: 32,
  /** Requests in any second, for one account. */
  requestsPerSecond: 20,
  /** Tickets or questions that wait at once, for one account. */
  waitingPerPeer: 8,
  /** A new connection says hello within this time. */
  helloMs: 10_000,
  /** How long a denied subject is refused without asking again. */
  deniedMs: 10 * 60_000,
  /** How long a client waits for a human. */
  answerMs: 5 * 60_000,
} as const;
