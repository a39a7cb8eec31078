// The question with a known answer that every new connection must pass before any word of an agent is sent:
// arguments that every known way of misquoting breaks, printed back by printf(1) through the same encoder.
// Called by the login. It must never accept an answer that differs in one byte.

/** The bytes of a multibyte character's end that could swallow what follows, each before each special character. */
const MULTIBYTE_ENDS = Array.from({ length: 64 }, (_, low) => String.fromCodePoint(0x4e00 + low));
const PRINTABLE = Array.from({ length: 95 }, (_, code) => String.fromCharCode(0x20 + code));
const PUNCTUATION = PRINTABLE.filter((char) => /[^A-Za-z0-9 ]/u.test(char));

const NASTY: readonly string[] = [
  '',
  ' ',
  '\t',
  PRINTABLE.join(''),
  // History characters can be set to anything: each character before itself, a word and an event number.
  PRINTABLE.map((char) => `${char}${char}`).join(' '),
  PUNCTUATION.map((char) => `${char}a${char}0${char}$${char}#${char}:`).join(''),
  ...PUNCTUATION,
  ...["'", '\\', '!'].map((special) => MULTIBYTE_ENDS.map((char) => char + special).join('')),
  ...["'", '\\', '!'].map((special) => `\u00e9${special}\u00ff${special}\u{1f600}${special}\u{10ffff}`),
  "\\'; printf lk-injected #",
  "'; printf lk-injected; #",
  '$(printf lk-injected)',
  '`printf lk-injected`',
  '(printf lk-injected)',
  '`{printf lk-injected}',
  '${IFS}$HOME$0$$~*?[a-z]{a,b}',
  '~',
  '~root',
  '=ls',
  'a=b',
  '!!',
  '!$',
  '!#:0',
  '\\\\',
  '\\n\\033',
  "''",
  '-',
  '--',
  '%s%d',
];

/** The argv to run; `nonce` is fresh and unknown to the server, so that no start-up file can have printed it. */
export function knownAnswerArgv(nonce: string): readonly string[] {
  return ['printf', '%s\\n', `lk-${nonce}-begin`, ...NASTY, `lk-${nonce}-end`];
}

/**
 * True when stdout ends with exactly the answer. What start-up files printed before it is allowed;
 * nothing may come after it, since exec leaves no shell that could print.
 */
export function checkKnownAnswer(nonce: string, stdout: Buffer): boolean {
  const answer = Buffer.from(`${knownAnswerArgv(nonce).slice(2).join('\n')}\n`, 'utf8');
  return stdout.length >= answer.length && stdout.subarray(stdout.length - answer.length).equals(answer);
}
