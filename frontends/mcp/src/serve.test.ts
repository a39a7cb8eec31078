import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import type { ActionOutcome } from 'lockkit/agent';
import { expect, test } from 'vitest';
import type { ConsoleCall } from './call-tool.js';
import { serveMcp } from './serve.js';
import { demoContract } from './test/demo-contract.js';

interface Session {
  readonly send: (message: object) => void;
  readonly next: () => Promise<Record<string, unknown>>;
  readonly end: () => Promise<void>;
}

function open(callConsole: (call: ConsoleCall) => Promise<ActionOutcome>): Session {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveMcp({ contract: demoContract, callConsole, input, output, progressIntervalMs: 1 });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  return {
    send: (message) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    next: async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>,
    end: async () => {
      input.end();
      await served;
    },
  };
}

const ask = (more: object): object => ({
  id: 5,
  method: 'tools/call',
  params: { name: 'lockdemo_ask', ...more },
});

test('A8-014: a call that waits tells its progress to a client that gave a token, and only until the answer', async () => {
  let answer: (outcome: ActionOutcome) => void = () => undefined;
  const session = open(() => new Promise((resolve) => (answer = resolve)));
  session.send(ask({ _meta: { progressToken: 'p' } }));
  for (const progress of [1, 2, 3]) {
    const message = await session.next();
    expect(message).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p', progress },
    });
  }
  answer({ kind: 'result', result: { answered: true } });
  let last = await session.next();
  while (last['method'] === 'notifications/progress') last = await session.next();
  expect(last).toMatchObject({ id: 5, result: { structuredContent: { answered: true } } });
  session.send({ id: 6, method: 'ping' });
  expect(await session.next()).toMatchObject({ id: 6 });
  await session.end();
});

test('serveMcp: an error that nobody expected says nothing', async () => {
  const session = open(() => Promise.reject(new Error('findme /etc/shadow')));
  session.send(ask({}));
  const message = await session.next();
  expect(message).toMatchObject({
    result: { isError: true, structuredContent: { error: { code: 'E_INTERNAL' } } },
  });
  expect(JSON.stringify(message)).not.toContain('findme');
  await session.end();
});

test('serveMcp: when the client is gone, running calls are aborted', async () => {
  const aborted = new Promise<void>((resolve) => {
    const session = open(
      ({ signal }) => new Promise(() => signal.addEventListener('abort', () => resolve())),
    );
    session.send(ask({}));
    void session.end();
  });
  await aborted;
});
