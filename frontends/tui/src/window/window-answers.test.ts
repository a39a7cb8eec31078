import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestWindow, screenOf, yesNo, type TestWindow } from '../test/test-window.js';

let at: TestWindow;

beforeEach(() => {
  at = openTestWindow();
});

afterEach(() => at.window.close());

describe('Window, answers', () => {
  test('takes y and Enter for the question that is shown', async () => {
    at.ask('one');
    await at.line('y');
    expect(at.answers).toEqual({ one: { kind: 'yes' } });
  });

  test.each([
    ['Enter alone', '', { kind: 'no' }],
    ['a reason', 'n too risky', { kind: 'no', reason: 'too risky' }],
    ['a near miss', 'yes please', { kind: 'no' }],
  ])('%s is a no', async (_name, text, expected) => {
    at.ask('one');
    await at.line(text);
    expect(at.answers['one']).toEqual(expected);
  });

  test('takes nothing in the first 300 ms of a question, nor in the second after another was answered', async () => {
    at.ask('one');
    at.clock.forward(290);
    await at.type('y\r');
    at.clock.forward(1000);
    expect(at.answers).toEqual({});
    at.ask('two');
    await at.line('y');
    at.clock.forward(400);
    await at.type('y\r');
    at.clock.forward(1000);
    expect(Object.keys(at.answers)).toEqual(['one']);
  });

  test('takes nothing in the second after something changed beside the question', async () => {
    at.ask('one');
    at.settle();
    at.clock.forward(3000);
    at.window.note('a', ['news']);
    at.clock.forward(100);
    expect(at.text()).toContain('news');
    await at.type('y\r');
    at.clock.forward(500);
    expect(at.answers).toEqual({});
    await at.line('y');
    expect(at.answers['one']).toEqual({ kind: 'yes' });
  });

  test('leaves a second out of three for an answer, however fast news come', async () => {
    at.ask('one');
    for (let i = 0; i < 200; i++) {
      at.window.note('a', [`news ${i}`]);
      at.ask(`more ${i}`);
      at.clock.forward(25);
    }
    // Whenever a person looks: within three seconds there is a moment at which an answer counts.
    let answered = false;
    for (let tries = 0; tries < 12 && !answered; tries++) {
      await at.type('y');
      at.window.note('a', ['in between']);
      await at.type('\r');
      at.clock.forward(200);
      answered = at.answers['one'] !== undefined;
      at.clock.forward(1100);
    }
    expect(at.answers['one']).toEqual({ kind: 'yes' });
    expect(Object.keys(at.answers)).toEqual(['one']);
  });

  test('shows nothing new while a line is being typed', async () => {
    at.ask('one');
    at.settle();
    await at.type('n w');
    at.window.note('a', ['news']);
    at.clock.forward(20_000);
    expect(at.text()).not.toContain('news');
    await at.type('hy\r');
    at.clock.forward(200);
    expect(at.answers['one']).toEqual({ kind: 'no', reason: 'why' });
    expect(at.text()).toContain('news');
  });

  test('a question that was not read to its end cannot be approved, only denied', async () => {
    at.ask('long', screenOf('long', yesNo, 60));
    expect(at.text()).toMatch(/▼ \d+ more rows below/);
    await at.line('y');
    expect(at.answers).toEqual({});
    expect(at.text()).toContain('read the screen to its end');
    for (let i = 0; i < 6; i++) {
      at.settle();
      await at.type('\x1b[6~');
    }
    await at.line('y');
    expect(at.answers['long']).toEqual({ kind: 'yes' });
    at.ask('other', screenOf('other', yesNo, 60));
    await at.line('n');
    expect(at.answers['other']).toEqual({ kind: 'no' });
  });

  test('another width must be read anew', async () => {
    at.ask('long', screenOf('long', yesNo, 25));
    at.settle();
    for (let i = 0; i < 6; i++) {
      await at.type('\x1b[6~');
      at.settle();
    }
    at.resize({ columns: 90, rows: 24 });
    await at.line('y');
    expect(at.answers).toEqual({});
  });

  test('something hidden cannot be approved', async () => {
    const hidden = {
      ...screenOf('big', yesNo),
      origin: [[{ kind: 'untrusted' as const, text: 'x'.repeat(9000) }]],
    };
    at.window.close();
    at = openTestWindow({ columns: 200, rows: 120 });
    at.ask('big', hidden);
    await at.line('y');
    expect(at.answers).toEqual({});
    expect(at.text()).toContain('cannot be approved');
  });

  test('no answer is taken where the window is too small', async () => {
    at.ask('one');
    at.settle();
    at.resize({ columns: 30, rows: 8 });
    expect(at.text()).toContain('too small');
    await at.line('y');
    expect(at.answers).toEqual({});
  });

  test('a typed question takes the exact text only', async () => {
    const typed = { kind: 'typed', prompt: ['type web'], expected: 'web' } as const;
    at.ask('one', screenOf('one', typed));
    await at.line('WEB');
    at.ask('two', screenOf('two', typed));
    await at.line('web');
    expect(at.answers).toEqual({ one: { kind: 'no' }, two: { kind: 'yes' } });
  });

  test('a secret is not echoed, may begin with a colon, and its line is wiped', async () => {
    at.ask('key', screenOf('key', { kind: 'secret', prompt: ['passphrase'], maxBytes: 64 }));
    at.settle();
    await at.type(':qu it');
    expect(at.text()).not.toContain(':qu');
    await at.type('\r');
    at.clock.forward(200);
    expect(at.answers['key']).toEqual({ kind: 'secret', value: new Uint8Array(Buffer.from(':qu it')) });
    expect(at.window.gone.aborted).toBe(false);
  });

  test('a secret that was refused because it was too early is not echoed on the second try', async () => {
    at.ask('key', screenOf('key', { kind: 'secret', prompt: ['passphrase'], maxBytes: 64 }, 60));
    await at.line('hunter2');
    await at.type('hunter2');
    at.settle();
    await at.type('hunter2');
    expect(at.text()).not.toContain('hunter');
  });
});
