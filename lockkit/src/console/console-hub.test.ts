import { describe, expect, test } from 'vitest';
import type { LockContract } from '../contract/lock.js';
import { UserMistake } from '../contract/fault.js';
import { checkHub } from './console-hub.js';

const contract = { name: 'lockssh' } as LockContract;
const hub = { url: 'unix:/run/hub.sock', keyFile: '/k.json' };
const demo = { socketDir: '', stateDir: '', configHome: '' };

describe('checkHub', () => {
  test('a lock that needs its hub does not start without one; the code and the command that mends it are said', () => {
    const check = (): void => checkHub({ contract, needsHub: true }, { demo: null });
    expect(check).toThrow(UserMistake);
    expect(check).toThrow(/\(no_hub\)\n.*lox run.*--hub URL --hub-key-file FILE/);
  });

  test('with a hub, in the demo, or for a lock that decides in its own console, it says nothing', () => {
    expect(checkHub({ contract, needsHub: true }, { hub, demo: null })).toBeUndefined();
    expect(checkHub({ contract, needsHub: true }, { demo })).toBeUndefined();
    expect(checkHub({ contract }, { demo: null })).toBeUndefined();
  });
});
