import { describe, expect, it } from 'vitest';
import { hostName, loginName } from './host.js';

describe('hostName', () => {
  it.each([
    'web1.example.com',
    'web1',
    'WEB1',
    'a_b',
    'xn--bcher-kva.example',
    '10.0.0.1',
    '[::1]',
    '[2001:db8::7]',
    '1.example',
    '[::ffff:10.0.0.1]',
    'a'.repeat(63),
  ])('takes %s as it is', (text) => {
    expect(hostName.schema.safeParse(text).data).toBe(text);
  });

  it.each([
    ['empty', ''],
    ['user', 'root@web1'],
    ['port', 'web1:22'],
    ['scheme', 'ssh://web1'],
    ['path', 'web1/x'],
    ['option', '-oProxyCommand=id'],
    ['label that starts with a dash', 'a.-b'],
    ['wildcard', '*.example.com'],
    ['list', 'web1,web2'],
    ['negation', '!web1'],
    ['hash', '|1|abc|def'],
    ['space', 'web1 web2'],
    ['newline', 'web1\nweb2'],
    ['trailing newline', 'web1\n'],
    ['NUL', 'web1\0'],
    ['Cyrillic letter', 'wеb1.example.com'],
    ['full-width digit', 'web１'],
    ['zero width', 'web\u200b1'],
    ['empty label', 'web1..com'],
    ['root dot', 'web1.example.com.'],
    ['IPv6 without brackets', '::1'],
    ['open bracket', '[::1'],
    ['bracketed name', '[web1]'],
    ['bracketed port', '[::1]:22'],
    ['zone', '[fe80::1%eth0]'],
    ['short IPv4', '127.1'],
    ['number', '2130706433'],
    ['hexadecimal number', '0x7f000001'],
    ['octal parts', '0177.0.0.1'],
    ['too many parts', '1.2.3.4.5'],
    ['long label', 'a'.repeat(64)],
    ['long name', `${'a.'.repeat(127)}com`],
  ])('refuses %s', (_what, text) => {
    expect(hostName.schema.safeParse(text).success).toBe(false);
  });
});

describe('loginName', () => {
  it.each(['deploy', 'root', '_apt', 'a.b-c', 'host$', '1user'])('takes %s', (text) => {
    expect(loginName.schema.safeParse(text).success).toBe(true);
  });
  it.each(['', '-l root', 'a b', 'a@b', 'a:b', 'a/b', 'a\u202eb', 'ä', 'a\n', 'a$b', 'a'.repeat(64)])(
    'refuses %j',
    (text) => {
      expect(loginName.schema.safeParse(text).success).toBe(false);
    },
  );
});
