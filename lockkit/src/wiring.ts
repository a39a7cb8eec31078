// lockkit/wiring: connects Claude Code, Codex, Cursor and Gemini CLI to a lock in a project. Safe for the agent's side.
export { AGENT_NAMES, isAgentName, type AgentName } from './wiring/agent-name.js';
export type { Change, Edit, FileState, Purpose } from './wiring/change.js';
export { renderInstructions } from './wiring/instructions.js';
export { planWiring, wiringPaths, type WiringRequest } from './wiring/plan-wiring.js';
export {
  checkWiring,
  detectAgents,
  runWiring,
  type WiredFile,
  type WiredStatus,
  type WiringResult,
  type WiringTask,
} from './wiring/run-wiring.js';
export type { WiredLock } from './wiring/wired-lock.js';
