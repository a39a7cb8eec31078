import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foundBy } from '../test/found-by.js';
import { normaliseIp } from './ip-normal-form.js';

const found = (text: string): readonly string[] => foundBy(['ip'], text);

describe('ip', () => {
  it.each([
    ['client 203.0.113.7, server', '203.0.113.7'],
    ['10.0.0.0/8 via', '10.0.0.0'],
    ['192.168.000.001', '192.168.000.001'],
    ['libfoo 1.2.3.4-1ubuntu2', '1.2.3.4'],
    ['http://[2001:db8::1]/path', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['::ffff:192.0.2.128', '::ffff:192.0.2.128'],
    ['684D:1111:222:3333:4444:5555:6:77', '684D:1111:222:3333:4444:5555:6:77'],
    ['udp6:2001:db8::1', '2001:db8::1'],
    ['addr fe80::2: unreachable', 'fe80::2'],
    ['192\uff0e168\uff0e1\uff0e1', '192\uff0e168\uff0e1\uff0e1'],
  ])('hides the address in %j', (text, value) => {
    expect(found(text)).toEqual([value]);
  });

  it.each([
    ['192.168.0'],
    ['120.0.6099.109'],
    ['300.300.300.300'],
    ['Chrome/120.0.0.0 Safari/537.36'],
    ['v1.2.3.4'],
    ['12:30:45'],
    ['2026-11-30T10:15:00Z'],
    ['std::vector<int>'],
    ['dead::beef'],
    ['aa:bb:cc:dd:ee:ff'],
    ['00:11:22:33:44:55:66:77'],
    ['684D:1111:222:3333:4444:5555:77'],
    ['SHA1=AA:BB:CC:DD:EE:FF:00:11:22:33'],
    ['1:2:3:4:5:6:7:8:9'],
  ])('leaves %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('hides every IPv4 and every IPv6 address that the platform knows', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const isPlain = isIP(address) !== 0 && /\d/.test(address) && address !== '::';
        const allPairs = /^[0-9a-f]{2}(?::[0-9a-f]{2}){7}$/i.test(address);
        if (isPlain && !allPairs) expect(found(`a ${address} b`)).toEqual([address]);
      }),
      { numRuns: 500 },
    );
  });

  it('gives one normal form to every spelling', () => {
    const spellings = ['2001:DB8::1', '2001:db8:0:0:0:0:0:1', '2001:0db8::0001'];
    expect(new Set(spellings.map(normaliseIp)).size).toBe(1);
    expect(normaliseIp('192.168.000.001')).toBe('192.168.0.1');
    expect(normaliseIp('::ffff:192.0.2.1')).toBe(normaliseIp('::ffff:c000:201'));
  });
});
