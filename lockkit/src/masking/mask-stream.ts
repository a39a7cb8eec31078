// Masks a text that arrives in pieces, in bounded memory. Windows end where the text says so, never where a piece
// ends, so every split into pieces gives the same result. Called by the masker (for whole outputs too) and by the
// mask command. Shows nothing of a window before all of it, and 64 KiB after it, have been looked at.
import type RE2 from 're2';
import { EncodedForms } from './encoded-forms.js';
import { findValues, type Found, type Search } from './find-values.js';
import { asMasked, type MaskedText } from './masked-text.js';
import { continuedEnd, type OpenValue } from './open-value.js';
import { applyRules, renderParts, splitAtBrackets, splitAtSpans, type Part } from './parts.js';
import type { NameValue } from './pseudonym.js';
import type { Span } from './spans.js';
import { characterStart, completeLength, toValidUtf8 } from './utf8.js';

export const WINDOW_BYTES = 1 << 20;
export const LOOK_AHEAD_BYTES = 64 << 10;
const CONTEXT_BYTES = 4096;

/** What a stream masks with; made by the masker. */
export interface StreamSettings {
  readonly search: Search;
  /** Rules in the order in which they see the text; the rules of one step are united. */
  readonly ruleSteps: readonly (readonly RE2[])[];
  readonly nameValue: NameValue;
  /** Nothing that begins at or after this many bytes of valid UTF-8 is shown; detection goes on. */
  readonly showUpTo: number;
  /** Called for every hidden value with the stream's index of its window's first byte. */
  readonly explain?: (span: Span, windowFrom: number) => void;
}

export interface MaskStream {
  /** The next bytes; gives what is ready to show, perhaps nothing. */
  readonly push: (chunk: Buffer) => MaskedText;
  /** No more bytes; gives the rest. */
  readonly end: () => MaskedText;
  /** Hidden values so far, by kind. */
  readonly masked: () => Record<string, number>;
}

export function openMaskStream(settings: StreamSettings): MaskStream {
  const windows = new Windows(settings);
  return {
    push: (chunk) => asMasked(windows.push(chunk)),
    end: () => asMasked(windows.end()),
    masked: () => ({ ...windows.masked }),
  };
}

class Windows {
  readonly masked: Record<string, number> = {};
  private readonly settings: StreamSettings;
  private readonly forms = new EncodedForms();
  private incomplete: Buffer = Buffer.alloc(0);
  private chunks: Buffer[] = [];
  private waiting = 0;
  /** Already shown text that the next window looks at for context. */
  private context: Buffer = Buffer.alloc(0);
  private open: OpenValue | undefined;
  private shown = 0;

  constructor(settings: StreamSettings) {
    this.settings = settings;
  }

  push(chunk: Buffer): string {
    const bytes = this.incomplete.length > 0 ? Buffer.concat([this.incomplete, chunk]) : chunk;
    const complete = completeLength(bytes);
    this.incomplete = Buffer.from(bytes.subarray(complete));
    this.take(toValidUtf8(bytes.subarray(0, complete)));
    let text = '';
    while (this.waiting >= WINDOW_BYTES + LOOK_AHEAD_BYTES) text += this.window(false);
    return text;
  }

  end(): string {
    if (this.incomplete.length > 0) this.take(toValidUtf8(this.incomplete));
    this.incomplete = Buffer.alloc(0);
    let text = '';
    while (this.waiting >= WINDOW_BYTES + LOOK_AHEAD_BYTES) text += this.window(false);
    return text + this.window(true);
  }

  private take(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.chunks.push(bytes);
    this.waiting += bytes.length;
  }

  private window(isLast: boolean): string {
    const body = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
    const boundary = isLast ? body.length : boundaryOf(body);
    const seen = isLast ? body.length : characterStart(body, boundary + LOOK_AHEAD_BYTES);
    const context = this.context.length;
    const bytes =
      context === 0 ? body.subarray(0, seen) : Buffer.concat([this.context, body.subarray(0, seen)]);
    const found = findValues(this.settings.search, bytes, this.forms);
    const spans = this.clip(found.spans, bytes, context);
    const end = endOfWindow(spans, context + boundary);
    this.open = isLast ? undefined : openAt(spans, end, bytes);
    const text = this.render(bytes, context, end, { ...found, spans });
    this.leave(bytes, end, body, context);
    return text;
  }

  /** Spans of the new text alone; what a value that was open takes of it is hidden without a further placeholder. */
  private clip(spans: readonly Span[], bytes: Buffer, context: number): readonly Span[] {
    const from = this.open === undefined ? context : continuedEnd(this.open, bytes, context);
    this.skipTo = from;
    const fresh = spans.filter((span) => span.end > from);
    return fresh.map((span) => (span.start < from ? { ...span, start: from } : span));
  }

  private skipTo = 0;

  private render(bytes: Buffer, context: number, end: number, found: Found): string {
    const from = Math.min(Math.max(context, this.skipTo), end);
    const limit = this.settings.showUpTo - this.shown + context;
    const inWindow = found.spans.filter((span) => span.start < end);
    let parts = splitAtSpans(from, end, inWindow, this.settings.nameValue);
    if (this.settings.ruleSteps.length > 0) parts = splitAtBrackets(bytes, parts);
    for (const rules of this.settings.ruleSteps)
      parts = applyRules(bytes, parts, rules, this.settings.nameValue);
    this.count(parts, limit);
    if (this.settings.explain !== undefined)
      for (const span of inWindow) this.settings.explain(span, this.shown - context);
    return renderParts(bytes, parts, limit, found.plainText);
  }

  private count(parts: readonly Part[], limit: number): void {
    for (const { kind, from } of parts) {
      if (kind !== undefined && from < limit) this.masked[kind] = (this.masked[kind] ?? 0) + 1;
    }
  }

  private leave(bytes: Buffer, end: number, body: Buffer, context: number): void {
    const used = end - context;
    const rest = body.subarray(used);
    this.shown += used;
    this.chunks = rest.length === 0 ? [] : [rest];
    this.waiting = rest.length;
    this.context = Buffer.from(bytes.subarray(characterStart(bytes, Math.max(0, end - CONTEXT_BYTES)), end));
  }
}

/** After the last newline of a full window, or at its last character. */
function boundaryOf(body: Buffer): number {
  const newline = body.subarray(0, WINDOW_BYTES).lastIndexOf(0x0a);
  return newline >= 0 ? newline + 1 : characterStart(body, WINDOW_BYTES);
}

/** A value that begins in the window belongs to it whole. */
function endOfWindow(spans: readonly Span[], boundary: number): number {
  const crossing = spans.find((span) => span.start < boundary && span.end > boundary);
  return crossing?.end ?? boundary;
}

/** The value that reaches the end of what was looked at may go on after it. */
function openAt(spans: readonly Span[], end: number, bytes: Buffer): OpenValue | undefined {
  if (end < bytes.length) return undefined;
  const last = spans.find((span) => span.end === end);
  if (last === undefined) return undefined;
  return last.why.startsWith('private key') ? 'block' : 'line';
}
