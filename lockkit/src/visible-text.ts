// The entry of `lockkit/visible-text`: text from outside on a terminal, without the rest of `lockkit/approval`.
// For whoever starts often and shows little: the command of the agent's side.
export { visibleText } from './approval/visible.js';
export { terminalText } from './approval/terminal-text.js';
export { renderArgv } from './approval/render-argv.js';
