// The line of every key in a TOML text, so that a problem can name it. Only for text that the TOML library has
// accepted: this scanner trusts the syntax and never judges it. It reads keys and skips values.
import type { KeyPath } from './problem.js';

const NEWLINE = 10;
/** Deeper keys are told by the line of their parent: the cost stays linear whatever a file holds. */
const MAX_RECORDED = 8;
const SPACE = /[ \t\r\n]/;

class Scanner {
  private at = 0;
  private line = 1;
  private readonly text: string;
  private readonly lines: Map<string, number>;
  private readonly arrays = new Map<string, number>();

  constructor(text: string, lines: Map<string, number>) {
    this.text = text;
    this.lines = lines;
  }

  document(): void {
    let table: KeyPath = [];
    for (this.skip(); this.at < this.text.length; this.skip()) {
      if (this.text[this.at] === '[') table = this.header();
      else this.pair(table);
    }
  }

  private header(): KeyPath {
    const array = this.text[this.at + 1] === '[';
    this.move(array ? 2 : 1);
    const path = this.resolve(this.key([]), array);
    this.record(path);
    this.move(array ? 2 : 1);
    return path;
  }

  /** `[[a]]` opens the next element of a; `[a.b]` below it means the last one. */
  private resolve(keys: KeyPath, array: boolean): KeyPath {
    const path: (string | number)[] = [];
    keys.forEach((key, index) => {
      path.push(key);
      const id = JSON.stringify(path);
      const last = index === keys.length - 1;
      if (last && array) this.arrays.set(id, (this.arrays.get(id) ?? -1) + 1);
      const element = this.arrays.get(id);
      if (element !== undefined) path.push(element);
    });
    return path;
  }

  private pair(table: KeyPath): void {
    const path = this.key(table);
    this.move(1); // "="
    this.value(path);
  }

  /** A dotted key, up to the character behind it; records the line of each of its prefixes. */
  private key(table: KeyPath): KeyPath {
    const path = [...table];
    for (;;) {
      this.skip();
      path.push(this.keyPart());
      this.record(path);
      this.skip();
      if (this.text[this.at] !== '.') return path;
      this.move(1);
    }
  }

  private keyPart(): string {
    const start = this.at;
    const quote = this.text[start];
    if (quote === '"' || quote === "'") {
      this.string();
      const inner = this.text.slice(start + 1, this.at - 1);
      return quote === "'" ? inner : unescapeBasic(inner);
    }
    while (/[A-Za-z0-9_-]/.test(this.text[this.at] ?? '')) this.move(1);
    return this.text.slice(start, this.at);
  }

  private value(path: KeyPath): void {
    this.skip();
    const first = this.text[this.at];
    if (first === '"' || first === "'") this.string();
    else if (first === '[') this.list(']', (index) => this.element(path, index));
    else if (first === '{') this.list('}', () => this.pair(path));
    else while (this.at < this.text.length && !/[,\]}#\n]/.test(this.text[this.at] ?? '')) this.move(1);
  }

  private element(path: KeyPath, index: number): void {
    const inner = [...path, index];
    this.record(inner);
    this.value(inner);
  }

  private list(close: string, item: (index: number) => void): void {
    this.move(1);
    for (let index = 0; ; index += 1) {
      this.skip();
      if (this.text[this.at] === close || this.at >= this.text.length) break;
      const before = this.at;
      item(index);
      this.skip();
      if (this.text[this.at] === ',' || this.at === before) this.move(1);
    }
    this.move(1);
  }

  /** A string of any of the four kinds. */
  private string(): void {
    const quote = this.text[this.at] ?? '';
    const triple = this.text.startsWith(quote.repeat(3), this.at);
    const end = triple ? quote.repeat(3) : quote;
    this.move(end.length);
    while (this.at < this.text.length && !this.text.startsWith(end, this.at))
      this.move(quote === '"' && this.text[this.at] === '\\' ? 2 : 1);
    this.move(end.length);
    // Up to two quotes may stand before the end of a triple string.
    if (triple) while (this.text[this.at] === quote) this.move(1);
  }

  /** Over white space and comments. */
  private skip(): void {
    for (;;) {
      while (SPACE.test(this.text[this.at] ?? '')) this.move(1);
      if (this.text[this.at] !== '#') return;
      while (this.at < this.text.length && this.text[this.at] !== '\n') this.move(1);
    }
  }

  private move(count: number): void {
    for (let left = count; left > 0 && this.at < this.text.length; left -= 1) {
      if (this.text.charCodeAt(this.at) === NEWLINE) this.line += 1;
      this.at += 1;
    }
  }

  private record(path: KeyPath): void {
    if (path.length > MAX_RECORDED) return;
    const id = JSON.stringify(path);
    if (!this.lines.has(id)) this.lines.set(id, this.line);
  }
}

/** A basic string's text; used for keys only, where an unusual escape merely costs the line number. */
function unescapeBasic(inner: string): string {
  const escapes: Readonly<Record<string, string>> = {
    b: '\b',
    t: '\t',
    n: '\n',
    f: '\f',
    r: '\r',
    e: '\u001b',
  };
  return inner.replace(
    /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|(.))/gs,
    (_all, four?: string, eight?: string, two?: string, one?: string) =>
      one === undefined
        ? String.fromCodePoint(parseInt(four ?? eight ?? two ?? '0', 16))
        : (escapes[one] ?? one),
  );
}

/** Where each key stands: the line of the longest prefix of the path that has one. */
export function locateKeys(text: string): (path: KeyPath) => number | undefined {
  let lines: Map<string, number> | undefined;
  return (path) => {
    if (lines === undefined) {
      lines = new Map();
      new Scanner(text, lines).document();
    }
    for (let length = Math.min(path.length, MAX_RECORDED); length > 0; length -= 1) {
      const line = lines.get(JSON.stringify(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return undefined;
  };
}
