// @lockkit/tui/demo: the demo of any lock. Never loaded by an installed command.
export { playDemo, type DemoPlay, type DemoScene, type StoryParts } from './demo/play-demo.js';
export type { AgentResult, RunAgent } from './demo/demo-agent.js';
export { openScriptedHuman } from './demo/scripted-human.js';
export { openPipeHuman } from './pipe/pipe-human.js';
