// A console of the window, in one line: whose it is, its state, how long its session lasts. Data and text only; used by
// the window's heading and its list of consoles.
import { untrusted, type ConsoleStatus, type Line } from 'lockkit/approval';
import { renderSpan } from './span.js';

export interface WindowSource {
  readonly id: string;
  /** The profile's name, or the lock's and the profile's. */
  readonly name: string;
  /** `starting`, `ready`, `ended`, … : static words of ours. */
  readonly state: string;
  readonly status?: { readonly read: ConsoleStatus; readonly atMs: number } | undefined;
}

export function renderSource({ name, state, status }: WindowSource, nowMs: number): Line {
  const head: Line = [untrusted(name), ` · ${state}`];
  if (status === undefined) return head;
  const { read, atMs } = status;
  const sinceS = (nowMs - atMs) / 1000;
  return [
    ...head,
    read.production ? ' · PRODUCTION' : '',
    ` · idle ends ${renderSpan(read.idleInS - sinceS)} · session ends ${renderSpan(read.sessionEndsInS - sinceS)}`,
    ` · level ${read.desktopLevel}`,
    read.policy === 'pending' ? ' · a policy change waits: :review' : '',
  ];
}
