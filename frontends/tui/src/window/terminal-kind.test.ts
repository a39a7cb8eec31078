import { describe, expect, test } from 'vitest';
import { canDrawWindow, hasColour } from './terminal-kind.js';

const on = (term?: string, more = {}) => ({
  isTerminal: true,
  env: { ...(term === undefined ? {} : { TERM: term }), ...more },
});

describe('canDrawWindow', () => {
  test.each([
    'xterm-256color',
    'tmux-256color',
    'screen.xterm-256color',
    'linux',
    'vt100',
    'vt220-w',
    'rxvt-unicode',
    'xterm',
  ])('is true for %s', (term) => expect(canDrawWindow(on(term))).toBe(true));

  test.each(['dumb', 'vt52', '', 'unknown', 'emacs', 'stuff'])('is false for %j', (term) =>
    expect(canDrawWindow(on(term))).toBe(false),
  );

  test('is false without a TERM and without a terminal', () => {
    expect(canDrawWindow(on())).toBe(false);
    expect(canDrawWindow({ isTerminal: false, env: { TERM: 'xterm' } })).toBe(false);
  });
});

describe('hasColour', () => {
  test.each([
    ['xterm', {}, true],
    ['vt100', {}, false],
    ['xterm-mono', {}, false],
    ['screen-m', {}, false],
    ['dumb', {}, false],
    ['xterm', { NO_COLOR: '1' }, false],
    ['xterm', { NO_COLOR: '' }, true],
  ])('on %s with %j is %s', (term, more, expected) => expect(hasColour(on(term, more))).toBe(expected));
});
