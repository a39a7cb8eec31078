import { describe, expect, test } from 'vitest';
import { prepareScreen } from './prepare-screen.js';
import type { Screen } from './screen.js';
import { untrusted } from './untrusted.js';

const SCREEN: Screen = {
  title: ['q'],
  origin: [['agent: ', untrusted('check')]],
  sections: [],
  warnings: [['UNOFFICIAL MARKETPLACE']],
  question: { kind: 'yes_no' },
};
const OPTIONS = { columns: 80, colour: false, windowRows: 24, waiting: 0 };

describe('prepareScreen', () => {
  test('adds nothing to a screen that is shown whole', () => {
    const { text, approvable } = prepareScreen(SCREEN, OPTIONS);
    expect(approvable).toBe(true);
    expect(text.split('\n')).toHaveLength(5);
  });

  test('says that it is taller than the window, and how many wait', () => {
    const { text, approvable } = prepareScreen(SCREEN, { ...OPTIONS, windowRows: 4, waiting: 2 });
    expect(approvable).toBe(true);
    expect(text).toContain('▲ UNOFFICIAL MARKETPLACE');
    expect(text).toContain('▲ 2 more waiting');
    expect(text).toContain('▲ taller than this window');
  });

  test('is not approvable when it hides anything', () => {
    const hiding: Screen = { ...SCREEN, origin: [[untrusted('x'.repeat(8193))]] };
    const { text, approvable } = prepareScreen(hiding, OPTIONS);
    expect(approvable).toBe(false);
    expect(text).toContain('▲ 1 characters are not shown');
  });
});
