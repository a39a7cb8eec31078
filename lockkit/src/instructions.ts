// lockkit/instructions: what every lock asks of an agent, for front-ends that only say it.
export { instructionLines, SHARED_INSTRUCTIONS } from './wiring/instructions.js';
