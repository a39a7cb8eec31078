// Masking beside its peers in one run: what each hides of labelled texts, what it hides of texts that hold nothing,
// how fast it goes through an 8 MB log, how time grows with length, and worst cases. Run by `npm run bench` on the
// built packages. It measures and prints; it asserts nothing.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { DEFAULT_DETECTORS, openMasker } from 'lockkit/masking';

const LOG_BYTES = 8 << 20;
const PEER_LINES = 1500;
const ROUNDS = 5;
const root = fileURLToPath(new URL('..', import.meta.url));

const settings = { key: randomBytes(32), maskRules: [], agentRules: [], allow: [] };
const defaults = openMasker({ ...settings, detectors: DEFAULT_DETECTORS });
const withSsn = openMasker({ ...settings, detectors: [...DEFAULT_DETECTORS, 'us_ssn'] });

/** The generator of the tests, bundled on the fly. */
async function loadGenerator() {
  const entryPoints = [`${root}lockkit/src/masking/test/ordinary-logs.ts`];
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

async function generatedLog(lines) {
  const { ordinaryLogs } = await loadGenerator();
  return [...ordinaryLogs(5, lines)];
}

function corpus(name) {
  const text = readFileSync(`${root}conformance/corpora/${name}`, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Each masks one text; a peer that is not installed is left out and said so. */
async function loadMaskers() {
  const maskers = [['lockkit/masking', (text) => withSsn.mask(Buffer.from(text)).text]];
  const missing = [];
  for (const [name, load] of Object.entries(PEERS)) {
    const mask = await load().catch(() => undefined);
    if (mask === undefined) missing.push(name);
    else maskers.push([name, mask]);
  }
  return { maskers, missing };
}

const PEERS = {
  'redact-pii 3.4.0': async () => {
    const { SyncRedactor } = await import('redact-pii');
    const redactor = new SyncRedactor();
    return (text) => redactor.redact(text);
  },
  'openredaction 1.1.5': async () => {
    const { OpenRedaction } = await import('openredaction');
    const redactor = new OpenRedaction();
    return async (text) => (await redactor.detect(text)).redacted;
  },
  'secretlint 9.3.4': async () => {
    const { lintSource } = await import('@secretlint/core');
    const { creator } = await import('@secretlint/secretlint-rule-preset-recommend');
    const config = {
      rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }],
    };
    return async (content) => {
      const source = { filePath: 'a.txt', content, ext: '.txt', contentType: 'text' };
      const { messages } = await lintSource({ source, options: { config } });
      return [...messages]
        .sort((a, b) => b.range[0] - a.range[0])
        .reduce((text, { range }) => `${text.slice(0, range[0])}***${text.slice(range[1])}`, content);
    };
  },
};

async function recallRows({ maskers }) {
  const sentences = corpus('presidio-research.jsonl');
  const vectors = corpus('gitleaks-vectors.jsonl');
  const kinds = ['card', 'email', 'iban', 'ip', 'phone', 'us_ssn'];
  const rows = [
    `${'hidden of'.padEnd(22)}${[...kinds, 'secrets', 'empty touched', 'non-secrets touched'].join('  ')}`,
  ];
  for (const [name, mask] of maskers) {
    const seen = Object.fromEntries(kinds.map((kind) => [kind, [0, 0]]));
    let touched = 0;
    for (const { text, spans } of sentences) {
      const masked = await mask(text);
      if (spans.length === 0 && masked !== text) touched += 1;
      for (const { kind, value } of spans) {
        seen[kind][1] += 1;
        if (!masked.includes(value)) seen[kind][0] += 1;
      }
    }
    const secrets = [0, 0, 0, 0];
    for (const { text, secret } of vectors) {
      const changed = (await mask(text)) !== text ? 1 : 0;
      secrets[secret ? 0 : 2] += changed;
      secrets[secret ? 1 : 3] += 1;
    }
    const cells = kinds.map((kind) => seen[kind].join('/'));
    const empty = sentences.filter(({ spans }) => spans.length === 0).length;
    rows.push(
      `${name.padEnd(22)}${[...cells, `${secrets[0]}/${secrets[1]}`, `${touched}/${empty}`, `${secrets[2]}/${secrets[3]}`].join('  ')}`,
    );
  }
  return rows;
}

async function falseMaskRows() {
  let wrong = 0;
  let count = 0;
  for (const { text, addresses } of await generatedLog(100_000)) {
    const { masked } = defaults.mask(Buffer.from(text));
    const values = Object.values(masked).reduce((sum, one) => sum + one, 0);
    if (values > addresses.length) wrong += 1;
    count += 1;
  }
  return [`false masks in ${count} lines of ordinary logs (six defaults): ${wrong}`];
}

const milliseconds = async (work) => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

async function best(work, rounds = ROUNDS) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) least = Math.min(least, await milliseconds(work));
  return least;
}

const speed = (bytes, ms) => `${(bytes / 1e6 / (ms / 1e3)).toFixed(1)} MB/s`;

async function speedRows({ maskers }) {
  const lines = (await generatedLog(70_000)).map(({ text }) => text);
  let log = Buffer.from(`${lines.join('\n')}\n`);
  while (log.length < LOG_BYTES) log = Buffer.concat([log, log]);
  log = log.subarray(0, LOG_BYTES);
  const rows = [
    `lockkit/masking, 8 MB log, six defaults: ${speed(log.length, await best(() => defaults.mask(log)))}`,
  ];
  const part = lines.slice(0, PEER_LINES).join('\n');
  for (const [name, mask] of maskers) {
    const ms = await best(() => mask(part), name === 'lockkit/masking' ? ROUNDS : 2);
    rows.push(`${name}, first ${Math.round(part.length / 1024)} KB of it: ${speed(part.length, ms)}`);
  }
  const halves = [log.length / 8, log.length / 4, log.length / 2, log.length];
  const times = [];
  for (const bytes of halves) times.push(await best(() => defaults.mask(log.subarray(0, bytes)), 3));
  rows.push(
    `growth, 1 → 2 → 4 → 8 MB: ${times.map((ms, i) => (i === 0 ? `${ms.toFixed(0)} ms` : `×${(ms / times[i - 1]).toFixed(2)}`)).join('  ')}`,
  );
  return rows;
}

const WORST = [
  '@',
  '1',
  'a.',
  '⟦',
  ':',
  '1 ',
  'eyJ',
  'password=',
  '://',
  '"',
  '\u001b[',
  '\u200b',
  '-----BEGIN PRIVATE KEY-----\n',
  'DE89 ',
];

async function worstRows() {
  const rows = [];
  for (const unit of WORST) {
    const raw = Buffer.from(unit.repeat(Math.ceil((1 << 20) / Buffer.byteLength(unit))));
    rows.push(
      `a megabyte of ${JSON.stringify(unit).slice(0, 24).padEnd(24)} ${(await best(() => defaults.mask(raw), 2)).toFixed(0)} ms`,
    );
  }
  return rows;
}

export async function bench() {
  const loaded = await loadMaskers();
  const rows = [
    ...(await recallRows(loaded)),
    ...(await falseMaskRows()),
    ...(await speedRows(loaded)),
    ...(await worstRows()),
    ...loaded.missing.map((name) => `not installed: ${name}`),
  ];
  return { name: 'masking', rows };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const row of (await bench()).rows) console.log(row);
