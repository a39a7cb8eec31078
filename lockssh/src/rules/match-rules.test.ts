import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchRules, renderParting } from './match-rules.js';
import { parseRule, type Rule } from './parse-rule.js';

function rulesOf(...texts: readonly string[]): readonly Rule[] {
  return texts.map((text) => {
    const parsed = parseRule(text);
    if (!parsed.ok) throw new Error(`${text}: ${parsed.reason.code}`);
    return parsed.rule;
  });
}

const matches = (rule: string, argv: readonly string[]): boolean =>
  matchRules(rulesOf(rule), argv).kind === 'match';

describe('matchRules: the examples of the page', () => {
  it.each([
    ['uptime', 'uptime'],
    ['systemctl status *', 'systemctl status nginx'],
    ['cat /var/log/*', 'cat /var/log/syslog'],
    ['cat /var/log/*/*/*', 'cat /var/log/nginx/old/error.log'],
    ['ls *', 'ls src'],
    ['git log *', 'git log main'],
    ['journalctl *', 'journalctl nginx.service'],
    ['journalctl --since=*', 'journalctl --since=today'],
    ['less *', 'less notes.txt'],
    ['journalctl -u * -n * --no-pager', 'journalctl -u nginx -n 50 --no-pager'],
    ['echo **', 'echo'],
    ['echo **', 'echo a b c'],
    ['grep -- * app.log', 'grep -- -v app.log'],
    ['cat ../x', 'cat ../x'],
    ['date +%*', 'date +%F'],
    ['ls *', 'ls .hidden'],
  ])('%s allows %s', (rule, argv) => {
    expect(matches(rule, argv.split(' '))).toBe(true);
  });

  it.each([
    ['uptime', 'uptime -p'],
    ['systemctl status *', 'systemctl restart nginx'],
    ['systemctl status *', 'systemctl status a b'],
    ['cat /var/log/*', 'cat /var/log/../../etc/shadow'],
    ['cat /var/log/*', 'cat /var/log/nginx/error.log'],
    ['cat /var/log/*/*/*', 'cat /var/log/../../etc/shadow'],
    ['ls *', 'ls ..'],
    ['ls *', 'ls -la'],
    ['git log *', 'git log --output=/home/u/.bashrc'],
    ['journalctl *', 'journalctl --vacuum-time=1s'],
    ['journalctl --since=*', 'journalctl --until=now'],
    ['less *', 'less +!id'],
    ['journalctl -u * -n * --no-pager', 'journalctl -u nginx'],
    ['echo **', 'echo -e a'],
    ['echo **', 'echo ../x'],
    ['grep -- * app.log', 'grep -v x app.log'],
  ])('%s does not allow %s', (rule, argv) => {
    expect(matches(rule, argv.split(' '))).toBe(false);
  });
});

describe('matchRules: hostile arguments', () => {
  it.each([
    ['cat [.]./x', '../x'],
    ['cat ?./x', '../x'],
    ['cat \\.\\./x', '../x'],
    ['cat *', '.'],
    ['cat */*', 'a/..'],
    ['cat */*', './a'],
    ['cat a[^b]c', 'a/c'],
    ['cat a[.-0]c', 'a/c'],
    ['cat [/]', '/'],
    ['cat *', 'a/b'],
    ['cat [^a]*', '-x'],
    ['cat [+-~]*', '-x'],
    ['cat \\-*', '-x'],
    ['cat -*', '+x'],
    ['cat **', '..'],
    ['cat **', 'a/./b'],
    ['cat -- **', '../x'],
    ['cat -- **', '..'],
    ['cat A', 'a'],
  ])('%s takes no %s', (rule, argument) => {
    const [program = '', ...tokens] = rule.split(' ');
    const before = tokens.slice(0, -1);
    expect(matches(rule, [program, ...before, argument])).toBe(false);
  });

  it('no glob ever reaches an option, whatever the rule is, unless its text says so', () => {
    const token = fc.string({
      unit: fc.constantFrom('*', '?', 'a', '[^a]', '[+-0]', '\\-', '[\\-]', '/'),
      minLength: 1,
    });
    const argument = fc.tuple(fc.constantFrom('-', '+'), fc.string()).map(([sign, rest]) => sign + rest);
    fc.assert(
      fc.property(token, argument, (text, option) => {
        const parsed = parseRule(`p ${text}`);
        if (parsed.ok) expect(matchRules([parsed.rule], ['p', option]).kind).toBe('none');
      }),
    );
  });

  it('no glob ever covers a . or .. between slashes', () => {
    const token = fc.string({
      unit: fc.constantFrom('*', '?', '[.]', '[^a]', '\\.', '/', 'a'),
      minLength: 1,
    });
    const path = fc.array(fc.constantFrom('.', '..', 'a', ''), { minLength: 1 });
    fc.assert(
      fc.property(token, path, (text, segments) => {
        fc.pre(segments.some((segment) => segment.startsWith('.')));
        const parsed = parseRule(`p ${text}`);
        if (parsed.ok) expect(matchRules([parsed.rule], ['p', segments.join('/')]).kind).toBe('none');
      }),
      { numRuns: 500 },
    );
  });
});

describe('matchRules: which rule, or how near', () => {
  it('names the first rule that matches', () => {
    const rules = rulesOf('ls', 'ls *', 'ls a');
    expect(matchRules(rules, ['ls', 'a'])).toEqual({ kind: 'match', index: 1, rule: rules[1] });
  });

  it.each([
    [['systemctl', 'status'], { index: 1, token: 2, why: 'missing' }],
    [['systemctl', 'status', 'a', 'b'], { index: 1, token: 3, why: 'extra' }],
    [['systemctl', 'restart', 'a'], { index: 1, token: 1, why: 'differs' }],
    [['systemctl', 'status', '-x'], { index: 1, token: 2, why: 'option' }],
    [['systemctl', 'status', '..'], { index: 1, token: 2, why: 'climbs' }],
    [['systemctl', 'status', 'a/../b'], { index: 1, token: 2, why: 'climbs' }],
    [['/usr/bin/uptime'], { index: 0, token: 0, why: 'program' }],
    [['cat', 'x', '-n'], { index: 2, token: 2, why: 'option' }],
  ] as const)('%j: %j', (argv, nearest) => {
    const rules = rulesOf('uptime', 'systemctl status *', 'cat **');
    expect(matchRules(rules, argv)).toEqual({ kind: 'none', nearest });
    expect(renderParting(nearest.why)).not.toBe('');
  });

  it('nothing is near another program', () => {
    expect(matchRules(rulesOf('uptime'), ['reboot'])).toEqual({ kind: 'none' });
    expect(matchRules([], ['reboot'])).toEqual({ kind: 'none' });
  });
});
