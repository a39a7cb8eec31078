// Bytes of a terminal as keys. Called by the terminal form of the human. What a terminal says by itself (replies, focus,
// mouse) and what is pasted is told apart from what is typed, however the bytes were split; neither may become text.

export type Key =
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'paste'; readonly bytes: Uint8Array }
  | { readonly kind: MoveKey }
  | { readonly kind: 'enter' | 'backspace' | 'clear' | 'interrupt' | 'end' | 'results' | 'foreign' };

/** Keys that choose and scroll; they never belong to a line. */
export type MoveKey = 'up' | 'down' | 'page_up' | 'page_down';

export interface KeyReader {
  /** The keys that these bytes complete. `nowMs` lets go of a sequence that was never finished. */
  readonly push: (bytes: Uint8Array, nowMs: number) => readonly Key[];
  /** A sequence was begun and not ended: bytes came of which there is no key yet. */
  readonly isPending: () => boolean;
}

type State = 'ground' | 'escape' | 'sequence' | 'single' | 'string' | 'string_escape' | 'paste';

const ESC = 0x1b;
const PASTE_START = '200';
const PASTE_END = [ESC, 0x5b, 0x32, 0x30, 0x31, 0x7e] as const;
const MAX_PASTE_BYTES = 65536;
const MAX_SEQUENCE_BYTES = 64;
/** A lone Escape key looks like the start of a sequence; after this long it was one. */
const ESCAPE_PATIENCE_MS = 100;
const STRING_PATIENCE_MS = 2000;

const CONTROLS: Readonly<Record<number, 'enter' | 'backspace' | 'clear' | 'interrupt' | 'end' | 'results'>> =
  {
    0x03: 'interrupt',
    0x04: 'end',
    0x08: 'backspace',
    0x0a: 'enter',
    0x0d: 'enter',
    0x0f: 'results',
    0x15: 'clear',
    0x7f: 'backspace',
  };

/** The last byte of a sequence without parameters, and of `ESC O`. */
const ARROWS: Readonly<Record<string, MoveKey>> = { A: 'up', B: 'down' };
const PAGES: Readonly<Record<string, MoveKey>> = { '5~': 'page_up', '6~': 'page_down' };

export function createKeyReader(): KeyReader {
  const parser = new KeyParser();
  return { push: (bytes, nowMs) => parser.push(bytes, nowMs), isPending: () => parser.isPending() };
}

class KeyParser {
  private state: State = 'ground';
  private parameters = '';
  private pasted: number[] = [];
  private lastByteAtMs = 0;
  private lastWasReturn = false;
  private keys: Key[] = [];
  private text: number[] = [];

  push(bytes: Uint8Array, nowMs: number): readonly Key[] {
    this.keys = [];
    this.letGo(nowMs - this.lastByteAtMs);
    this.lastByteAtMs = nowMs;
    for (const byte of bytes) this.step(byte);
    this.endText();
    return this.keys;
  }

  isPending(): boolean {
    return this.state !== 'ground';
  }

  private letGo(silenceMs: number): void {
    const patience =
      this.state === 'string' || this.state === 'paste' ? STRING_PATIENCE_MS : ESCAPE_PATIENCE_MS;
    if (this.state === 'ground' || silenceMs <= patience) return;
    this.finish({ kind: 'foreign' });
  }

  private step(byte: number): void {
    switch (this.state) {
      case 'ground':
        return this.stepGround(byte);
      case 'escape':
        return this.stepEscape(byte);
      case 'sequence':
        return this.stepSequence(byte);
      case 'single':
        return this.finish({ kind: ARROWS[String.fromCharCode(byte)] ?? 'foreign' });
      case 'string':
        if (byte === 0x07) return this.finish({ kind: 'foreign' });
        if (byte === ESC) this.state = 'string_escape';
        return;
      case 'string_escape':
        if (byte === 0x5c) return this.finish({ kind: 'foreign' });
        this.state = byte === ESC ? 'string_escape' : 'string';
        return;
      case 'paste':
        return this.stepPaste(byte);
    }
  }

  private stepGround(byte: number): void {
    const followsReturn = this.lastWasReturn;
    this.lastWasReturn = byte === 0x0d;
    if (byte === 0x0a && followsReturn) return;
    if (byte === ESC) this.state = 'escape';
    else if (byte >= 0x20 && byte !== 0x7f) this.text.push(byte);
    else this.emit({ kind: CONTROLS[byte] ?? 'foreign' });
  }

  private stepEscape(byte: number): void {
    this.parameters = '';
    if (byte === 0x5b) this.state = 'sequence';
    else if (byte === 0x4f) this.state = 'single';
    else if (byte === 0x50 || byte === 0x58 || (byte >= 0x5d && byte <= 0x5f)) this.state = 'string';
    else if (byte !== ESC) this.finish({ kind: 'foreign' });
  }

  private stepSequence(byte: number): void {
    if (byte < 0x20 || byte > 0x7e || this.parameters.length >= MAX_SEQUENCE_BYTES) {
      return this.finish({ kind: 'foreign' });
    }
    if (byte < 0x40) {
      this.parameters += String.fromCharCode(byte);
      return;
    }
    const sequence = this.parameters + String.fromCharCode(byte);
    if (sequence === `${PASTE_START}~`) this.state = 'paste';
    else this.finish({ kind: ARROWS[sequence] ?? PAGES[sequence] ?? 'foreign' });
  }

  private stepPaste(byte: number): void {
    this.pasted.push(byte);
    const start = this.pasted.length - PASTE_END.length;
    if (byte === 0x7e && PASTE_END.every((value, index) => this.pasted[start + index] === value)) {
      this.finish({ kind: 'paste', bytes: Uint8Array.from(this.pasted.slice(0, start)) });
    } else if (this.pasted.length > MAX_PASTE_BYTES) {
      this.pasted = this.pasted.slice(-PASTE_END.length);
    }
  }

  private finish(key: Key): void {
    this.emit(key);
    this.pasted.fill(0);
    this.pasted = [];
    this.state = 'ground';
  }

  private emit(key: Key): void {
    this.endText();
    this.keys.push(key);
  }

  private endText(): void {
    if (this.text.length > 0) this.keys.push({ kind: 'text', bytes: Uint8Array.from(this.text) });
    this.text.fill(0);
    this.text = [];
  }
}
