// Other spellings of secrets that were found: the same value in base64 (alone or inside a longer text), in hex or
// percent-encoded elsewhere in the same output. Called by the masker once a window holds a secret. Bounded: the last
// MAX_VALUES values, only as long as a guess of them is no small matter.
import { compileLiterals, scanLiterals, type LiteralTable } from './literal-scan.js';

const MAX_VALUES = 32;
const MIN_VALUE_BYTES = 6;
const MAX_VALUE_BYTES = 512;
const MIN_FORM = 8;

interface Form {
  readonly text: string;
  /** The run of these characters around a match is hidden whole. */
  readonly alphabet: RegExp | undefined;
}

/** Remembers values and finds their encoded forms. */
export class EncodedForms {
  private values: readonly string[] = [];
  private forms: readonly Form[] = [];
  private table: LiteralTable | undefined;

  get isEmpty(): boolean {
    return this.values.length === 0;
  }

  /** `value` is the secret's bytes, one code unit each. */
  remember(value: string): void {
    if (value.length < MIN_VALUE_BYTES || value.length > MAX_VALUE_BYTES || this.values.includes(value))
      return;
    this.values = [...this.values, value].slice(-MAX_VALUES);
    this.table = undefined;
  }

  /** Calls `found` with each place of `text` (code units are bytes) that holds a form of a remembered value. */
  find(text: string, bytes: Uint8Array, found: (start: number, end: number) => void): void {
    const table = (this.table ??= this.compile());
    let hiddenTo = 0;
    const check = (index: number, end: number): void => {
      const from = end - MIN_FORM;
      const form = this.forms[index] as Form;
      if (from < hiddenTo || !text.startsWith(form.text, from)) return;
      const [start, to] = wholeRun(text, from, from + form.text.length, form.alphabet);
      hiddenTo = to;
      found(start, to);
    };
    scanLiterals(table, bytes, bytes.length, check, () => undefined);
  }

  private compile(): LiteralTable {
    this.forms = this.values.flatMap(formsOf);
    return compileLiterals(this.forms.map((form) => form.text.slice(0, MIN_FORM).toLowerCase()));
  }
}

const BASE64 = /[A-Za-z0-9+/_=-]/;

function formsOf(value: string): readonly Form[] {
  const bytes = Buffer.from(value, 'latin1');
  const hex = bytes.toString('hex');
  const percent = encodeURIComponent(bytes.toString('utf8'));
  const forms: Form[] = [0, 1, 2].flatMap((offset) => base64Forms(bytes, offset));
  forms.push({ text: hex, alphabet: undefined }, { text: hex.toUpperCase(), alphabet: undefined });
  for (const text of [percent, percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]) {
    if (text !== value) forms.push({ text, alphabet: undefined });
  }
  return forms.filter((form) => form.text.length >= MIN_FORM);
}

/** The characters that this value alone decides when `offset` bytes stand before it in the group of three. */
function base64Forms(bytes: Buffer, offset: number): readonly Form[] {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const from = Math.ceil((offset * 4) / 3);
  const to = Math.floor(((offset + bytes.length) * 8) / 6);
  const text = padded.slice(from, to);
  const url = text.replaceAll('+', '-').replaceAll('/', '_');
  return [text, url].map((form) => ({ text: form, alphabet: BASE64 }));
}

const MAX_RUN = 4096;

function wholeRun(
  text: string,
  start: number,
  end: number,
  alphabet: RegExp | undefined,
): readonly [number, number] {
  if (alphabet === undefined) return [start, end];
  let from = start;
  let to = end;
  while (from > 0 && start - from < MAX_RUN && alphabet.test(text[from - 1] as string)) from -= 1;
  while (to < text.length && to - end < MAX_RUN && alphabet.test(text[to] as string)) to += 1;
  return [from, to];
}
