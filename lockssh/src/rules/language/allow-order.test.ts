import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowOrder, MAX_SETS, type AllowLanguage } from './allow-order.js';
import { matchLanguage, openLanguage } from './open-language.js';
import { argvLike, mutateRules, randomRules, seededRandom, type Random } from './test/random-rules.js';

type Rules = readonly string[];
type Row = readonly [before: Rules, after: Rules];
type WitnessRow = readonly [before: Rules, after: Rules, witness: Rules];

const compare = (before: readonly string[], after: readonly string[]) =>
  allowOrder.compare([before], [after]);
const repeat = (text: string, count: number): string => text.repeat(count);
const many = (count: number, rule: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => rule(index));

describe('allowOrder.compare: tightens', () => {
  const rows: readonly Row[] = [
    [['systemctl status *'], ['systemctl status nginx']],
    [['cat /var/log/*'], ['cat /var/log/*.log', 'cat /var/log/syslog']],
    [['echo **'], ['echo', 'echo *', 'echo * *']],
    [['grep -- * f'], ['grep -- -v f']],
    [['cat */*'], ['cat a/[.]*']],
    [['cat */..'], ['cat a/..']],
    [['p a*', 'p b*'], ['p [ab]x']],
    [['uptime', 'df -h'], ['uptime']],
    [['uptime'], []],
    [['p a* b*', 'p a* c*', 'p b* *'], ['p [ab]* b']],
    [['p [a-m]*', 'p [n-z]*'], ['p [a-z]*x']],
    [['p -*'], ['p --*']],
    [['p -- **'], ['p -- *']],
  ];
  it.each(rows)('%j → %j', (before, after) => {
    expect(compare(before, after)).toEqual({ direction: 'tightens' });
  });
});

describe('allowOrder.compare: loosens, with a shortest witness', () => {
  const rows: readonly WitnessRow[] = [
    [['systemctl status nginx'], ['systemctl status *'], ['systemctl', 'status', '']],
    [['uptime'], ['uptime', 'df -h'], ['df', '-h']],
    [[], ['uptime'], ['uptime']],
    [['p ?*'], ['p **'], ['p']],
    [['p', 'p *'], ['p **'], ['p', '/']],
    [['p ?'], ['p ??', 'p ?'], ['p', 'aa']],
    [['git log *'], ['git log --*'], ['git', 'log', '--']],
    [['p *'], ['p -- *'], ['p', '--', '']],
    [['p -- ?*'], ['p -- *'], ['p', '--', '']],
    [['p [^a]'], ['p ?'], ['p', 'a']],
    [['p [!-~]'], ['p [^/]'], ['p', ' ']],
    [
      ['p [!-~]', 'p \u00a0'],
      ['p [^/ab]', 'p ?'],
      ['p', ' '],
    ],
    [['p [!-ſ]'], ['p [!-ƀ]'], ['p', 'ƀ']],
    [['cat ?*/?*'], ['cat ?*/?*', 'cat ../?*'], ['cat', '../a']],
    [['p a* b', 'p [^a]* b'], ['p * b'], ['p', '', 'b']],
    [
      ['p a* b', 'p [^a]* b', 'p [b-a]* b'],
      ['p ?* b', 'p c'],
      ['p', 'c'],
    ],
    [['p \\*'], ['p \\?'], ['p', '?']],
    [['p [^é] [xy]x'], ['p ? y*'], ['p', 'a', 'y']],
    [['p -* **'], ['p -- **'], ['p', '--', '-']],
    [['p *'], ['p * **'], ['p', '', '']],
  ];
  it.each(rows)('%j → %j', (before, after, witness) => {
    expect(compare(before, after)).toEqual({ direction: 'loosens', witness });
  });
});

describe('allowOrder.compare: same, however it is spelled', () => {
  const rows: readonly Row[] = [
    [['a *'], ['a *']],
    [
      ['a', 'b'],
      ['b', 'a', 'a'],
    ],
    [['p [ab]'], ['p a', 'p b']],
    [['p *'], ['p *', 'p x']],
    [['p [a-c]*'], ['p [ca-b]*', 'p b*']],
    [['p a\\/b'], ['p a/b']],
    [['p [/]'], []],
    [['p [z-a]'], []],
    [['p [.]'], []],
    [['p [.][.]/x'], []],
    [['p [-+]*'], []],
    [['p [\\-]x', 'p \\-x'], []],
    [['p a[.-0]b'], ['p a.b', 'p a0b']],
  ];
  it.each(rows)('%j → %j', (before, after) => {
    expect(compare(before, after)).toEqual({ direction: 'same' });
    expect(compare(after, before)).toEqual({ direction: 'same' });
  });

  it('counts the limits of an argv: 64 arguments, 4 KiB each, 16 KiB in all', () => {
    const everyLength = many(64, (index) => ['p', ...many(index, () => '[^/]*')].join(' '));
    const noSlash = ['p', ...many(63, () => '[^/]*')];
    expect(compare(everyLength.slice(0, 63), [noSlash.join(' ')]).direction).toBe('loosens');
    expect(compare([`p ${repeat('?', 4000)}`], [`p ${repeat('?', 4001)}`]).direction).toBe('loosens');
    const big = ['p', ...many(4, () => repeat('?', 4095))].join(' ');
    expect(compare([big], [`${big} a`, big])).toMatchObject({ direction: 'loosens' });
    expect(compare([big], [`${big} aa`, big]).direction).toBe('loosens');
    expect(compare([big], [`${big} aaaa`, big])).toEqual({ direction: 'same' });
  });
});

describe('allowOrder.compare: only what can be sent counts', () => {
  it('a stretch of invisible characters opens no gap', () => {
    expect(compare(['p \uffef', 'p \ufffc'], ['p [\uffef-\ufffc]'])).toEqual({ direction: 'same' });
  });

  it('a space among controls does', () => {
    expect(compare(['p ~', 'p ¡'], ['p [~-¡]'])).toEqual({ direction: 'loosens', witness: ['p', '\u00a0'] });
  });
});

describe('allowOrder.compare: conjunctions', () => {
  it('an argv needs every set', () => {
    expect(allowOrder.compare([['p *']], [['p a*'], ['p *b']])).toEqual({ direction: 'tightens' });
    expect(allowOrder.compare([['p a*'], ['p *a']], [['p a*a']])).toEqual({ direction: 'tightens' });
    expect(allowOrder.compare([['p a*'], ['p *b']], [['p a*b']])).toEqual({ direction: 'same' });
    expect(allowOrder.compare([['p a?*'], ['p ?*b']], [['p a*b']])).toEqual({ direction: 'same' });
    expect(allowOrder.compare([['p a*'], ['p *b']], [['p a*']])).toEqual({
      direction: 'loosens',
      witness: ['p', 'a'],
    });
  });

  it('no set at all allows nothing', () => {
    expect(allowOrder.compare([], [['p']]).direction).toBe('loosens');
    expect(allowOrder.compare([['p']], []).direction).toBe('tightens');
    expect(allowOrder.compare([], [[]])).toEqual({ direction: 'same' });
    expect(allowOrder.meet([], [['p']])).toEqual([[]]);
  });

  it('a rule that does not load allows nothing', () => {
    expect(compare(['p ['], ['p x'])).toEqual({ direction: 'loosens', witness: ['p', 'x'] });
    expect(compare(['p x'], ['p x', 'p ['])).toEqual({ direction: 'same' });
  });
});

describe('allowOrder.compare: rules built to explode', () => {
  const stars = (letters: string): string =>
    `p ${many(200, (index) => `${letters[index % letters.length] ?? ''}*`).join('')}`;

  it('200 stars are decided', () => {
    expect(compare([stars('ab')], [`${stars('ab')}x`]).direction).toBe('tightens');
    expect(compare([stars('abc')], [stars('acb')]).direction).toBe('loosens');
  });

  it('nested classes are decided', () => {
    const rule = (last: string): string => `p ${repeat(`[^a-c]*[d-${last}][^g-z]?`, 50)}`;
    expect(compare([rule('g')], [rule('f')])).toEqual({ direction: 'tightens' });
    expect(compare([rule('f')], [rule('g')]).direction).toBe('loosens');
  });

  it('10,000 rules are decided', () => {
    const before = many(10_000, (index) => `p a${String(index)}* *`);
    const after = many(10_000, (index) => `p a${String(index)}b* c`);
    expect(compare(before, after)).toEqual({ direction: 'tightens' });
    expect(compare(after, before)).toEqual({ direction: 'loosens', witness: ['p', 'a0', ''] });
  });

  it.each([
    [
      'a subset construction',
      [`p *a${repeat('?', 30)}`, `p *b${repeat('?', 30)}`],
      [`p ${repeat('[ab]', 60)}`],
    ],
    ['positions by the thousand', [`p *a${repeat('?', 4000)}`], [`p ${repeat('[ab]', 4090)}`]],
    [
      '10,000 floating rules',
      many(10_000, (i) => `p *a${String(i)}*`),
      many(10_000, (i) => `p *b${String(i)}*c`),
    ],
    [
      'floating letters',
      many(60, (i) => `p *${'ab'[i % 2] ?? ''}${repeat('?', i)}`),
      [`p ${repeat('[ab]', 40)}`],
    ],
  ])('%s ends, and what is not proved loosens', (_name, before, after) => {
    const { direction, witness, limit } = compare(before, after);
    expect(direction).toBe('loosens');
    expect(witness !== undefined || limit === 'RULES_TOO_COMPLEX').toBe(true);
  });
});

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

function language(random: Random): AllowLanguage {
  return Array.from({ length: 1 + random(2) }, () => randomRules(random, 3));
}

const direction = (before: AllowLanguage, after: AllowLanguage): string =>
  allowOrder.compare(before, after).direction;
const isWithin = (inner: AllowLanguage, outer: AllowLanguage): boolean =>
  direction(outer, inner) !== 'loosens';

describe('allowOrder: laws', () => {
  const law = (name: string, holds: (random: Random) => void): void => {
    it(name, () => {
      fc.assert(
        fc.property(seeds, (seed) => holds(seededRandom(seed))),
        { numRuns: 120 },
      );
    });
  };

  law('compare is reflexive', (random) => {
    const value = language(random);
    expect(direction(value, value)).toBe('same');
  });

  law('compare is transitive', (random) => {
    const a = language(random);
    const b = a.map((set) => mutateRules(random, set));
    const c = b.map((set) => mutateRules(random, set));
    if (isWithin(b, a) && isWithin(c, b)) expect(isWithin(c, a)).toBe(true);
  });

  law('tighter both ways is the same', (random) => {
    const a = language(random);
    const b = a.map((set) => mutateRules(random, set));
    if (isWithin(a, b) && isWithin(b, a)) expect(direction(a, b)).toBe('same');
    else expect(direction(a, b)).not.toBe('same');
  });

  law('meet is below both', (random) => {
    const [a, b] = [language(random), language(random)];
    const met = allowOrder.meet(a, b);
    expect([isWithin(met, a), isWithin(met, b)]).toEqual([true, true]);
  });

  law('meet is the greatest below both, and allows what both allow', (random) => {
    const [a, b] = [language(random), language(random)];
    const c = mutateRules(random, a[0] ?? []);
    const met = allowOrder.meet(a, b);
    if (isWithin([c], a) && isWithin([c], b)) expect(isWithin([c], met)).toBe(true);
    const [inA, inB, inMet] = [a, b, met].map((value) => {
      const opened = openLanguage(value);
      return (argv: readonly string[]) => matchLanguage(opened, argv).kind === 'match';
    });
    for (let tries = 0; tries < 20; tries += 1) {
      const argv = argvLike(random, [...a, ...b].flat());
      expect(inMet?.(argv)).toBe(inA?.(argv) === true && inB?.(argv) === true);
    }
  });

  law('meet is idempotent', (random) => {
    const a = language(random);
    expect(direction(a, allowOrder.meet(a, a))).toBe('same');
    const met = allowOrder.meet(a, language(random));
    expect(allowOrder.meet(met, met)).toEqual(met);
  });

  law('meet is commutative, even as it is written', (random) => {
    const [a, b] = [language(random), language(random)];
    expect(allowOrder.meet(a, b)).toEqual(allowOrder.meet(b, a));
  });

  law('meet is associative', (random) => {
    const [a, b, c] = [language(random), language(random), language(random)];
    const left = allowOrder.meet(allowOrder.meet(a, b), c);
    expect(direction(left, allowOrder.meet(a, allowOrder.meet(b, c)))).toBe('same');
  });
});

describe('allowOrder.meet', () => {
  it('drops a set that adds nothing', () => {
    expect(allowOrder.meet([['systemctl status *']], [['systemctl status nginx']])).toEqual([
      ['systemctl status nginx'],
    ]);
  });

  it('takes a removed rule away at once and gives the added one nothing', () => {
    const met = openLanguage(allowOrder.meet([['uptime', 'df -h']], [['uptime', 'reboot']]));
    const allowed = [['uptime'], ['df', '-h'], ['reboot']].filter(
      (argv) => matchLanguage(met, argv).kind === 'match',
    );
    expect(allowed).toEqual([['uptime']]);
  });

  it('stays bounded when a file is changed again and again, and never allows more', () => {
    const random = seededRandom(5);
    let inForce: AllowLanguage = [['p *', 'p * *', 'q **']];
    for (let change = 0; change < 60; change += 1) {
      const letter = String.fromCodePoint(0x61 + random(26));
      const before = inForce;
      inForce = allowOrder.meet(inForce, [[`p [^${letter}]*`, `p *${letter} *`, 'q **']]);
      expect(inForce.length).toBeLessThanOrEqual(MAX_SETS);
      expect(direction(before, inForce)).not.toBe('loosens');
    }
    expect(matchLanguage(openLanguage(inForce), ['q', 'x']).kind).toBe('match');
  });
});
