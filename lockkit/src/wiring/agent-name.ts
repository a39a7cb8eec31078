// The agents that `init` can wire, and how each is recognised in a project. Called by the verb and by doctor.

export const AGENT_NAMES = ['claude', 'codex', 'cursor', 'gemini'] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

/** Paths whose presence says that an agent is used in the project. */
export const AGENT_MARKS: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ['.claude', '.mcp.json', 'CLAUDE.md'],
  codex: ['.codex', 'AGENTS.md'],
  cursor: ['.cursor', '.cursorrules'],
  gemini: ['.gemini', 'GEMINI.md'],
};

export function isAgentName(text: string): text is AgentName {
  return (AGENT_NAMES as readonly string[]).includes(text);
}
