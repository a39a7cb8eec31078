// A screen as logical rows: frame, content as visible text, style. Called by render-text.ts; knows no lock type and no
// terminal. Nothing from outside may enter a row but through visible text.
import type { Line, Span } from './line.js';
import type { Question } from './question.js';
import { makeVisibleArgv } from './render-argv.js';
import type { DangerLine, Fact, Screen, Section } from './screen.js';
import { makeVisible, plainUnits, type Visible } from './visible.js';

/** How a row stands out where there is colour. */
export type RowStyle = 'plain' | 'strong' | 'danger';

/** One logical line before wrapping. `frame` begins its first row, `continued` those that wrapping adds. */
export interface Row {
  readonly frame: string;
  readonly continued: string;
  readonly content: Visible;
  readonly style: RowStyle;
}

const LABEL_COLUMNS = 6;
const MAX_BLOCK_CODE_POINTS = 65536;
const DEMO_LINE = 'DEMO · same account, sample data: this protects nothing';

/** All rows of a screen, the prompt's last; see "The approval screen". */
export function toRows(screen: Screen): readonly Row[] {
  return [titleRow(screen), ...bodyRows(screen), lastRow(screen.question)];
}

function titleRow(screen: Screen): Row {
  const content = joinVisible([showLine(screen.title), showStatic(' ─────')]);
  return { frame: '╭─ ', continued: '│ ↳ ', content, style: 'strong' };
}

function lastRow(question: Question | undefined): Row {
  return {
    frame: question === undefined ? '╰─' : '╰─ ',
    continued: '  ↳ ',
    content: showPrompt(question),
    style: 'strong',
  };
}

function showPrompt(question: Question | undefined): Visible {
  if (question === undefined) return showStatic('────');
  if (question.kind === 'yes_no') return showStatic(`${question.prompt ?? 'Approve?'} [y/N]`);
  return showLine(question.prompt);
}

/** Blocks one after the other, an empty row between them. */
function bodyRows(screen: Screen): readonly Row[] {
  const head = [...(screen.demo === true ? [dangerRow([DEMO_LINE])] : []), ...screen.origin.map(plainRow)];
  const warnings = screen.warnings.map((line) => dangerRow(line));
  const blocks = [head, ...screen.sections.map(sectionRows), warnings].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : [plainRow([]), ...block]));
}

function sectionRows(section: Section): readonly Row[] {
  switch (section.kind) {
    case 'lines':
      return section.lines.map((line) => (isDanger(line) ? dangerRow(line.line) : plainRow(line)));
    case 'facts':
      return factRows(section.facts);
    case 'text':
      return textRows(section.text.text, section.text.kind === 'masked' ? 'masked' : 'line');
  }
}

function isDanger(line: Line | DangerLine): line is DangerLine {
  return 'kind' in line;
}

function factRows(facts: readonly Fact[]): readonly Row[] {
  const column = Math.max(LABEL_COLUMNS, ...facts.map((fact) => fact.label.length));
  return facts.map((fact) => plainRow([`${fact.label.padEnd(column)} `, ...fact.value]));
}

/** Text keeps its newlines; every row of it has a gutter, so that none can pass for a line of ours. */
function textRows(text: string, place: 'line' | 'masked'): readonly Row[] {
  const characters = [...text];
  const hidden = Math.max(0, characters.length - MAX_BLOCK_CODE_POINTS);
  const shown = hidden > 0 ? characters.slice(0, MAX_BLOCK_CODE_POINTS).join('') : text;
  const lines = shown.replace(/\n$/, '').split('\n');
  const rows = lines.map((line) => textRow(makeVisible(line, place, MAX_BLOCK_CODE_POINTS)));
  const cut = { units: plainUnits(`…[${hidden} more characters not shown]`), hidden };
  return hidden > 0 ? [...rows, { frame: '│ ', continued: '│ ↳ ', content: cut, style: 'danger' }] : rows;
}

function textRow(content: Visible): Row {
  return { frame: '│ ┊ ', continued: '│ ┊ ↳ ', content, style: 'plain' };
}

function plainRow(line: Line): Row {
  return { frame: '│ ', continued: '│ ↳ ', content: showLine(line), style: 'plain' };
}

function dangerRow(line: Line): Row {
  return {
    frame: '│ ',
    continued: '│ ↳ ',
    content: joinVisible([showStatic('▲ '), showLine(line)]),
    style: 'danger',
  };
}

/** A line as visible text. */
export function showLine(line: Line): Visible {
  return joinVisible(line.map(showSpan));
}

function showSpan(span: Span): Visible {
  if (typeof span === 'string') return showStatic(span);
  if (span.kind === 'argv') return makeVisibleArgv(span.argv);
  return makeVisible(span.text, span.kind === 'masked' ? 'masked' : 'line');
}

function showStatic(text: string): Visible {
  return makeVisible(text, 'static');
}

function joinVisible(parts: readonly Visible[]): Visible {
  return {
    units: parts.flatMap((part) => part.units),
    hidden: parts.reduce((sum, part) => sum + part.hidden, 0),
  };
}
