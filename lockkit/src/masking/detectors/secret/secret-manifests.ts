// Kubernetes secrets as YAML or JSON: every value under data and stringData, whatever its key. Hangs on the kind line;
// looks at that document alone.
import type { Emit, View } from '../../detector.js';
import { isBlankOrReference } from './not-a-secret.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

const MAX_DOCUMENT = 65_536;
const KIND = /^["']?[ \t]*:[ \t]*["']?Secret["']?[ \t]*(?:[,\r\n}]|$)/i;
const YAML_BLOCK = /^([ \t]*)(?:data|stringData):[ \t]*\r?$/;
const YAML_PAIR = /^[ \t]*[\w.-]{1,253}:[ \t]*(\S.*?)\r?$/;
const JSON_BLOCK = /"(?:data|stringData)"\s{0,8}:\s{0,8}\{([^{}]{0,65536})\}/g;
const JSON_PAIR = /"[\w.-]{1,253}"\s{0,8}:\s{0,8}"((?:[^"\\]|\\.)*)"/g;

export const secretManifests: SecretFinder = { literals: ['kind'], open: openManifests };

function openManifests(view: View, emit: Emit): SecretLook {
  let seen = 0;
  return {
    literal: (_index, start, end) => {
      if (start < seen || !KIND.test(view.text.slice(end, end + 24))) return;
      const from = Math.max(seen, documentStart(view, start));
      const to = documentEnd(view, end);
      seen = to;
      if (view.text[start - 1] === '"') jsonValues(view, from, to, emit);
      else yamlValues(view, from, to, emit);
    },
  };
}

function documentStart(view: View, at: number): number {
  const divider = view.text.lastIndexOf('\n---', at);
  return Math.max(divider, at - MAX_DOCUMENT, 0);
}

function documentEnd(view: View, at: number): number {
  const divider = view.text.slice(at, at + MAX_DOCUMENT).indexOf('\n---');
  return divider < 0 ? Math.min(view.length, at + MAX_DOCUMENT) : at + divider;
}

function yamlValues(view: View, from: number, to: number, emit: Emit): void {
  let dataIndent: number | undefined;
  let textIndent: number | undefined;
  let at = from;
  for (const line of view.text.slice(from, to).split('\n')) {
    const indent = line.search(/\S/);
    const header = YAML_BLOCK.exec(line);
    if (textIndent !== undefined && indent >= 0 && indent <= textIndent) textIndent = undefined;
    if (header !== null) dataIndent = indent;
    else if (dataIndent !== undefined && indent >= 0 && indent <= dataIndent) dataIndent = undefined;
    else if (textIndent !== undefined) textLine(at, line, emit);
    else if (dataIndent !== undefined && yamlValue(at, line, emit)) textIndent = indent;
    at += line.length + 1;
  }
}

/** Hides the value of a pair; true when the value is the block of text that follows. */
function yamlValue(lineFrom: number, line: string, emit: Emit): boolean {
  const value = YAML_PAIR.exec(line)?.[1];
  if (value === undefined) return false;
  if (/^[|>][+-]?\d?$/.test(value)) return true;
  if (isBlankOrReference(value)) return false;
  const start = lineFrom + line.indexOf(value, line.indexOf(':') + 1);
  emit(start, start + value.length, 'value of a secret manifest');
  return false;
}

function textLine(lineFrom: number, line: string, emit: Emit): void {
  const text = line.trim();
  const start = lineFrom + line.indexOf(text);
  emit(start, start + text.length, 'value of a secret manifest');
}

function jsonValues(view: View, from: number, to: number, emit: Emit): void {
  for (const block of view.text.slice(from, to).matchAll(JSON_BLOCK)) {
    const inner = block[1] as string;
    const innerFrom = from + block.index + block[0].length - 1 - inner.length;
    for (const pair of inner.matchAll(JSON_PAIR)) {
      const value = pair[1] as string;
      const start = innerFrom + pair.index + pair[0].length - 1 - value.length;
      emit(start, start + value.length, 'value of a secret manifest');
    }
  }
}
