// How long the comparison of two sets of allow rules takes, and how it grows. Run by `npm run bench` on the built
// packages. It measures and prints; it asserts nothing.
import { allowOrder } from '@lockkit/lockssh/rules';

const SERVICES = ['nginx', 'postgres', 'redis', 'cron', 'ssh', 'docker', 'haproxy', 'app'];
const of = (count, rule) => Array.from({ length: count }, (_, index) => rule(index));
const service = (index) => `${SERVICES[index % SERVICES.length]}${Math.floor(index / SERVICES.length)}`;

// What people write: a few programs, many of the same shape, some floating.
const SHAPES = [
  (index) => `systemctl status ${service(index)}*`,
  (index) => `journalctl -u ${service(index)} -n * --no-pager`,
  (index) => `cat /var/log/${service(index)}/*`,
  (index) => `tail -n * /srv/${service(index)}/log/*.log`,
  (index) => `grep -- * /var/log/*${service(index)}*.log`,
  (index) => `ls /srv/${service(index)} **`,
  (index) => `check-${service(index)} --since=* [a-z]*`,
];
const ruleSet = (count) => of(count, (index) => SHAPES[index % SHAPES.length](index));

/** Every rule narrowed, every rule widened, or one in ten replaced. */
const CHANGES = {
  'all tightened': (rules) => rules.map((rule) => rule.replace('*', '[a-m]*')),
  'all loosened': (rules) => rules.map((rule) => rule.replace(/(\w)(\*|$)/, '?$2')),
  'some replaced': (rules) => rules.map((rule, index) => (index % 10 === 0 ? `${rule} x` : rule)),
  respelled: (rules) =>
    [...rules]
      .reverse()
      .map((rule) => (rule.includes('[') ? rule : rule.replace(/(?<= .*)[a-z](?=[^/]*$)/, '[$&]'))),
};

function timeMs(run) {
  const start = performance.now();
  const result = run();
  return { ms: performance.now() - start, result };
}

function percentile(values, share) {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
}

function measure(count, runs) {
  const before = ruleSet(count);
  return Object.entries(CHANGES).map(([change, apply]) => {
    const after = apply(before);
    const times = of(runs, () => timeMs(() => allowOrder.compare([before], [after])));
    const { direction, limit } = times[0].result;
    const values = times.map(({ ms }) => ms);
    return {
      bench: 'rules',
      name: `${count} rules, ${change}`,
      direction: limit ?? direction,
      medianMs: round(percentile(values, 0.5)),
      p95Ms: round(percentile(values, 0.95)),
    };
  });
}

const round = (value) => Math.round(value * 10) / 10;

function explosive() {
  const cases = {
    '200 stars': [[`p ${'a*b*'.repeat(100)}`], [`p ${'a*b*'.repeat(100)}x`]],
    'subset construction': [[`p *a${'?'.repeat(30)}`, `p *b${'?'.repeat(30)}`], [`p ${'[ab]'.repeat(60)}`]],
    '10,000 floating rules': [of(10_000, (i) => `p *a${i}*`), of(10_000, (i) => `p *b${i}*c`)],
  };
  return Object.entries(cases).map(([name, [before, after]]) => {
    const { ms, result } = timeMs(() => allowOrder.compare([before], [after]));
    return {
      bench: 'rules',
      name,
      direction: result.limit ?? result.direction,
      medianMs: round(ms),
      p95Ms: round(ms),
    };
  });
}

/** Rows {bench, name, direction, medianMs, p95Ms}, in milliseconds of this machine. */
export function bench() {
  // What a console pays that has just started, and then what it pays: a proof's code is compiled as it runs.
  const first = measure(200, 1).slice(0, 1);
  const rows = [
    ...first.map((row) => ({ ...row, name: `${row.name}, the first` })),
    ...measure(200, 40),
    ...measure(1000, 7),
    ...[100, 200, 400, 800, 1600].flatMap((count) => measure(count, 5).slice(0, 1)),
    ...explosive(),
  ];
  for (const { name, direction, medianMs, p95Ms } of rows) {
    console.log(`${name.padEnd(36)} ${direction.padEnd(18)} median ${medianMs} ms, p95 ${p95Ms} ms`);
  }
  return rows;
}

if (process.argv[1] === new URL(import.meta.url).pathname) bench();
