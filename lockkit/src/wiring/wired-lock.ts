// What wiring needs to know of a lock. Made from the lock's contract by the front-end; pure data.

export interface WiredLock {
  /** `lockssh`: the name of the MCP server, of the rule and of the skill. */
  readonly name: string;
  /** The MCP server's command: program and arguments, `["lockssh", "mcp"]`. */
  readonly command: readonly [string, ...string[]];
  /** One line. */
  readonly summary: string;
  /** Lines of the lock itself, after the ones that all locks share. */
  readonly instructions: readonly string[];
  /** MCP tools that only tell what is known already: suggested as allowed without asking. */
  readonly readOnlyTools: readonly string[];
}

/** A human may take 5 minutes to answer; agents must wait longer than that for a tool. */
export const TOOL_TIMEOUT_MS = 600_000;
/** Longest start of the MCP server. */
export const STARTUP_TIMEOUT_S = 30;
