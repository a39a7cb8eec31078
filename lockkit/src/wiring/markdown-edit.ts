// Adds one marked section to a Markdown file that a human keeps, or makes a file of our own.
// Called by the planners. Text outside the section stays byte for byte; a section that is there is never replaced.
import { type Edit, type FileState, refusedEdit } from './change.js';

/** The file with the section at its end, between two comments that name it. */
export function addMarkdownSection(file: FileState, name: string, section: string): Edit {
  if (file.kind === 'other') return refusedEdit(file.reason);
  const begin = `<!-- ${name}:begin -->`;
  const block = `${begin}\n${section}<!-- ${name}:end -->\n`;
  if (file.kind === 'missing') return { status: 'create', text: block };
  const eol = file.text.includes('\r\n') ? '\r\n' : '\n';
  const ours = block.replaceAll('\n', eol);
  if (file.text.includes(ours)) return { status: 'unchanged' };
  if (file.text.includes(begin)) return { status: 'kept' };
  const gap = file.text === '' ? '' : file.text.endsWith('\n') ? eol : eol + eol;
  return { status: 'update', text: file.text + gap + ours };
}

/** A file that is ours alone: made where it is missing, otherwise left as it is. */
export function ownFile(file: FileState, text: string): Edit {
  if (file.kind === 'other') return refusedEdit(file.reason);
  if (file.kind === 'missing') return { status: 'create', text };
  return { status: file.text.replaceAll('\r\n', '\n') === text ? 'unchanged' : 'kept' };
}
