import { describe, expect, it } from 'vitest';
import { projectFolder, resolveHome, stateFolder, userFolder } from './folders.js';

describe('folders', () => {
  it('are those of the page', () => {
    expect(projectFolder('lockssh', '/p')).toBe('/p/.lockssh');
    expect(userFolder('lockssh', '/home/a')).toBe('/home/a/.config/lockssh');
    expect(stateFolder('lockssh', '/home/a')).toBe('/home/a/.local/state/lockssh');
  });
  it('follow the XDG folders only where they are absolute', () => {
    expect(stateFolder('lockssh', '/home/a', '/s')).toBe('/s/lockssh');
    expect(stateFolder('lockssh', '/home/a', 's')).toBe('/home/a/.local/state/lockssh');
    expect(userFolder('lockssh', '/home/a', '')).toBe('/home/a/.config/lockssh');
  });
  it.each([
    ['~/.ssh/k', '/home/a/.ssh/k'],
    ['k', '/home/a/k'],
    ['/etc/k', '/etc/k'],
    ['~b/k', '/home/a/~b/k'],
  ])('resolve %s from the home of the account that reads', (path, absolute) => {
    expect(resolveHome(path, '/home/a')).toBe(absolute);
  });
});
