import { describe, expect, it } from 'vitest';
import { foundBy } from '../../test/found-by.js';

const found = (text: string): readonly string[] => foundBy(['secret'], text);
const BODY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7FAKEFAKEFAKE';
const BLOCK = `-----BEGIN PRIVATE KEY-----\n${BODY}\n-----END PRIVATE KEY-----`;

describe('commandOptions', () => {
  it.each([
    ['mysql -u root -phunter2 db', 'hunter2'],
    ['sshpass -p hunter2 ssh h', 'hunter2'],
    ["curl -u 'bob:hunter 2' https://h/", 'bob:hunter 2'],
    ['curl \\\n  -u bob:hunter2 https://h/', 'bob:hunter2'],
    ['docker login -u bob -p hunter2 r.io', 'hunter2'],
    ["echo 'bob:hunter2' | chpasswd", 'hunter2'],
    ["IDENTIFIED BY 'hunter2'", 'hunter2'],
    ['openssl rsa -passin pass:hunter2 -in k', 'hunter2'],
  ])('hides the secret in %j', (text, value) => {
    expect(found(text)).toEqual([value]);
  });

  it.each([
    ['mysql -u root -p db'],
    ['curl -u "${username}":"${password}"'],
    ['curl -u "SRVC_JENKINS:${APPID}"'],
    ['curl --user "xxx:yyy"'],
    ['mkdir -p /var/tmp'],
  ])('leaves %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('headers', () => {
  it.each([
    ['authorization: basic dXNlcjpodW50ZXIy', ['dXNlcjpodW50ZXIy']],
    [
      "curl --header  'Authorization:  5eb4223e-5008-46e5-be67-c7b8f2732305'",
      ['5eb4223e-5008-46e5-be67-c7b8f2732305'],
    ],
    ['Proxy-Authorization: Bearer abcdef0123456789', ['abcdef0123456789']],
    ['{"Authorization": "Bearer abc.def"}', ['abc.def']],
    ['Set-Cookie: sid=abcdef0123456789; HttpOnly', ['abcdef0123456789']],
    ['Cookie: a=one; b=two', ['one', 'two']],
    ['X-Api-Key: 0123456789abcdef', ['0123456789abcdef']],
    ['authorization: Bearer <token>', []],
    ['Authorization: Token **********', []],
    ['Authentication-Results: 5h.ca.iphmx.com', []],
  ])('finds in %j', (text, values) => {
    expect(found(text)).toEqual(values);
  });
});

describe('urlUserinfo', () => {
  it.each([
    ['postgres://admin:SuperSecret123@db.example.com:5432/x', ['admin:SuperSecret123']],
    ['redis://:onlypass@h:6379/0', [':onlypass']],
    ['https://user:p%40ss%2Fword@h/x', ['user:p%40ss%2Fword']],
    ['https://user:pa/ss@h/x', ['user:pa/ss']],
    ['ftp://bob:pa@ss@h/x', ['bob:pa@ss']],
    ['jdbc:oracle:thin:bob/hunter2@h:1521:x', ['bob/hunter2']],
    ['https://0123456789abcdef@h/x', ['0123456789abcdef']],
    ['http://h:8080/a:b@c', []],
    ['ssh://git@github.com/a/b', []],
    ['https://${USER}:${PASS}@h/', []],
  ])('finds in %j', (text, values) => {
    expect(found(text)).toEqual(values);
  });
});

describe('pem', () => {
  it.each([
    ['whole', BLOCK],
    ['with carriage returns', BLOCK.replaceAll('\n', '\r\n')],
    ['escaped into one line', BLOCK.replaceAll('\n', '\\n')],
    ['on one line with spaces', BLOCK.replaceAll('\n', ' ')],
    ['without end', `-----BEGIN RSA PRIVATE KEY-----\n${BODY}\n${BODY}`],
    [
      'encrypted',
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n${BODY}`,
    ],
    ['with a short last line', '-----BEGIN PRIVATE KEY-----\nQw9zXy1'],
    ['of PGP', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${BODY}\n-----END PGP PRIVATE KEY BLOCK-----`],
    [
      'of SSH2',
      `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${BODY}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
    ],
    ['without beginning', `${BODY}\n${BODY}\n-----END PRIVATE KEY-----`],
  ])('hides a block %s as one value', (_name, block) => {
    expect(found(`before\n${block}\n`)).toEqual([block]);
  });

  it('hides a block behind log prefixes from its first marker to its last', () => {
    const lines = BLOCK.split('\n').map((line, i) => `12:00:0${i} app | ${line}`);
    expect(found(`${lines.join('\n')}\n12:00:09 app | started\n`).join('')).toContain(BODY);
    const unended = lines.slice(0, 2).join('\n');
    expect(found(`${unended}\n12:00:09 app - started now\n`)[0]?.endsWith(BODY)).toBe(true);
  });

  it('hides the private lines of a PuTTY key', () => {
    expect(
      found('PuTTY-User-Key-File-3: x\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 2\nBBBB\nCCCC\nPrivate-MAC: 0'),
    ).toEqual(['BBBB\nCCCC']);
  });

  it.each([
    ['-----BEGIN CERTIFICATE-----\nMIIBszCC\n-----END CERTIFICATE-----'],
    ['-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----'],
    ['-----BEGIN PRIVATE KEY-----\nanything\n-----END PRIVATE KEY-----'],
    ['grep -c "-----BEGIN PRIVATE KEY-----" file'],
  ])('leaves %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('jwt', () => {
  const token =
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
  it.each([
    ['whole', token],
    ['without signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ0ZXN0LXVzZXIifQ'],
    ['cut in the payload', token.slice(0, 40)],
    ['in base64', Buffer.from(token).toString('base64')],
  ])('hides a token %s', (_name, text) => {
    expect(found(`<${text}>`)).toEqual([text]);
  });

  it('leaves a head alone', () => {
    expect(found('eyJhbGciOiJIUzI1NiJ9')).toEqual([]);
  });
});

describe('passwordHashes', () => {
  it.each([
    [
      'root:$6$rounds=5000$abcd$WFAKEFAKEFAKEFAKE:19000:0:99999:7:::',
      '$6$rounds=5000$abcd$WFAKEFAKEFAKEFAKE',
    ],
    ['bob:$y$j9T$abc$defghijklmnopqrstuv:19000', '$y$j9T$abc$defghijklmnopqrstuv'],
    ['{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=', '{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g='],
    ['*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19', '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19'],
  ])('hides the hash in %j', (text, value) => {
    expect(found(text)).toEqual([value]);
  });
});

describe('keyMaterial and secretManifests', () => {
  it.each([
    ['{"kty":"EC","x":"abc","d":"secretFAKE"}', ['secretFAKE']],
    ['<RSAKeyValue><Modulus>abc</Modulus><D>secretFAKE</D></RSAKeyValue>', ['secretFAKE']],
    [`tls.key: ${Buffer.from(BLOCK).toString('base64')}`, [Buffer.from(BLOCK).toString('base64')]],
    [
      'kind: Secret\ndata:\n  user: Ym9i\n  any: aHVudGVyMg==\ntype: Opaque\n---\nkind: ConfigMap\ndata:\n  a: b\n',
      ['Ym9i', 'aHVudGVyMg=='],
    ],
    ['data:\n  any: Ym9i\nkind: Secret\n', ['Ym9i']],
    ['{"kind": "Secret", "data": {"any": "Ym9i"}, "metadata": {"name": "x"}}', ['Ym9i']],
    ['kind: ConfigMap\ndata:\n  a: b\n', []],
  ])('finds in %j', (text, values) => {
    expect(found(text)).toEqual(values);
  });
});
