// The entry of `lockkit/approval`: screens as data, questions to the human, and the forms of the human.
export { untrusted, maskedText, argvText } from './approval/untrusted.js';
export type { Untrusted, Masked, Argv } from './approval/untrusted.js';
export { parseScreen, screenSchema } from './approval/screen.js';
export type { Screen, Section, Line, Span, Fact, DangerLine } from './approval/screen.js';
export { parseAnswer, questionSchema } from './approval/question.js';
export type { Answer, Question, YesNoQuestion, TypedQuestion, SecretQuestion } from './approval/question.js';
export { DEFAULT_ANSWER_TIMEOUT_MS } from './approval/human.js';
export type {
  Human,
  AskOptions,
  CommandName,
  CommandHandler,
  ConsoleStatus,
  QuestionAbout,
} from './approval/human.js';
export { renderScreen, layOutScreen, layOutRows, renderLine } from './approval/render-text.js';
export type { RenderOptions, Layout, LaidRow } from './approval/render-text.js';
export { showLine, type RowStyle } from './approval/screen-rows.js';
export { makeVisible, type Unit, type Visible } from './approval/visible.js';
export { renderArgv } from './approval/render-argv.js';
export { visibleText } from './approval/visible.js';
export { terminalText } from './approval/terminal-text.js';
export { openTerminalHuman } from './approval/terminal-human.js';
export type { TerminalHumanOptions } from './approval/terminal-human.js';
export { openTerminal, processClock } from './approval/terminal.js';
export type { Clock, Terminal, TerminalStreams } from './approval/terminal.js';
export { LineEditor, type LineEvents } from './approval/line-editor.js';
export {
  APPEARANCE_GUARD_MS,
  CHANGE_GUARD_MS,
  QUIET_MS,
  decideKey,
  decideQuiet,
  openGuard,
} from './approval/answer-guard.js';
export type { Guard, GuardEffect, KeyClass } from './approval/answer-guard.js';
export { createKeyReader } from './approval/key-reader.js';
export type { Key, KeyReader, MoveKey } from './approval/key-reader.js';
