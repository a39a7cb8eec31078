// The server's side of stdio, for clients as they are: bounded lines, broken JSON answered and survived, one line a
// message whatever its text holds. Used by serve.ts in place of the SDK's own transport, which drops broken lines
// without an answer and closes on long ones. It must never hold more than one line, and never write anything but messages.
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { INVALID_REQUEST, PARSE_ERROR, parseMessageLine } from './admit-message.js';
import { MessageIdScanner } from './message-id.js';
import { encodeMessageLine } from './visible-json.js';

/** A console takes 1 MiB a request; escapes may double it. */
export const MAX_LINE_BYTES = 2 * 1024 * 1024;

/** After stdin ended: time for what was asked before; then everything that still runs is stopped. */
export const LAST_ANSWERS_MS = 1_000;
/** Answers that nobody reads: nothing more is taken until they are. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

const LF = 0x0a;

/** Fixed sentences: an error never repeats what was sent. */
const MESSAGES: Readonly<Record<number, string>> = {
  [PARSE_ERROR]: 'the line is not JSON',
  [INVALID_REQUEST]: 'not a JSON-RPC request, or larger than 2 MiB; batches are not taken',
  [-32601]: 'method not found',
  [-32602]: 'invalid params, or no such tool',
  [-32603]: 'internal error',
};

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: Writable;
  #parts: Buffer[] = [];
  #heldBytes = 0;
  /** While a line that is too long goes by. */
  #skipping: MessageIdScanner | null = null;
  /** Requests that were handed on and have no answer yet. */
  readonly #waiting = new Set<string | number>();
  #ending: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  start(): Promise<void> {
    const close = (): void => void this.close();
    this.#input.on('data', (chunk: Buffer) => this.#push(chunk));
    this.#input.once('end', () => this.#endSoon()).once('error', close);
    this.#output.once('close', close).once('error', close);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#write(withFixedText(message));
    if (!('method' in message) && message.id !== undefined) this.#waiting.delete(message.id);
    if (this.#ending !== undefined && this.#waiting.size === 0) return this.close();
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      clearTimeout(this.#ending);
      this.#drop();
      this.#input.removeAllListeners('data');
      this.#input.pause();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  #endSoon(): void {
    if (this.#waiting.size === 0) return void this.close();
    this.#ending = setTimeout(() => void this.close(), LAST_ANSWERS_MS);
    return undefined;
  }

  #write(message: unknown): void {
    this.#output.write(encodeMessageLine(message));
    if (this.#output.writableLength <= MAX_UNREAD_BYTES || this.#input.isPaused()) return;
    this.#input.pause();
    this.#output.once('drain', () => {
      if (!this.#closed) this.#input.resume();
    });
  }

  #push(chunk: Buffer): void {
    let from = 0;
    while (!this.#closed && from < chunk.length) {
      const at = chunk.indexOf(LF, from);
      this.#hold(at < 0 ? chunk.subarray(from) : chunk.subarray(from, at));
      if (at < 0) return;
      this.#endLine();
      from = at + 1;
    }
  }

  #hold(piece: Buffer): void {
    if (this.#skipping === null && this.#heldBytes + piece.length > MAX_LINE_BYTES) {
      this.#skipping = new MessageIdScanner();
      for (const part of this.#parts) this.#skipping.push(part);
      this.#drop();
    }
    if (this.#skipping !== null) return this.#skipping.push(piece);
    this.#parts.push(piece);
    this.#heldBytes += piece.length;
  }

  #drop(): void {
    this.#parts = [];
    this.#heldBytes = 0;
  }

  #endLine(): void {
    const skipped = this.#skipping;
    const line = Buffer.concat(this.#parts);
    this.#drop();
    this.#skipping = null;
    if (skipped !== null) return this.#refuse(skipped.id, INVALID_REQUEST);
    const admitted = parseMessageLine(line);
    if (admitted.kind === 'error') this.#refuse(admitted.id, admitted.code);
    if (admitted.kind === 'message') this.#hand(admitted.message);
    return undefined;
  }

  #hand(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) this.#waiting.add(message.id);
    this.onmessage?.(message);
  }

  #refuse(id: string | number | null, code: number): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message: MESSAGES[code] } });
  }
}

function withFixedText(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const { code } = message.error;
  return { ...message, error: { code, message: MESSAGES[code] ?? 'the request failed' } };
}
