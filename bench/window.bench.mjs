// The window with 10,000 waiting tickets: one key, from its byte to the frame handed to the terminal. A frame has 100 ms.
// Beside it the same window with ten. Cells go through blessed to a stream that is read and thrown away.
import { PassThrough } from 'node:stream';
import { processClock } from 'lockkit/approval';
import { Window } from '../frontends/tui/dist/window/window.js';

const KEYS = Number(process.env.KEYS ?? 200);
const FRAME_MS = 100;

const screenOf = (title) => ({
  title: [title],
  origin: [['requested by uid 1000']],
  sections: [
    { kind: 'facts', facts: [{ label: 'command', value: [{ kind: 'argv', argv: ['id', '-un'] }] }] },
  ],
  warnings: [],
  question: { kind: 'yes_no' },
});

function openWindow(waiting, size) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  Object.assign(output, size);
  let bytes = 0;
  output.on('data', (chunk) => (bytes += chunk.length));
  const window = new Window({
    input,
    output,
    clock: processClock,
    colour: true,
    name: 'bench',
    now: () => new Date(),
  });
  for (let i = 0; i < waiting; i++)
    window.ask(
      {
        id: `t${i}`,
        source: 'a',
        screen: screenOf(`ticket ${i}`),
        about: { ticket: `t${i}`, kind: 'exec', risk: 'write' },
      },
      () => undefined,
    );
  return { window, input, written: () => bytes };
}

async function measure(waiting, size) {
  const { window, input, written } = openWindow(waiting, size);
  const times = [];
  for (let i = 0; i < KEYS; i++) {
    const [before, from] = [written(), performance.now()];
    input.write(i % 16 < 8 ? '\u001b[B' : '\u001b[A');
    while (written() === before) await new Promise((resolve) => setImmediate(resolve));
    times.push(performance.now() - from);
  }
  window.close();
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length * 0.5)], p95: times[Math.floor(times.length * 0.95)] };
}

const LARGE = { columns: 200, rows: 60 };
for (const [name, size] of [
  ['80x24', { columns: 80, rows: 24 }],
  ['200x60', LARGE],
])
  for (const waiting of [10, 10_000]) {
    const { p50, p95 } = await measure(waiting, size);
    const verdict = p95 < FRAME_MS ? 'within' : 'OVER';
    console.log(
      `${name}, ${waiting} waiting: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms a key (${verdict} one frame of ${FRAME_MS} ms)`,
    );
  }
process.exit(0);
