// `mask`: standard input to masked standard output, by the code the console masks with. For people who try rules,
// and for pipes. The key is new for every run: pseudonyms of two runs cannot be joined.
import { randomBytes } from 'node:crypto';
import { printJson, type CommandArguments, type CommandIo } from '@lockkit/cli';
import { UserMistake } from 'lockkit/contract';
import {
  ALL_DETECTORS,
  DEFAULT_DETECTORS,
  openMasker,
  parseDetectorName,
  type DetectorName,
  type Masker,
} from 'lockkit/masking';

/** What --json and --explain hold in memory; a stream has no limit. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;
const PROGRESS_EVERY_BYTES = 32 * 1024 * 1024;

function parseDetectors(text: string | undefined): readonly DetectorName[] {
  if (text === undefined) return DEFAULT_DETECTORS;
  return text.split(',').map((word) => {
    const name = parseDetectorName(word.trim());
    if (name === undefined)
      throw new UserMistake(`--detectors takes names with commas between: ${ALL_DETECTORS.join(', ')}`);
    return name;
  });
}

async function readWhole(io: CommandIo): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of io.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_WHOLE_BYTES)
      throw new UserMistake('--json and --explain take up to 64 MiB; without them there is no limit');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

interface StreamEnd {
  readonly masked: Readonly<Record<string, number>>;
  readonly bytes: number;
}

async function maskStream(masker: Masker, io: CommandIo): Promise<StreamEnd> {
  const stream = masker.openStream();
  let bytes = 0;
  let told = PROGRESS_EVERY_BYTES;
  for await (const chunk of io.stdin as AsyncIterable<Buffer>) {
    await io.write(stream.push(chunk));
    bytes += chunk.length;
    if (!io.isTerminal || bytes < told) continue;
    io.err(`\rmasked ${Math.floor(bytes / 1024 / 1024)} MiB …`);
    told += PROGRESS_EVERY_BYTES;
  }
  await io.write(stream.end());
  if (told > PROGRESS_EVERY_BYTES) io.err('\n');
  return { masked: stream.masked(), bytes };
}

function printExplanations(masker: Masker, raw: Buffer, json: boolean, io: CommandIo): void {
  const explanations = masker.explain(raw);
  if (json) return printJson(io, { explanations });
  for (const { line, column, lengthBytes, kind, why } of explanations)
    io.out(`line ${line}, column ${column}: ${kind}, ${lengthBytes} bytes: ${why}\n`);
}

function printStats({ masked, bytes }: StreamEnd, elapsedMs: number, io: CommandIo): void {
  const speed = elapsedMs > 0 ? `${(bytes / 1048.576 / elapsedMs).toFixed(1)} MB/s` : 'at once';
  const counts = Object.entries(masked).map(([kind, count]) => `${kind} ${count}`);
  io.err(`${bytes} bytes, ${speed}; masked: ${counts.length === 0 ? 'nothing' : counts.join(', ')}\n`);
}

export async function runMask({ flags, json }: CommandArguments, io: CommandIo): Promise<number> {
  const detectors = parseDetectors(flags['detectors'] as string | undefined);
  const masker = openMasker({ detectors, key: randomBytes(32), maskRules: [], agentRules: [], allow: [] });
  if (flags['explain'] === true) {
    printExplanations(masker, await readWhole(io), json, io);
    return 0;
  }
  const startedMs = performance.now();
  if (json) {
    const { text, masked } = masker.mask(await readWhole(io));
    printJson(io, { text, masked });
    return 0;
  }
  const end = await maskStream(masker, io);
  if (flags['stats'] === true) printStats(end, performance.now() - startedMs, io);
  return 0;
}
