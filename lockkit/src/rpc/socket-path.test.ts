import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { socketPath } from './socket-path.js';

test('socketPath: the first 8 hex of the project’s hash, the profile, the instance', () => {
  const hash = createHash('sha256').update('/p').digest('hex').slice(0, 8);
  expect(socketPath({ socketDir: '/run/lockssh', projectRoot: '/p', profile: 'web' })).toBe(
    `/run/lockssh/${hash}-web.sock`,
  );
  expect(socketPath({ socketDir: '/run/lockssh', projectRoot: null, profile: 'web', instance: 'b' })).toBe(
    '/run/lockssh/user-web@b.sock',
  );
});

test('socketPath: never over 107 bytes, or refused', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'Z', '0', '-'), minLength: 1, maxLength: 64 });
  fc.assert(
    fc.property(name, fc.option(name, { nil: undefined }), fc.nat(60), (profile, instance, depth) => {
      const socketDir = `/${'d'.repeat(depth)}`;
      try {
        const path = socketPath({
          socketDir,
          projectRoot: '/p',
          profile,
          ...(instance === undefined ? {} : { instance }),
        });
        expect(Buffer.byteLength(path)).toBeLessThanOrEqual(107);
      } catch (error) {
        expect((error as Error).name).toBe('UserMistake');
      }
    }),
  );
});
