import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestWindow, screenOf, yesNo, type TestWindow } from '../test/test-window.js';

let at: TestWindow;

beforeEach(() => {
  at = openTestWindow();
});

afterEach(() => at.window.close());

/** Past every guard of what is shown. */
function settle(): void {
  at.clock.forward(1200);
}

/** Types a line as a person does, and lets its silence pass. */
async function line(text: string): Promise<void> {
  settle();
  await at.type(text);
  at.clock.forward(50);
  await at.type('\r');
  at.clock.forward(500);
}

describe('Window, answers', () => {
  test('takes y and Enter for the question that is shown', async () => {
    at.ask('one');
    await line('y');
    expect(at.answers).toEqual({ one: { kind: 'yes' } });
  });

  test.each([
    ['Enter alone', '', { kind: 'no' }],
    ['a reason', 'n too risky', { kind: 'no', reason: 'too risky' }],
    ['a near miss', 'yes please', { kind: 'no' }],
  ])('%s is a no', async (_name, text, expected) => {
    at.ask('one');
    await line(text);
    expect(at.answers['one']).toEqual(expected);
  });

  test('takes nothing in the first 300 ms of a question, nor in the second after another was answered', async () => {
    at.ask('one');
    at.clock.forward(290);
    await at.type('y\r');
    at.clock.forward(1000);
    expect(at.answers).toEqual({});
    at.ask('two');
    await line('y');
    at.clock.forward(400);
    await at.type('y\r');
    at.clock.forward(1000);
    expect(Object.keys(at.answers)).toEqual(['one']);
  });

  test('takes nothing in the second after something changed beside the question', async () => {
    at.ask('one');
    settle();
    at.clock.forward(3000);
    at.window.note('a', ['news']);
    at.clock.forward(100);
    expect(at.text()).toContain('news');
    await at.type('y\r');
    at.clock.forward(500);
    expect(at.answers).toEqual({});
    await line('y');
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
    settle();
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
    await line('y');
    expect(at.answers).toEqual({});
    expect(at.text()).toContain('read the screen to its end');
    for (let i = 0; i < 6; i++) {
      settle();
      await at.type('\x1b[6~');
    }
    await line('y');
    expect(at.answers['long']).toEqual({ kind: 'yes' });
    at.ask('other', screenOf('other', yesNo, 60));
    await line('n');
    expect(at.answers['other']).toEqual({ kind: 'no' });
  });

  test('another width must be read anew', async () => {
    at.ask('long', screenOf('long', yesNo, 25));
    settle();
    for (let i = 0; i < 6; i++) {
      await at.type('\x1b[6~');
      settle();
    }
    at.resize({ columns: 90, rows: 24 });
    await line('y');
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
    await line('y');
    expect(at.answers).toEqual({});
    expect(at.text()).toContain('cannot be approved');
  });

  test('no answer is taken where the window is too small', async () => {
    at.ask('one');
    settle();
    at.resize({ columns: 30, rows: 8 });
    expect(at.text()).toContain('too small');
    await line('y');
    expect(at.answers).toEqual({});
  });

  test('a typed question takes the exact text only', async () => {
    const typed = { kind: 'typed', prompt: ['type web'], expected: 'web' } as const;
    at.ask('one', screenOf('one', typed));
    await line('WEB');
    at.ask('two', screenOf('two', typed));
    await line('web');
    expect(at.answers).toEqual({ one: { kind: 'no' }, two: { kind: 'yes' } });
  });

  test('a secret is not echoed, may begin with a colon, and its line is wiped', async () => {
    at.ask('key', screenOf('key', { kind: 'secret', prompt: ['passphrase'], maxBytes: 64 }));
    settle();
    await at.type(':qu it');
    expect(at.text()).not.toContain(':qu');
    await at.type('\r');
    at.clock.forward(200);
    expect(at.answers['key']).toEqual({ kind: 'secret', value: new Uint8Array(Buffer.from(':qu it')) });
    expect(at.window.gone.aborted).toBe(false);
  });

  test('a secret that was refused because it was too early is not echoed on the second try', async () => {
    at.ask('key', screenOf('key', { kind: 'secret', prompt: ['passphrase'], maxBytes: 64 }, 60));
    await line('hunter2');
    await at.type('hunter2');
    settle();
    await at.type('hunter2');
    expect(at.text()).not.toContain('hunter');
  });
});

describe('Window, what is chosen', () => {
  test('keys stay with the question that was chosen, whatever comes and goes beside it', async () => {
    for (const id of ['one', 'two', 'three']) at.ask(id);
    settle();
    await at.type('\x1b[B');
    at.window.withdraw('one', 'gone');
    at.ask('four');
    await line('y');
    expect(at.answers).toEqual({ two: { kind: 'yes' } });
  });

  test('a question that is withdrawn while it is shown needs Enter before the next', async () => {
    at.ask('one');
    at.ask('two');
    settle();
    await at.type('y');
    at.window.withdraw('one', 'this question was withdrawn');
    expect(at.text()).toContain('this question was withdrawn: press Enter');
    await at.type('\r');
    at.clock.forward(400);
    expect(at.answers).toEqual({});
    expect(at.text()).toContain('press Enter');
    await line('');
    expect(at.text()).toContain('╭─ two');
    expect(at.answers).toEqual({});
  });

  test('an answer that ended just before the withdrawal does not count', async () => {
    at.ask('one');
    settle();
    await at.type('y\r');
    at.window.withdraw('one', 'gone');
    at.clock.forward(1000);
    expect(at.answers).toEqual({});
  });

  test('what a command shows comes up at once, and Enter brings the question back', async () => {
    at.ask('one');
    at.window.setSource({ id: 'a', name: 'web', state: 'ready' });
    at.window.onCommand('a', ':status', () =>
      at.window.show({ id: 'page', source: 'a', screen: screenOf('the page'), about: {} }),
    );
    await line(':status');
    expect(at.text()).toContain('╭─ the page');
    await line('');
    expect(at.text()).toContain('╭─ one');
    expect(at.answers).toEqual({});
  });

  test('a page that nobody called for does not push a question aside', async () => {
    at.ask('one');
    at.window.show({ id: 'page', source: 'a', screen: screenOf('the page'), about: {} });
    at.clock.forward(5000);
    expect(at.text()).toContain('╭─ one');
  });

  test('of the pages of a console the newest sixteen stay', () => {
    for (let i = 0; i < 40; i++)
      at.window.show({ id: `p${i}`, source: 'a', screen: screenOf(`page ${i}`), about: {} });
    at.clock.forward(5000);
    expect(at.text()).toContain('of 16');
  });

  test('with several consoles a command names its own', async () => {
    const called: string[] = [];
    for (const name of ['web', 'db']) {
      at.window.setSource({ id: name, name, state: 'ready' });
      at.window.onCommand(name, ':review', () => void called.push(name));
    }
    await line(':review');
    expect(at.text()).toContain('say whose');
    await line(':review db');
    expect(called).toEqual(['db']);
  });

  test('a console that ends takes its questions with it', async () => {
    at.ask('one', undefined, 'a');
    at.ask('two', undefined, 'b');
    settle();
    at.window.removeSource('a', 'its console ended');
    expect(at.answers['one']).toEqual({ kind: 'withdrawn' });
    expect(at.text()).toContain('its console ended: press Enter');
    await line('');
    expect(at.text()).toContain('╭─ two');
  });
});

describe('Window, news and end', () => {
  test('rings once for tickets that come together, and again for a later one', () => {
    at.ask('one');
    at.ask('two');
    expect(at.rings()).toBe(1);
    at.clock.forward(5000);
    at.ask('three');
    expect(at.rings()).toBe(2);
  });

  test('closing withdraws everything and draws no more', () => {
    at.ask('one');
    at.window.close();
    const drawn = at.draws();
    at.window.note('a', ['late']);
    at.clock.forward(10_000);
    expect(at.answers).toEqual({ one: { kind: 'withdrawn' } });
    expect(at.draws()).toBe(drawn);
  });

  test('with 10,000 waiting, a key is drawn within one frame', async () => {
    for (let i = 0; i < 10_000; i++) at.ask(`t${i}`);
    at.clock.forward(5000);
    expect(at.text()).toContain('10000 waiting');
    const before = at.draws();
    const startedMs = performance.now();
    for (let i = 0; i < 20; i++) await at.type('\x1b[B');
    const perKeyMs = (performance.now() - startedMs) / 20;
    expect(at.draws()).toBeGreaterThanOrEqual(before + 20);
    expect(at.text()).toContain('╭─ t20 ');
    console.info(`10,000 waiting: ${perKeyMs.toFixed(1)} ms a key`);
  });
});
