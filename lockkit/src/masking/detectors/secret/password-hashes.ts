// Hashes of passwords (shadow files, htpasswd, databases, LDAP): good enough to guess the password from, so hidden.
// Hangs on the marker of the scheme. In a shadow line the name and the ageing fields stay readable.
import type { Emit, View } from '../../detector.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

interface Scheme {
  readonly marker: string;
  readonly shape: RegExp;
}

const CRYPT = String.raw`(?:[\w=,+.-]{1,64}\$){0,3}[./A-Za-z0-9+=_-]{8,512}`;
const crypt = (id: string): Scheme => ({
  marker: `$${id}$`,
  shape: new RegExp(`\\$${id}\\$${CRYPT}`, 'y'),
});

const SCHEMES: readonly Scheme[] = [
  ...[
    '1',
    '2a',
    '2b',
    '2x',
    '2y',
    '5',
    '6',
    '7',
    'y',
    'gy',
    'md5',
    'apr1',
    'sha1',
    'argon2i',
    'argon2d',
    'argon2id',
    'scrypt',
  ].map(crypt),
  { marker: '$pbkdf2', shape: /\$pbkdf2(?:-sha\d+)?\$[\w$./+=,-]{16,512}/y },
  { marker: 'pbkdf2_sha', shape: /pbkdf2_sha(?:1|256|512)\$\d+\$[\w./+=-]{1,64}\$[\w./+=-]{16,256}/y },
  {
    marker: 'scram-sha-',
    shape: /scram-sha-(?:1|256|512)\$\d+:[\w/+=]{8,128}\$[\w/+=]{8,128}:[\w/+=]{8,128}/iy,
  },
  { marker: '*', shape: /\*[0-9A-F]{40}(?![0-9A-Za-z])/y },
  { marker: '{ssha', shape: /\{ssha(?:\d{3})?\}[\w/+=]{16,256}/iy },
  { marker: '{sha', shape: /\{sha(?:\d{3})?\}[\w/+=]{16,256}/iy },
  { marker: '{md5}', shape: /\{md5\}[\w/+=]{16,64}/iy },
  { marker: '{crypt}', shape: /\{crypt\}[^\s"':]{8,256}/iy },
];

export const passwordHashes: SecretFinder = {
  literals: SCHEMES.map((scheme) => scheme.marker),
  open: openHashes,
};

function openHashes(view: View, emit: Emit): SecretLook {
  return {
    literal: (index, start) => {
      const shape = (SCHEMES[index] as Scheme).shape;
      shape.lastIndex = start;
      const match = shape.exec(view.text);
      if (match !== null) emit(start, start + match[0].length, 'password hash');
    },
  };
}
