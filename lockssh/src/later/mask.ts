// `mask`: standard input to masked standard output, by the code the console masks with. For people who try rules,
// and for pipes. The key is new for every run: pseudonyms of two runs cannot be joined. Input has no limit: in every
// form what is read is printed as it comes, and memory holds a window of it.
import { randomBytes } from 'node:crypto';
import type { CommandArguments, CommandIo } from '@lockkit/cli';
import { UserMistake } from 'lockkit/contract';
import { ALL_DETECTORS, DEFAULT_DETECTORS, type DetectorName } from 'lockkit/detectors';
import {
  openMasker,
  parseDetectorName,
  type Explanation,
  type Masker,
  type MaskStream,
} from 'lockkit/masking';

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

/** What is printed of a stream: `piece` gets the masked text that is ready, and gives what to print of it. */
interface Form {
  readonly stream: MaskStream;
  readonly head: string;
  readonly piece: (text: string) => string;
  readonly tail: () => string;
}

function textForm(masker: Masker, json: boolean): Form {
  const stream = masker.openStream();
  if (!json) return { stream, head: '', piece: (text) => text, tail: () => '' };
  return {
    stream,
    head: '{"text":"',
    piece: (text) => JSON.stringify(text).slice(1, -1),
    tail: () => `","masked":${JSON.stringify(stream.masked())}}\n`,
  };
}

function sentence({ line, column, kind, lengthBytes, why }: Explanation): string {
  return `line ${line}, column ${column}: ${kind}, ${lengthBytes} bytes: ${why}\n`;
}

/** The explanations of what was hidden since the last piece, instead of the text. */
function explainForm(masker: Masker, json: boolean): Form {
  let ready = '';
  const print = json ? (explanation: Explanation) => `,${JSON.stringify(explanation)}` : sentence;
  const stream = masker.openStream((explanation) => (ready += print(explanation)));
  let isFirst = json;
  const piece = (): string => {
    const text = isFirst ? ready.slice(1) : ready;
    if (ready !== '') isFirst = false;
    ready = '';
    return text;
  };
  return { stream, head: json ? '{"explanations":[' : '', piece, tail: () => (json ? ']}\n' : '') };
}

/** Gives how many bytes there were. */
async function printStream({ stream, head, piece, tail }: Form, io: CommandIo): Promise<number> {
  let bytes = 0;
  let told = PROGRESS_EVERY_BYTES;
  await io.write(head);
  for await (const chunk of io.stdin as AsyncIterable<Buffer>) {
    await io.write(piece(stream.push(chunk)));
    bytes += chunk.length;
    if (!io.isTerminal || bytes < told) continue;
    io.err(`\rmasked ${Math.floor(bytes / 1024 / 1024)} MiB …`);
    told += PROGRESS_EVERY_BYTES;
  }
  await io.write(piece(stream.end()) + tail());
  if (told > PROGRESS_EVERY_BYTES) io.err('\n');
  return bytes;
}

function printStats(
  masked: Readonly<Record<string, number>>,
  bytes: number,
  elapsedMs: number,
  io: CommandIo,
): void {
  const speed = elapsedMs > 0 ? `${(bytes / 1048.576 / elapsedMs).toFixed(1)} MB/s` : 'at once';
  const counts = Object.entries(masked).map(([kind, count]) => `${kind} ${count}`);
  io.err(`${bytes} bytes, ${speed}; masked: ${counts.length === 0 ? 'nothing' : counts.join(', ')}\n`);
}

export async function runMask({ flags, json }: CommandArguments, io: CommandIo): Promise<number> {
  const detectors = parseDetectors(flags['detectors'] as string | undefined);
  const masker = openMasker({ detectors, key: randomBytes(32), maskRules: [], agentRules: [], allow: [] });
  const form = flags['explain'] === true ? explainForm(masker, json) : textForm(masker, json);
  const startedMs = performance.now();
  const bytes = await printStream(form, io);
  if (flags['stats'] === true) printStats(form.stream.masked(), bytes, performance.now() - startedMs, io);
  return 0;
}
