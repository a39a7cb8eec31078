import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseHostKey, renderFingerprint } from './host-key.js';
import { isHostInField, knownHostName } from './host-pattern.js';
import { checkKnownHosts, encodeKnownHostsLine, recordedKeyTypes } from './known-hosts.js';

function part(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function ed25519(seed: number): Buffer {
  return Buffer.concat([part(Buffer.from('ssh-ed25519')), part(Buffer.alloc(32, seed))]);
}

function rsa(seed: number): Buffer {
  return Buffer.concat([
    part(Buffer.from('ssh-rsa')),
    part(Buffer.from([1, 0, 1])),
    part(Buffer.alloc(256, seed)),
  ]);
}

const A = ed25519(1);
const B = ed25519(2);
const line = (hosts: string, blob: Buffer): string =>
  `${hosts} ${parseHostKey(blob)?.type} ${blob.toString('base64')}`;
const verdict = (text: string, host = 'web1', port = 22, blob = A): string =>
  checkKnownHosts(text, host, port, blob).kind;

describe('checkKnownHosts', () => {
  it('a host of which nothing is recorded is unknown', () => {
    expect(verdict('')).toBe('unknown');
    expect(verdict(line('web2', A))).toBe('unknown');
  });

  it('a host recorded with another type alone is changed, never unknown', () => {
    expect(verdict(line('web1', rsa(1)))).toBe('changed');
  });

  it('any of several keys of a host may match', () => {
    expect(verdict([line('web1', B), line('web1', rsa(3)), line('web1', A)].join('\n'))).toBe('ok');
  });

  it('a revoked key is revoked wherever its line stands, however it is marked off', () => {
    expect(verdict([line('web1', A), `@revoked\t${line('*', A)}`].join('\n'))).toBe('revoked');
    expect(verdict([`@revoked ${line('web1', A)}`, line('web1', A)].join('\n'))).toBe('revoked');
    expect(verdict(`@revoked ${line('web1', A)}`, 'web1', 2222)).toBe('revoked');
  });

  it('an authority vouches for nothing, and is said so', () => {
    expect(checkKnownHosts(`@cert-authority ${line('*', A)}`, 'web1', 22, A)).toEqual({
      kind: 'unknown',
      certAuthority: true,
    });
  });

  it('another port is another record, unless the same key stands for port 22', () => {
    expect(verdict(line('[web1]:2222', A), 'web1', 22)).toBe('unknown');
    expect(verdict(line('[web1]:2222', A), 'web1', 2222)).toBe('ok');
    expect(verdict(line('web1', A), 'web1', 2222)).toBe('ok');
    expect(verdict(line('web1', B), 'web1', 2222)).toBe('unknown');
    expect(verdict([line('web1', A), line('[web1]:2222', B)].join('\n'), 'web1', 2222)).toBe('changed');
  });

  it.each([
    ['a marker nobody knows', `@trusted ${line('web1', A)}`],
    ['two markers', `@revoked @revoked ${line('web1', A)}`],
    ['the type of another key', line('web1', A).replace('ssh-ed25519', 'ssh-rsa')],
    ['a cut key', line('web1', A).slice(0, -8)],
    [
      'bytes after the key',
      line('web1', Buffer.concat([A, Buffer.from('x')])).replace('undefined', 'ssh-ed25519'),
    ],
    ['no key', 'web1 ssh-ed25519'],
    ['a key in base64url', line('web1', ed25519(0xff)).replaceAll('/', '_')],
    ['protocol 1', 'web1 2048 65537 123456789'],
    ['a byte order mark', `\ufeff${line('web1', A)}`],
    ['a comment', `#${line('web1', A)}`],
    ['a hash of another length', line('|1|AAAA|AAAA', A)],
    ['a hash with a third part', line(`|1|${hash('web1')}|x`, A)],
  ])('a line with %s vouches for nothing', (_, text) => {
    expect(verdict(text)).toBe('unknown');
  });

  it('never says ok for a key that no line holds', () => {
    const hosts = fc.constantFrom('*', 'web1', 'w?b1', '!web1,*', '[web1]:22', '*,!web2', hashed('web1'));
    const lines = fc.array(
      fc.tuple(fc.constantFrom('', '@revoked ', '@cert-authority '), hosts, fc.constantFrom(B, rsa(1))),
    );
    fc.assert(
      fc.property(lines, fc.constantFrom(22, 2222), (entries, port) => {
        const text = entries.map(([marker, field, blob]) => marker + line(field, blob)).join('\n');
        expect(verdict(text, 'web1', port)).not.toBe('ok');
      }),
    );
  });

  it('reads back what encodeKnownHostsLine wrote', () => {
    for (const [host, port] of [
      ['web1', 22],
      ['WEB1', 2222],
      ['::1', 22],
      ['[::1]', 2222],
    ] as const) {
      const key = parseHostKey(A);
      if (key === null) throw new Error('no key');
      expect(verdict(encodeKnownHostsLine(host, port, key), host, port)).toBe('ok');
      expect(recordedKeyTypes(encodeKnownHostsLine(host, port, key), host, port)).toEqual(['ssh-ed25519']);
    }
  });
});

function hash(name: string): string {
  const salt = Buffer.alloc(20, 7);
  return `${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
}

function hashed(name: string): string {
  return `|1|${hash(name)}`;
}

describe('isHostInField', () => {
  it('a pattern of stars takes no exponential time', () => {
    expect(isHostInField('a'.repeat(200), `${'*a'.repeat(100)}b`)).toBe(false);
  });
});

const oracle = spawnSync('ssh-keygen', ['-?']).error === undefined;
if (!oracle && process.env['CI'] === 'true') throw new Error('missing real part: ssh-keygen');

describe.skipIf(!oracle)('isHostInField against ssh-keygen -F', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lk-known-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('matches the same names', () => {
    const token = fc.constantFrom(
      'web1',
      'WEB1',
      '*',
      '?',
      '!',
      ',',
      '.',
      'example.com',
      '[',
      ']',
      ':2222',
      '10.0.0.5',
      '|1|',
      'b',
    );
    const field = fc.array(token, { minLength: 1, maxLength: 7 }).map((tokens) => tokens.join(''));
    const name = fc.constantFrom(
      'web1',
      'web1.example.com',
      '10.0.0.5',
      '[web1]:2222',
      '[web1.example.com]:2222',
      'b',
    );
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 5 }), name, (fields, host) => {
        const path = join(folder, 'known_hosts');
        writeFileSync(path, fields.map((entry) => `${line(entry, A)}\n`).join(''));
        const found = spawnSync('ssh-keygen', ['-F', host, '-f', path], { encoding: 'utf8' }).status === 0;
        expect(fields.some((entry) => isHostInField(host, entry))).toBe(found);
      }),
      { numRuns: 300 },
    );
  });

  it('finds names that ssh-keygen -H hashed', () => {
    const path = join(folder, 'hashed');
    writeFileSync(path, `${line('web1.example.com', A)}\n${line('[web1]:2222', A)}\n`);
    execFileSync('ssh-keygen', ['-H', '-f', path], { stdio: 'ignore' });
    const text = execFileSync('cat', [path], { encoding: 'utf8' });
    expect(verdict(text, 'Web1.example.com')).toBe('ok');
    expect(verdict(text, 'web1', 2222)).toBe('ok');
    expect(verdict(text, 'web1')).toBe('unknown');
  });

  it('renderFingerprint is what ssh-keygen -l prints', () => {
    execFileSync('ssh-keygen', [
      '-q',
      '-t',
      'ed25519',
      '-N',
      '',
      '-f',
      join(folder, randomBytes(4).toString('hex')),
    ]);
    const path = join(folder, 'one');
    writeFileSync(path, `${line('x', B)}\n`);
    const key = parseHostKey(B);
    const printed = execFileSync('ssh-keygen', ['-l', '-f', path], { encoding: 'utf8' }).split(' ')[1];
    expect(key === null ? '' : renderFingerprint(key)).toBe(printed);
  });
});

describe('knownHostName', () => {
  it.each([
    ['WEB1', 22, 'web1'],
    ['web1', 2222, '[web1]:2222'],
    ['[::1]', 22, '::1'],
    ['::1', 22022, '[::1]:22022'],
  ])('%s port %d', (host, port, name) => {
    expect(knownHostName(host, port)).toBe(name);
  });
});
