import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestWindow, screenOf, type TestWindow } from '../test/test-window.js';

let at: TestWindow;

beforeEach(() => {
  at = openTestWindow();
});

afterEach(() => at.window.close());

describe('Window, what is chosen', () => {
  test('keys stay with the question that was chosen, whatever comes and goes beside it', async () => {
    for (const id of ['one', 'two', 'three']) at.ask(id);
    at.settle();
    await at.type('\x1b[B');
    at.window.withdraw('one', 'gone');
    at.ask('four');
    await at.line('y');
    expect(at.answers).toEqual({ two: { kind: 'yes' } });
  });

  test('a question that is withdrawn while it is shown needs Enter before the next', async () => {
    at.ask('one');
    at.ask('two');
    at.settle();
    await at.type('y');
    at.window.withdraw('one', 'this question was withdrawn');
    expect(at.text()).toContain('this question was withdrawn: press Enter');
    await at.type('\r');
    at.clock.forward(400);
    expect(at.answers).toEqual({});
    expect(at.text()).toContain('press Enter');
    await at.line('');
    expect(at.text()).toContain('╭─ two');
    expect(at.answers).toEqual({});
  });

  test('an answer that ended just before the withdrawal does not count', async () => {
    at.ask('one');
    at.settle();
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
    await at.line(':status');
    expect(at.text()).toContain('╭─ the page');
    await at.line('');
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
    await at.line(':review');
    expect(at.text()).toContain('say whose');
    await at.line(':review db');
    expect(called).toEqual(['db']);
  });

  test('a console that ends takes its questions with it', async () => {
    at.ask('one', undefined, 'a');
    at.ask('two', undefined, 'b');
    at.settle();
    at.window.removeSource('a', 'its console ended');
    expect(at.answers['one']).toEqual({ kind: 'withdrawn' });
    expect(at.text()).toContain('its console ended: press Enter');
    await at.line('');
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
