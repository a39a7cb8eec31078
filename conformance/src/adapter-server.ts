// `lock-conformance adapter`: our own kits behind the protocol of --adapter, `{id, input}` lines in, `{id, got}`
// lines out. It is the sample for kits in other languages, and proves that ours needs no privilege.
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import type { LoadedKinds } from './areas.js';
import type { Json } from './kind.js';
import { LineReader } from './line-reader.js';
import { answerOne } from './own-adapter.js';

const MAX_LINE_BYTES = 256 * 1024 * 1024;
const question = z.object({ id: z.string(), input: z.record(z.string(), z.json()) });

/** Answers until the input ends. A line that is no question gets `{id: null, error}`; nothing stops the server. */
export async function serveAdapter({ kinds }: LoadedKinds, input: Readable, output: Writable): Promise<void> {
  const lines: string[] = [];
  const reader = new LineReader(
    MAX_LINE_BYTES,
    (line) => lines.push(line),
    () => input.destroy(),
  );
  for await (const chunk of input) {
    reader.push(chunk as Buffer);
    for (const line of lines.splice(0)) await write(output, await reply(kinds, line));
  }
  reader.end();
  for (const line of lines) await write(output, await reply(kinds, line));
}

async function reply(kinds: LoadedKinds['kinds'], line: string): Promise<Json> {
  const parsed = question.safeParse(parseJson(line));
  if (!parsed.success) return { id: null, error: 'expected a line {"id": text, "input": object}' };
  const { id, input } = parsed.data;
  const answer = await answerOne(kinds, { id, input });
  if (answer.kind === 'got') return { id, got: answer.got };
  return answer.kind === 'unsupported' ? { id, unsupported: true } : { id, error: answer.reason };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function write(output: Writable, message: Json): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(`${JSON.stringify(message)}\n`, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
