// The limits of the hub protocol in one table (docs/hub-protocol.md, section 7). Used by the server and the clients.

export const HUB_LIMITS = {
  headBytes: 8 * 1024,
  ticketBytes: 256 * 1024,
  decisionBytes: 128 * 1024,
  otherBytes: 4 * 1024,
  connections: 256,
  /** On a Unix socket, of one account. */
  connectionsPerUid: 64,
  waitingPerLock: 16_384,
  /** In any second, for one lock or decider. */
  requestsPerSecond: 100,
  /** In any second, for all together. */
  failuresPerSecond: 20,
  streamsPerPrincipal: 4,
  /** A client that reads nothing of its stream for so long is cut. */
  unreadMs: 30_000,
  requestMs: 10_000,
  beatMs: 10_000,
  /** A client that hears nothing for so long connects again. */
  silentMs: 30_000,
  expireEveryMs: 1000,
  challengeMs: 30_000,
  challenges: 64,
  sessionMs: 12 * 3_600_000,
  sessionsPerDecider: 8,
  pageEntries: 500,
  defaultPageEntries: 100,
  pageBytes: 4 * 1024 * 1024,
  /** What a client takes for one answer: a page, and one entry more. */
  answerBytes: 8 * 1024 * 1024,
} as const;
