// Values that stand where a secret would and are none: references, templates, blanks, documentation samples.
// Called by the finders of this folder before they report. When in doubt a value is a secret.

const MAX_MEASURED = 4096;

/** Bits per character by the frequencies of the characters themselves. */
export function entropyOf(value: string): number {
  const counts = new Uint16Array(256);
  const length = Math.min(value.length, MAX_MEASURED);
  for (let at = 0; at < length; at++) {
    const byte = value.charCodeAt(at) & 0xff;
    counts[byte] = (counts[byte] as number) + 1;
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / length) * Math.log2(count / length);
  return bits;
}

const REFERENCE =
  /^(?:\$\{[^}]*\}?|\$\([^)]*\)?|\$[A-Za-z_]\w*|\$\d|\$@|\$\{\{.*|\{\{.*\}\}|%[A-Za-z_]\w*%|%\([\w.]+\)s|%[sdv]|\{\d*\}|\{[A-Za-z_]\w*\}|@[A-Za-z_]+@|<[^<>]*>|\[[A-Za-z _-]+\]|!vault|!secret|ENC\[.*)$/;
const CODE_REFERENCE =
  /^(?:(?:var|local|module|data|self|this|config|conf|settings|secrets|params|args|opts|options|req|request|env|ENV|process\.env|os\.environ|os\.getenv|System\.getenv|import\.meta\.env)[.[(]|(?:get|read|load|fetch|lookup|decrypt|prompt)\w*\(|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+\(|[A-Za-z_$][\w$]*\(\)|\([A-Za-z_$]*[:?,)]|(?:new|await|func|function|lambda) )/;
const BLANK =
  /^(?:|0|1|-|--|true|false|yes|no|on|off|null|nil|none|undefined|nan|n\/a|empty|unset|\(none\)|\(null\)|\(unset\)|\(set\)|\(hidden\)|\[hidden\]|\[redacted\]|<redacted>|redacted|\*+|x{3,}|y{3,}|\.{2,}|_+|#+|\?+|•+|\u00e2\u20ac\u00a2+)$/i;
const TYPE_WORD =
  /^(?:string|str|text|bool|boolean|int|integer|number|bytes|object|any|optional|required|varchar\(\d+\))[,;)]?$/i;

/** `value` is a reference to a secret or stands for having none. Sample text is not judged here. */
export function isBlankOrReference(value: string): boolean {
  return BLANK.test(value) || REFERENCE.test(value) || CODE_REFERENCE.test(value);
}

/**
 * The bare value `word` names a type in code or a schema; `after` is what follows it. `string` is one, and so is
 * `Uint8Array,`; a name with a capital alone is not, because passwords begin with capitals too.
 */
export function isTypeName(word: string, after: string): boolean {
  if (TYPE_WORD.test(word)) return true;
  const name = word.replace(/\)+[:;,]?$/, '');
  if (name !== word) return CLASS_NAME.test(name);
  return CLASS_NAME.test(word) && /^(?:[;,)\]>]| [|&]| =>)/.test(after);
}

const CLASS_NAME = /^[A-Z][A-Za-z]*(?:8|16|32|64)?[A-Za-z]*(?:\.[A-Z][A-Za-z]*)*(?:\[\])?(?:<.*)?$/;

const SAMPLE_WORD =
  /(?:^|[^A-Za-z])(?:your|insert|replace|put[-_ ]your|redacted|placeholder|example[-_]|sample[-_]|dummy)(?:[^a-z]|$)|_here\b|<[a-z]/i;
const ENVIRONMENT_NAME = /^[A-Z]{2,}(?:_[A-Z]{2,})+$/;

/** A documentation sample of a token: named as one, elided, or made of too few different characters. */
export function isSample(value: string, minEntropy: number): boolean {
  if (SAMPLE_WORD.test(value) || ENVIRONMENT_NAME.test(value) || value.endsWith('...')) return true;
  if (/x{6,}|X{6,}|\*{4,}/.test(value)) return true;
  return value.length >= 8 && entropyOf(value) < minEntropy;
}
