// Area A3: how a masker is asked and how its answers are judged (conformance/cases/README.md, "Masking").
// `run` gives `{text, masked}` for one text, `{texts, masked}` for several; the judges look at nothing else.
import { randomBytes } from 'node:crypto';
import { DEFAULT_DETECTORS, openMasker, parseMaskRule, type Masker, type MaskRule } from 'lockkit/masking';
import type { Json, JsonObject, Kind, Kinds } from '../kind.js';
import { leaksFragment } from './a3-fragments.js';

/** A masker of a run of its own. */
function freshMasker(patterns: readonly string[] = []): Masker {
  const maskRules = patterns.flatMap((pattern): readonly MaskRule[] => {
    const rule = parseMaskRule(pattern);
    return rule.ok ? [rule.value] : [];
  });
  return openMasker({
    detectors: DEFAULT_DETECTORS,
    key: randomBytes(32),
    maskRules,
    agentRules: [],
    allow: [],
  });
}

function textOf(input: JsonObject): string {
  return String(input['text']);
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** got: `{text, masked}` */
const mask: Kind = {
  run: (input) => {
    const { text, masked } = freshMasker().mask(Buffer.from(textOf(input)));
    return { text, masked };
  },
  judge: (_input, expected, got) => {
    const { text, masked } = got as { text: string; masked: Record<string, number> };
    const shown = strings(expected['must_hide']).filter((part) => text.includes(part)).length;
    if (shown > 0) return `${shown} of the parts that must be hidden are shown`;
    const lost = strings(expected['must_keep']).filter((part) => !text.includes(part));
    if (lost.length > 0) return `not kept: ${lost.join(' | ')}`;
    return judgeCounts(expected['kinds'], masked);
  },
};

function judgeCounts(kinds: Json | undefined, masked: Readonly<Record<string, number>>): string | null {
  for (const [kind, count] of Object.entries((kinds ?? {}) as JsonObject)) {
    if (masked[kind] !== count) return `${kind}: ${masked[kind] ?? 0} instead of ${String(count)}`;
  }
  return null;
}

/** got: `{texts, masked}`, one text for each value. */
const maskEach: Kind = {
  run: (input) => {
    const masker = freshMasker();
    const results = strings(input['values']).map((value) => masker.mask(Buffer.from(value)));
    const masked: Record<string, number> = {};
    for (const result of results) {
      for (const [kind, count] of Object.entries(result.masked)) masked[kind] = (masked[kind] ?? 0) + count;
    }
    return { texts: results.map((result) => result.text), masked };
  },
  judge: (input, expected, got) => {
    const { texts, masked } = got as { texts: string[]; masked: Record<string, number> };
    const shown = strings(input['values']).filter((value, i) => texts[i]?.includes(value) !== false);
    if (expected['all_hidden'] === true && shown.length > 0) return `shown: ${shown.length}`;
    return judgeCounts(expected['kinds'], masked);
  },
};

/** got: `{text, truncated}` */
const maskTruncated: Kind = {
  run: (input) => {
    const cutAtBytes = Number(input['max_output_bytes']);
    const { text, truncated } = freshMasker().mask(Buffer.from(textOf(input)), { cutAtBytes });
    return { text, truncated };
  },
  judge: (input, expected, got) => {
    const { text, truncated } = got as { text: string; truncated: boolean };
    if (truncated !== expected['truncated']) return `truncated: ${String(truncated)}`;
    return leaksFragment(
      textOf(input),
      text,
      String(expected['no_fragment_of']),
      Number(input['max_output_bytes']),
    )
      ? 'shows a fragment of the value'
      : null;
  },
};

/** got: `{equal}`: is the text masked byte by byte the text masked whole? */
const maskChunksBytes: Kind = {
  run: (input) => {
    const masker = freshMasker();
    const raw = Buffer.from(textOf(input));
    const stream = masker.openStream();
    let text = '';
    for (let at = 0; at < raw.length; at++) text += stream.push(raw.subarray(at, at + 1));
    text += stream.end();
    return { equal: text === masker.mask(raw).text };
  },
  judge: (_input, expected, got) =>
    (got as JsonObject)['equal'] === expected['equal_to_unsplit'] ? null : 'the split changes the result',
};

/** got: `{seconds}` */
const maskPerf: Kind = {
  run: (input) => ({ seconds: secondsFor(freshMasker(), Buffer.from(textOf(input))) }),
  judge: (_input, expected, got) => judgeSeconds(expected['max_seconds'], (got as JsonObject)['seconds']),
};

function secondsFor(masker: Masker, raw: Buffer): number {
  const from = process.hrtime.bigint();
  masker.mask(raw);
  return Number(process.hrtime.bigint() - from) / 1e9;
}

function judgeSeconds(limit: Json | undefined, seconds: Json | undefined): string | null {
  return limit === undefined || Number(seconds) <= Number(limit) ? null : `took ${String(seconds)} s`;
}

/** got: `{plain, ruled}`: the text without and with the rule, under one key. */
const maskRule: Kind = {
  run: (input) => {
    const rule = parseMaskRule(String(input['pattern']));
    const settings = { detectors: DEFAULT_DETECTORS, key: randomBytes(32), agentRules: [], allow: [] };
    const raw = Buffer.from(textOf(input));
    const plain = openMasker({ ...settings, maskRules: [] }).mask(raw).text;
    const ruled = openMasker({ ...settings, maskRules: rule.ok ? [rule.value] : [] }).mask(raw).text;
    return { plain, ruled };
  },
  judge: (_input, expected, got) => {
    const { plain, ruled } = got as { plain: string; ruled: string };
    const isIntact = (plain.match(/⟦[^⟦⟧]*⟧/g) ?? []).every((placeholder) => ruled.includes(placeholder));
    return isIntact === expected['placeholder_intact'] ? null : 'a placeholder was changed';
  },
};

/** got: `{accepted, seconds?}`; seconds are those of the rule on 512 KiB of one letter. */
const maskRuleLoad: Kind = {
  run: (input) => {
    const pattern = String(input['pattern']);
    if (!parseMaskRule(pattern).ok) return { accepted: false };
    return { accepted: true, seconds: secondsFor(freshMasker([pattern]), Buffer.alloc(512 * 1024, 'a')) };
  },
  judge: (_input, expected, got) => {
    const { accepted, seconds } = got as { accepted: boolean; seconds?: number };
    if (accepted !== expected['accepted']) return accepted ? 'accepted' : 'refused';
    return judgeSeconds(expected['max_seconds_on_512KiB'], seconds ?? 0);
  },
};

/** got: `{texts}`: with the rules in both orders. */
const maskRulesOverlap: Kind = {
  run: (input) => {
    const rules = strings(input['rules']);
    const raw = Buffer.from(textOf(input));
    return { texts: [rules, [...rules].reverse()].map((order) => freshMasker(order).mask(raw).text) };
  },
  judge: (_input, expected, got) => {
    const { texts } = got as { texts: string[] };
    const shown = texts.some((text) => strings(expected['must_hide']).some((part) => text.includes(part)));
    return shown ? 'a part of a match is shown' : null;
  },
};

/** got: `{stdout, stderr}` */
const maskStreams: Kind = {
  run: (input) => {
    const masker = freshMasker();
    const text = (name: string): string => masker.mask(Buffer.from(String(input[name]))).text;
    return { stdout: text('stdout'), stderr: text('stderr') };
  },
  judge: (_input, expected, got) =>
    (got as { stdout: string }).stdout.includes(String(expected['hidden_in_stdout']))
      ? 'shown on stdout'
      : null,
};

/** got: `{texts}` */
const pseudonym: Kind = {
  run: (input) => {
    const first = freshMasker();
    const second = input['same_run'] === true ? first : freshMasker();
    const texts = strings(input['texts']);
    return { texts: texts.map((text, i) => (i === 0 ? first : second).mask(Buffer.from(text)).text) };
  },
  judge: (_input, expected, got) => {
    const { texts } = got as { texts: string[] };
    const isEqual = texts.every((text) => text === texts[0]);
    return isEqual === expected['equal'] ? null : isEqual ? 'equal' : 'different';
  },
};

export const kinds: Kinds = {
  mask,
  mask_each: maskEach,
  mask_truncated: maskTruncated,
  mask_chunks_bytes: maskChunksBytes,
  mask_perf: maskPerf,
  mask_rule: maskRule,
  mask_rule_load: maskRuleLoad,
  mask_rules_overlap: maskRulesOverlap,
  mask_streams: maskStreams,
  pseudonym,
};
