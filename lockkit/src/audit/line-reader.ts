// A log file as lines, split at LF and nowhere else, read in pieces. Called by the verifier, the display and the
// writer's start, so that all of them see the same lines. Never holds more than one line.
import type { FileHandle } from 'node:fs/promises';
import { MAX_RECORD_BYTES } from './record.js';

export interface RawLine {
  /** Without its newline. Of a line that is too long only the first MAX_RECORD_BYTES + 1 bytes. */
  readonly bytes: Buffer;
  /** Where it begins in the file. */
  readonly offset: number;
  /** False for what stands behind the last newline. */
  readonly ended: boolean;
}

const CHUNK_BYTES = 65536;
const LF = 0x0a;

export async function* readLines(file: FileHandle): AsyncGenerator<RawLine> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let line = startLine(0);
  let position = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    let from = 0;
    for (let lf = chunk.indexOf(LF); lf >= 0 && lf < bytesRead; lf = chunk.indexOf(LF, from)) {
      line.add(chunk.subarray(from, lf));
      yield { bytes: line.bytes(), offset: line.offset, ended: true };
      from = lf + 1;
      line = startLine(position + from);
    }
    line.add(chunk.subarray(from, bytesRead));
    position += bytesRead;
  }
  if (position > line.offset) yield { bytes: line.bytes(), offset: line.offset, ended: false };
}

interface LineInProgress {
  readonly offset: number;
  readonly add: (piece: Buffer) => void;
  readonly bytes: () => Buffer;
}

function startLine(offset: number): LineInProgress {
  const pieces: Buffer[] = [];
  let room = MAX_RECORD_BYTES + 1;
  return {
    offset,
    add: (piece) => {
      if (room > 0 && piece.length > 0) pieces.push(Buffer.from(piece.subarray(0, room)));
      room -= Math.min(room, piece.length);
    },
    bytes: () => Buffer.concat(pieces),
  };
}
