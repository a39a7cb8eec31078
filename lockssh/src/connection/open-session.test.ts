import { EventEmitter } from 'node:events';
import type { ClientChannel } from 'ssh2';
import { describe, expect, it } from 'vitest';
import { openSession, type SessionOpener } from './open-session.js';
import { SessionQueue } from './session-queue.js';

const clock = { after: () => () => undefined, nowMs: () => 0 };
const limitsOf = (signal = new AbortController().signal) => ({ clock, timeoutMs: 1000, signal });

/** A library's client whose answers come as told, each in a tick of its own. */
function opener(answers: readonly ('open' | 'no_session' | 'refused')[]): SessionOpener {
  const left = [...answers];
  return {
    exec: (_line, callback) =>
      setImmediate(() => {
        const answer = left.shift();
        const channel = new EventEmitter() as unknown as ClientChannel;
        if (answer === 'no_session')
          return callback(Object.assign(new Error('(SSH) Channel open failure'), { reason: 2 }), channel);
        if (answer === 'refused') return callback(new Error('Unable to exec'), channel);
        callback(undefined, channel);
        // A quick program: its exit status stands in the packet that opened the channel.
        channel.emit('exit', 0);
        return undefined;
      }),
  };
}

describe('openSession', () => {
  it('gives the channel over in the tick in which it opens: an exit status in the same packet is heard', async () => {
    const heard: number[] = [];
    const { opened } = await openSession(
      opener(['open']),
      new SessionQueue(1),
      'true',
      limitsOf(),
      (channel) => {
        channel.on('exit', (status: number) => heard.push(status));
        return 'watched';
      },
    );
    expect({ opened, heard }).toEqual({ opened: 'watched', heard: [0] });
  });

  it('asks again where the server freed a session late', async () => {
    const queue = new SessionQueue(1);
    const answers = ['no_session', 'no_session', 'open'] as const;
    await expect(openSession(opener(answers), queue, 'true', limitsOf(), () => 'watched')).resolves.toEqual({
      opened: 'watched',
    });
    expect(queue.active).toBe(1);
  });

  it.each([
    [['no_session', 'no_session', 'no_session'], 'no_session'],
    [['refused'], 'line_refused'],
  ] as const)('%s ends as the fault %s and gives its turn back', async (answers, kind) => {
    const queue = new SessionQueue(1);
    await expect(openSession(opener(answers), queue, 'true', limitsOf(), () => 0)).rejects.toMatchObject({
      cause: { kind },
    });
    expect(queue.active).toBe(0);
  });

  it('opens nothing for a caller that left', async () => {
    const queue = new SessionQueue(1);
    const reason = new Error('left');
    const signal = AbortSignal.abort(reason);
    await expect(openSession(opener(['open']), queue, 'true', limitsOf(signal), () => 0)).rejects.toBe(
      reason,
    );
    expect(queue.active).toBe(0);
  });
});
