// The human's terminal, shared with the other locks' tests.
export { openConsolePane, type ConsolePane } from 'lockkit/console-pane';
