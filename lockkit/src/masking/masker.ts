// The masker of one console run: made once from the policy in force and a fresh key, asked for every output before
// it leaves. It is the only way from clear bytes to MaskedText, and holds the key that names values.
import { compileRule, type MaskRule } from './mask-rule.js';
import type { AllowValue } from './allow-value.js';
import type { DetectorName } from './detector.js';
import { compileSearch } from './find-values.js';
import { asMasked, type MaskedText } from './masked-text.js';
import { openMaskStream, LOOK_AHEAD_BYTES, type MaskStream, type StreamSettings } from './mask-stream.js';
import { maskArguments } from './mask-arguments.js';
import { openPseudonyms } from './pseudonym.js';
import type { Explanation, OnHidden } from './explain.js';
import { characterStart, toValidUtf8 } from './utf8.js';

export interface MaskerSettings {
  readonly detectors: readonly DetectorName[];
  /** 32 random bytes, new for every console run. */
  readonly key: Buffer;
  /** Rules of the reviewed policy: united on one text. */
  readonly maskRules: readonly MaskRule[];
  /** Rules that agents added, in order of arrival: each sees what those before it left clear. */
  readonly agentRules: readonly MaskRule[];
  readonly allow: readonly AllowValue[];
}

export interface MaskOptions {
  /** Show only what begins before this many raw bytes; what follows is read for detection alone. */
  readonly cutAtBytes?: number;
  /** `cut`: the output ended by timeout, signal, loss or grace; its unfinished last line is dropped. */
  readonly ended?: 'complete' | 'cut';
}

export interface MaskResult {
  readonly text: MaskedText;
  /** Hidden values by kind. */
  readonly masked: Readonly<Record<string, number>>;
  /** Something of the output is not shown. */
  readonly truncated: boolean;
}

export interface Masker {
  readonly mask: (raw: Buffer, options?: MaskOptions) => MaskResult;
  /** One line of text, for the audit and for titles. */
  readonly maskLine: (line: string) => MaskedText;
  /** The arguments of a command, for the audit: a secret may be an argument of its own after its option. */
  readonly maskArgv: (argv: readonly string[]) => readonly MaskedText[];
  /** For input of any length, in bounded memory; `onHidden` hears of every hidden value, in order. */
  readonly openStream: (onHidden?: OnHidden) => MaskStream;
  /** Which detector hides what and why; positions and lengths only, for humans. */
  readonly explain: (raw: Buffer) => readonly Explanation[];
}

export function openMasker(settings: MaskerSettings): Masker {
  const stream = streamSettings(settings);
  const mask = (raw: Buffer, options: MaskOptions = {}): MaskResult => maskWhole(stream, raw, options);
  return {
    mask,
    maskLine: (line) => mask(Buffer.from(line, 'utf8')).text,
    maskArgv: (argv) => maskArguments(stream, argv),
    openStream: (onHidden) => openMaskStream(stream, onHidden),
    explain: (raw) => explainWhole(stream, raw),
  };
}

function streamSettings(settings: MaskerSettings): StreamSettings {
  const reviewed = settings.maskRules.map((rule) => compileRule(rule.pattern));
  const added = settings.agentRules.map((rule) => [compileRule(rule.pattern)]);
  return {
    search: compileSearch(settings.detectors, settings.allow),
    ruleSteps: reviewed.length > 0 ? [reviewed, ...added] : added,
    nameValue: openPseudonyms(settings.key),
    showUpTo: Number.POSITIVE_INFINITY,
  };
}

function explainWhole(settings: StreamSettings, raw: Buffer): readonly Explanation[] {
  const explanations: Explanation[] = [];
  const stream = openMaskStream(settings, (explanation) => explanations.push(explanation));
  stream.push(raw);
  stream.end();
  return explanations;
}

function maskWhole(settings: StreamSettings, raw: Buffer, options: MaskOptions): MaskResult {
  const shown = shownBytes(raw, options);
  const head = toValidUtf8(raw.subarray(0, shown));
  const tail = raw.subarray(shown);
  const stream = openMaskStream(shown < raw.length ? { ...settings, showUpTo: head.length } : settings);
  const text = stream.push(head) + stream.push(tail) + stream.end();
  return { text: asMasked(text), masked: stream.masked(), truncated: shown < raw.length };
}

/** How much of `raw` may be shown (docs/decisions.md, the cut rule). */
function shownBytes(raw: Buffer, { cutAtBytes, ended }: MaskOptions): number {
  const cut = Math.min(cutAtBytes ?? raw.length, raw.length);
  const isUnfinished = ended === 'cut' || raw.length - cut >= LOOK_AHEAD_BYTES;
  if (isUnfinished && raw.indexOf(0x0a, cut) < 0) return cut === 0 ? 0 : raw.lastIndexOf(0x0a, cut - 1) + 1;
  return characterStart(raw, cut);
}
