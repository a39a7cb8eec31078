// @lockkit/tui: the human's side of any lock in a terminal.
export { consoleWish, runConsoleInTerminal, type ConsoleFlags } from './console-command.js';
