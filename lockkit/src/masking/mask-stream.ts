// Masks a text that arrives in pieces, in bounded memory. Windows end where the text says so, never where a piece
// ends, so every split into pieces gives the same result. Called by the masker (for whole outputs too) and by the
// mask command. Shows nothing of a window before all of it, and 64 KiB after it, have been looked at.
import type RE2 from 're2';
import { EncodedForms } from './encoded-forms.js';
import { Explainer, type OnHidden } from './explain.js';
import { findValues, type Found, type Search } from './find-values.js';
import { asMasked, type MaskedText } from './masked-text.js';
import { continuedEnd, type OpenValue } from './open-value.js';
import { applyRules, renderParts, splitAtBrackets, splitAtSpans, type Part } from './parts.js';
import { PendingBytes } from './pending-bytes.js';
import type { NameValue } from './pseudonym.js';
import type { Span } from './spans.js';
import { characterStart, completeLength, toValidUtf8 } from './utf8.js';

export const WINDOW_BYTES = 1 << 20;
export const LOOK_AHEAD_BYTES = 64 << 10;
const CONTEXT_BYTES = 4096;
const BLOCK_HEAD_BYTES = 256;

/** What a stream masks with; made by the masker. */
export interface StreamSettings {
  readonly search: Search;
  /** Rules in the order in which they see the text; the rules of one step are united. */
  readonly ruleSteps: readonly (readonly RE2[])[];
  readonly nameValue: NameValue;
  /** Nothing that begins at or after this many bytes of valid UTF-8 is shown; detection goes on. */
  readonly showUpTo: number;
}

export interface MaskStream {
  /** The next bytes; gives what is ready to show, perhaps nothing. */
  readonly push: (chunk: Buffer) => MaskedText;
  /** No more bytes; gives the rest. */
  readonly end: () => MaskedText;
  /** Hidden values so far, by kind. */
  readonly masked: () => Record<string, number>;
}

/** `onHidden` is told, in order, of every value that is hidden. */
export function openMaskStream(settings: StreamSettings, onHidden?: OnHidden): MaskStream {
  const windows = new Windows(settings, onHidden === undefined ? undefined : new Explainer(onHidden));
  return {
    push: (chunk) => asMasked(windows.push(chunk)),
    end: () => asMasked(windows.end()),
    masked: () => ({ ...windows.masked }),
  };
}

class Windows {
  readonly masked: Record<string, number> = {};
  private readonly settings: StreamSettings;
  private readonly explainer: Explainer | undefined;
  private readonly forms = new EncodedForms();
  private readonly pending = new PendingBytes();
  private incomplete: Buffer = Buffer.alloc(0);
  /** How many of the pending bytes are shown already and stay as context. */
  private context = 0;
  private open: OpenValue | undefined;
  /** Where the new text begins after a value that was open. */
  private skipTo = 0;
  private shown = 0;

  constructor(settings: StreamSettings, explainer: Explainer | undefined) {
    this.settings = settings;
    this.explainer = explainer;
  }

  push(chunk: Buffer): string {
    const bytes = this.incomplete.length > 0 ? Buffer.concat([this.incomplete, chunk]) : chunk;
    const complete = completeLength(bytes);
    this.incomplete = Buffer.from(bytes.subarray(complete));
    this.pending.append(toValidUtf8(bytes.subarray(0, complete)));
    return this.fullWindows();
  }

  end(): string {
    this.pending.append(toValidUtf8(this.incomplete));
    this.incomplete = Buffer.alloc(0);
    return this.fullWindows() + this.window(true);
  }

  private fullWindows(): string {
    let text = '';
    while (this.pending.length - this.context >= WINDOW_BYTES + LOOK_AHEAD_BYTES) text += this.window(false);
    return text;
  }

  private window(isLast: boolean): string {
    const { context, pending } = this;
    const boundary = isLast
      ? pending.length
      : boundaryOf(pending.slice(0, context + WINDOW_BYTES + 4), context);
    const ahead = pending.slice(0, boundary + LOOK_AHEAD_BYTES + 4);
    const bytes = isLast ? ahead : ahead.subarray(0, characterStart(ahead, boundary + LOOK_AHEAD_BYTES));
    const found = findValues(this.settings.search, bytes, this.forms);
    const spans = this.clip(found.spans, bytes, context);
    const end = Math.max(endOfWindow(spans, boundary), this.skipTo);
    const staysOpen = this.open !== undefined && this.skipTo === bytes.length;
    if (!staysOpen) this.open = openAt(spans, end, bytes);
    const text = this.render(bytes, context, end, { ...found, spans });
    this.leave(bytes, end);
    return text;
  }

  /** Spans of the new text alone; what a value that was open takes of it is hidden without a further placeholder. */
  private clip(spans: readonly Span[], bytes: Buffer, context: number): readonly Span[] {
    const from = this.open === undefined ? context : continuedEnd(this.open, bytes, context);
    this.skipTo = from;
    const fresh = spans.filter((span) => span.end > from);
    return fresh.map((span) => (span.start < from ? { ...span, start: from } : span));
  }

  private render(bytes: Buffer, context: number, end: number, found: Found): string {
    const from = Math.min(Math.max(context, this.skipTo), end);
    const limit = this.settings.showUpTo - this.shown + context;
    const inWindow = found.spans.filter((span) => span.start < end);
    let parts = splitAtSpans(from, end, inWindow, this.settings.nameValue);
    if (this.settings.ruleSteps.length > 0) parts = splitAtBrackets(bytes, parts);
    for (const rules of this.settings.ruleSteps)
      parts = applyRules(bytes, parts, rules, this.settings.nameValue);
    this.count(parts, limit);
    this.explainer?.follow(bytes, context, end, parts);
    return renderParts(bytes, parts, limit, found.plainText);
  }

  private count(parts: readonly Part[], limit: number): void {
    for (const { kind, from } of parts) {
      if (kind !== undefined && from < limit) this.masked[kind] = (this.masked[kind] ?? 0) + 1;
    }
  }

  private leave(bytes: Buffer, end: number): void {
    this.shown += end - this.context;
    const from = characterStart(bytes, Math.max(0, end - CONTEXT_BYTES));
    this.pending.drop(from);
    this.context = end - from;
  }
}

/** After the last newline of a full window, or at its last character. `context` bytes stand before the window. */
function boundaryOf(bytes: Buffer, context: number): number {
  const window = bytes.subarray(context, context + WINDOW_BYTES);
  const newline = window.lastIndexOf(0x0a);
  return newline >= 0 ? context + newline + 1 : characterStart(bytes, context + WINDOW_BYTES);
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
  const head = bytes.toString('latin1', last.start, last.start + BLOCK_HEAD_BYTES);
  return /PRIVATE/i.test(head) || last.why.startsWith('private key') ? 'block' : 'line';
}
