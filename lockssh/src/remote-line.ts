// The remote line: an argv made into one line for a login shell, and the proof that the shell reads it so.
export { encodeArgument, encodeRemoteLine, type LineForm } from './remote-line/encode-remote-line.js';
export { checkKnownAnswer, knownAnswerArgv } from './remote-line/known-answer.js';
export {
  decideShell,
  provedShell,
  type ProvedShell,
  type ShellVerdict,
} from './remote-line/proved-shells.js';
