// Text that came from outside, as a type of its own: it cannot be pasted into a screen by accident.
// Built by the lock types and the console, opened only by the renderers (visible.ts).
// Must never be turned back into a plain string of a screen.

/** Text of an agent, a file, a server or a human: shown as visible text only. */
export interface Untrusted {
  readonly kind: 'untrusted';
  readonly text: string;
}

/** Text that went through the masking pipeline: as untrusted, but its placeholders `⟦…⟧` are ours and stay. */
export interface Masked {
  readonly kind: 'masked';
  readonly text: string;
}

/** An argv, one argument each: shown quoted, so that no argument can look like two or like none. */
export interface Argv {
  readonly kind: 'argv';
  readonly argv: readonly string[];
}

export function untrusted(text: string): Untrusted {
  return { kind: 'untrusted', text };
}

export function maskedText(text: string): Masked {
  return { kind: 'masked', text };
}

export function argvText(argv: readonly string[]): Argv {
  return { kind: 'argv', argv: [...argv] };
}
