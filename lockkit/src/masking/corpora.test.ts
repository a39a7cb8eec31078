import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DETECTORS } from './detector.js';
import { openMasker } from './masker.js';
import { ordinaryLogs } from './test/ordinary-logs.js';

const settings = { key: Buffer.alloc(32, 7), maskRules: [], agentRules: [], allow: [] };
const masker = openMasker({ ...settings, detectors: [...DEFAULT_DETECTORS, 'us_ssn'] });

function corpus<T>(name: string): readonly T[] {
  const file = new URL(`../../../conformance/corpora/${name}`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

interface Sentence {
  readonly text: string;
  readonly spans: readonly { readonly kind: string; readonly value: string }[];
}

interface Vector {
  readonly rule: string;
  readonly text: string;
  readonly secret: boolean;
}

describe('masking on labelled texts', () => {
  const sentences = corpus<Sentence>('presidio-research.jsonl');

  it.each([
    ['card', 1],
    ['email', 1],
    ['iban', 1],
    ['ip', 1],
    ['us_ssn', 1],
    ['phone', 0.97],
  ])('hides %s in presidio-research (at least %d)', (kind, least) => {
    const labelled = sentences.flatMap(({ text, spans }) => {
      const masked = masker.mask(Buffer.from(text)).text;
      return spans.filter((span) => span.kind === kind).map((span) => !masked.includes(span.value));
    });
    expect(labelled.filter(Boolean).length / labelled.length).toBeGreaterThanOrEqual(least);
  });

  it('hides nothing in the sentences that hold nothing', () => {
    const touched = sentences.filter(
      ({ text, spans }) => spans.length === 0 && masker.mask(Buffer.from(text)).text !== text,
    );
    expect(touched.map(({ text }) => text)).toEqual([]);
  });

  const vectors = corpus<Vector>('gitleaks-vectors.jsonl');

  it('hides a secret in every positive gitleaks vector', () => {
    const missed = vectors.filter(
      ({ text, secret }) => secret && masker.mask(Buffer.from(text)).masked['secret'] === undefined,
    );
    expect(missed.map(({ rule }) => rule)).toEqual([]);
  });

  it('leaves at least 98 % of the negative gitleaks vectors untouched', () => {
    const negative = vectors.filter(({ secret }) => !secret);
    const touched = negative.filter(({ text }) => masker.mask(Buffer.from(text)).text !== text);
    expect(touched.length / negative.length).toBeLessThanOrEqual(0.02);
  });
});

describe('masking on ordinary logs', () => {
  it('hides every address and makes at most 1 false mask in 10,000 lines', () => {
    const count = 30_000;
    let wrong = 0;
    for (const { text, addresses } of ordinaryLogs(11, count)) {
      const { text: shown, masked } = masker.mask(Buffer.from(text));
      for (const address of addresses) expect(shown).not.toContain(address);
      const values = Object.values(masked).reduce((sum, one) => sum + one, 0);
      if (values > addresses.length) wrong += 1;
    }
    expect(wrong).toBeLessThanOrEqual(count / 10_000);
  });
});
