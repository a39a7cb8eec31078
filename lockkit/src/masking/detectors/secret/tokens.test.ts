import { describe, expect, it } from 'vitest';
import { foundBy } from '../../test/found-by.js';
import { TOKEN_SHAPES } from './token-shapes.js';
import { VENDOR_KEYS } from './vendor-keys.js';

describe('tokens', () => {
  it.each(TOKEN_SHAPES.map((shape) => [shape.issuer, shape.prefix, shape] as const))(
    'hides the sample of %s (%s) between spaces, quotes and at a delimiter',
    (_issuer, _prefix, shape) => {
      const token = `${shape.before ?? ''}${shape.prefix}${shape.sample}`;
      for (const text of [`a ${token} b`, `x: "${token}"`, `${token}|jq`, `${token}\n`]) {
        const hidden = foundBy(['secret'], text).join('');
        expect(hidden.slice(-8)).toBe(token.slice(-8));
        expect(hidden).not.toBe('');
      }
    },
  );

  it.each([
    ['ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
    ['glpat-XXXXXXXXXXX-XXXXXXXX'],
    ['xoxb-12345-abcd234'],
    ['ntn_12345678901abc'],
    ['hf_requiredCharacteristicTypesForDisplayMetadata'],
    ['https://x.notion.site/API-BD80F56CDC1441E6BF6011AB6D852875'],
    ['sgp_5555555dAAAAA7777777CcccCFaaaaaaaaaaaaaa'],
    ['AIzaSyAnLA7NfeLquW1tJFpx_eQCxoX-oo6YyIs'],
    ['task-management-and-other-things-in-a-name'],
    ['disk-usage'],
    ['OP_SERVICE_ACCOUNT_TOKEN=ops_eyJzaWduSW5BZGRyZXNzIjoiaHR0cHM6...'],
  ])('leaves %j', (text) => {
    expect(foundBy(['secret'], text)).toEqual([]);
  });

  it('finds a token behind a word and with invisible characters in it', () => {
    const token = 'ghp_FAKE0fake1FAKE0fake1FAKE0fake1FAKE0f';
    expect(foundBy(['secret'], `xyz${token}`)).toEqual([token]);
    const spaced = [...token].join('\u200c');
    expect(foundBy(['secret'], spaced)).toEqual([spaced]);
  });
});

describe('vendorKeys', () => {
  const HEX = '9f3a1c7e5b2d8064af19c3e7b5d2806413f7a9c5e1b3d7f90a2c4e68b1d3f5a7';

  it.each(
    Object.entries(VENDOR_KEYS).filter(([, shape]) =>
      /^\[(?:a-f0-9|0-9a-f|a-z0-9|a-z0-9_-|a-z0-9=_-)\]\{\d+\}/.test(shape),
    ),
  )('hides a key of %s', (name, shape) => {
    const key = HEX.slice(0, Number(/\{(\d+)\}/.exec(shape)?.[1]));
    const text = `${name}_x = "${key}"`;
    if (key.length >= 14 && new RegExp(`^(?:${shape})$`).test(key))
      expect(foundBy(['secret'], text)).toEqual([key]);
  });

  it.each([
    ['sumOfExposures = 3Kof2VffNQ0QgYIhXUPJosVlCaQKm2hfpWE6F1fT9YGY74blQBIPsrkCcf1TwKE5;'],
    ['privateaiToken = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";'],
    ['meraki: aaaaaaaaaa1111111111bbbbbbbbbb2222222222'],
    ['getPagesInConfluenceSpace,searchConfluenceUsingCql'],
  ])('leaves %j', (text) => {
    expect(foundBy(['secret'], text)).toEqual([]);
  });
});
