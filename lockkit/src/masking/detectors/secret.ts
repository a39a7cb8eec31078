// Secrets, which become ⟦secret⟧ without a pseudonym: values of keys named like one, tokens of known shape, private
// keys, URL userinfo, authorization headers, cookies, password hashes. Each kind of place is a file in secret/.
import type { Detector, Emit, Look, View } from '../detector.js';
import { assignments } from './secret/assignments.js';
import { commandOptions } from './secret/command-options.js';
import { credentialFiles } from './secret/credential-files.js';
import { headers } from './secret/headers.js';
import { jwt } from './secret/jwt.js';
import { keyMaterial } from './secret/key-material.js';
import { passwordHashes } from './secret/password-hashes.js';
import { pem } from './secret/pem.js';
import type { SecretFinder } from './secret/secret-finder.js';
import { secretManifests } from './secret/secret-manifests.js';
import { tokens } from './secret/tokens.js';
import { urlUserinfo } from './secret/url-userinfo.js';
import { vendorKeys } from './secret/vendor-keys.js';

const FINDERS: readonly SecretFinder[] = [
  pem,
  assignments,
  commandOptions,
  credentialFiles,
  headers,
  jwt,
  keyMaterial,
  passwordHashes,
  secretManifests,
  tokens,
  urlUserinfo,
  vendorKeys,
];

const OWNERS = FINDERS.flatMap((finder, index) =>
  finder.literals.map((_literal, local) => ({ index, local })),
);

export const secret: Detector = {
  name: 'secret',
  literals: FINDERS.flatMap((finder) => finder.literals),
  open: openSecret,
  normalise: (value) => value,
};

function openSecret(view: View, emit: Emit): Look {
  const looks = FINDERS.map((finder) => finder.open(view, emit));
  return {
    literal: (index, start, end) => {
      const owner = OWNERS[index];
      if (owner !== undefined) looks[owner.index]?.literal(owner.local, start, end);
    },
  };
}
