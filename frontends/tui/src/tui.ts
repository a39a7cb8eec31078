// @lockkit/tui: the human's side of any lock in a terminal.
export { consoleWish, runConsoleInTerminal, type ConsoleFlags } from './console-command.js';
export { openPipeHuman, type PipedHuman, type PipeHumanOptions } from './pipe/pipe-human.js';
export { openWindowHuman } from './window/window-human.js';
export type { WindowOptions } from './window/surface.js';
export { runLox, type LoxRow, type RunLoxOptions, type RunningLox } from './lox/run-lox.js';
export { placeIn, type LoxPlace } from './lox/lox-place.js';
export type { LoxIo } from './lox/lox-io.js';
