import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scratchDir } from '../test/built-plugins.js';
import { openWorkspace } from './workspace.js';

let dir: string;
let remove: () => void;

beforeEach(() => ({ dir, remove } = scratchDir()));
afterEach(() => remove());

const consoles = (): readonly string[] => readdirSync(join(dir, 'workspace'));

describe('openWorkspace', () => {
  test('gives each handle a 0700 folder, and takes it away again', () => {
    const workspace = openWorkspace(dir);
    const path = workspace.create('f_a');
    writeFileSync(path, 'x', { mode: 0o600 });
    expect(lstatSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(lstatSync(join(dir, 'workspace')).mode & 0o777).toBe(0o700);
    workspace.remove('f_a');
    expect(existsSync(path)).toBe(false);
    workspace.remove('f_a');
    workspace.create('f_b');
    workspace.close();
    workspace.close();
    expect(consoles()).toStrictEqual([]);
  });

  test('never wipes the folder of another living console', () => {
    const one = openWorkspace(dir);
    const path = one.create('f_a');
    writeFileSync(path, 'x');
    const two = openWorkspace(dir);
    expect(existsSync(path)).toBe(true);
    two.close();
    one.close();
    expect(consoles()).toStrictEqual([]);
  });

  test('wipes what a killed console left, links and stray files included', () => {
    const base = join(dir, 'workspace');
    mkdirSync(join(base, 'dead/f_a'), { recursive: true });
    writeFileSync(join(base, 'dead/f_a/file'), 'secret');
    writeFileSync(join(base, 'stray'), 'secret');
    writeFileSync(join(dir, 'precious'), 'keep');
    symlinkSync(join(dir, 'precious'), join(base, 'link'));
    symlinkSync(dir, join(base, 'dead/up'));
    const workspace = openWorkspace(dir);
    expect(consoles()).toHaveLength(1);
    expect(existsSync(join(dir, 'precious'))).toBe(true);
    workspace.close();
  });

  test('a workspace that is a link is refused', () => {
    mkdirSync(join(dir, 'elsewhere'));
    symlinkSync(join(dir, 'elsewhere'), join(dir, 'workspace'));
    expect(() => openWorkspace(dir)).toThrow('workspace');
  });
});
