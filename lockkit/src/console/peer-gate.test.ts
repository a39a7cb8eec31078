import { describe, expect, test } from 'vitest';
import { mayConnect, PeerGate } from './peer-gate.js';

const peer = { pid: 1, uid: 1000, gid: 1000, gids: [27, 500] };

describe('mayConnect', () => {
  const none = { ownUid: 900, clientGid: null, allowedUids: [] };
  test('the console’s own account, a member of the clients’ group, a listed uid; nobody else', () => {
    expect(mayConnect(peer, none)).toBe(false);
    expect(mayConnect({ ...peer, uid: 900 }, none)).toBe(true);
    expect(mayConnect(peer, { ...none, clientGid: 500 })).toBe(true);
    expect(mayConnect(peer, { ...none, clientGid: 1000 })).toBe(true);
    expect(mayConnect(peer, { ...none, clientGid: 501 })).toBe(false);
    expect(mayConnect(peer, { ...none, allowedUids: [1000] })).toBe(true);
    expect(mayConnect({ ...peer, uid: 0, gid: 0, gids: [] }, none)).toBe(false);
  });
});

describe('PeerGate', () => {
  test('32 connections an account, others unharmed', () => {
    const gate = new PeerGate(() => 0);
    const entered = Array.from({ length: 40 }, () => gate.enter(1)).filter(Boolean).length;
    expect(entered).toBe(32);
    expect(gate.enter(2)).toBe(true);
    gate.leave(1);
    expect(gate.enter(1)).toBe(true);
  });

  test('20 requests in any second', () => {
    let nowMs = 0;
    const gate = new PeerGate(() => nowMs);
    const admitted = (): number => Array.from({ length: 30 }, () => gate.request(1)).filter(Boolean).length;
    expect(admitted()).toBe(20);
    nowMs = 999;
    expect(admitted()).toBe(0);
    nowMs = 1000;
    expect(admitted()).toBe(20);
  });
});
