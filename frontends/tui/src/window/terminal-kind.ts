// What a terminal can show, by its TERM: whether the window can be drawn on it, and whether in colour. Pure; called where
// a human is opened. Doubt means plain text and no colour: both always work.

export interface TerminalFacts {
  /** Standard input and output are one. */
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** They understand the sequences of xterm: cursor, erasing, and (or else ignore) the alternate screen. */
const DRAWABLE =
  /^(xterm|screen|tmux|rxvt|linux|vt[1-5]\d\d|ansi|alacritty|kitty|foot|st|konsole|gnome|vte|putty|wezterm|contour|ghostty|iterm|nsterm|mlterm|eterm|cygwin)([-.+]|$|\d)/i;
const WITHOUT_COLOUR = /^(vt[1-5]\d\d|dumb)|-m(ono)?$/i;

export function canDrawWindow({ isTerminal, env }: TerminalFacts): boolean {
  return isTerminal && DRAWABLE.test(env['TERM'] ?? '');
}

export function hasColour({ isTerminal, env }: TerminalFacts): boolean {
  const { TERM: term = '', NO_COLOR: off = '' } = env;
  return isTerminal && off === '' && term !== '' && !WITHOUT_COLOUR.test(term);
}
