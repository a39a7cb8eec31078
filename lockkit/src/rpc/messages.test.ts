import { describe, expect, test } from 'vitest';
import { encodeReply, encodeRequest, parseReply, parseRequest } from './messages.js';

const line = (value: unknown): Buffer =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

describe('parseRequest', () => {
  test('reads what encodeRequest writes', () => {
    const request = { id: 7, method: 'run', params: { argv: ['true'] } };
    expect(parseRequest(Buffer.from(encodeRequest(request).trimEnd()))).toEqual(request);
  });

  test.each([
    ['no JSON', 'hello'],
    ['an array (a batch)', '[]'],
    ['null', 'null'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['an unpaired bracket', '{"jsonrpc":"2.0"'],
  ])('is no JSON object: %s', (_title, text) => {
    expect(parseRequest(Buffer.isBuffer(text) ? text : line(text))).toBe('parse');
  });

  test.each([
    ['no version', { id: 1, method: 'run' }],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'run' }],
    ['no id (a notification)', { jsonrpc: '2.0', method: 'run' }],
    ['a null id', { jsonrpc: '2.0', id: null, method: 'run' }],
    ['a fractional id', { jsonrpc: '2.0', id: 1.5, method: 'run' }],
    ['a huge id', { jsonrpc: '2.0', id: 'x'.repeat(129), method: 'run' }],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: ['run'] }],
    ['an unknown key', { jsonrpc: '2.0', id: 1, method: 'run', peer_uid: 0 }],
  ])('is no request: %s', (_title, value) => {
    expect(parseRequest(line(value))).toBe('invalid');
  });
});

describe('parseReply', () => {
  test('reads what encodeReply writes', () => {
    const data = { code: 'E_DENIED', hint: 'h', retry: 'stop' } as const;
    const replies = [
      { kind: 'result', id: 1, result: { a: 1 } },
      { kind: 'error', id: 1, number: -32002, message: 'm', data },
      { kind: 'error', id: null, number: -32700, message: 'm' },
    ] as const;
    for (const reply of replies) expect(parseReply(Buffer.from(encodeReply(reply).trimEnd()))).toEqual(reply);
  });

  test('a refusal whose data is not of the shape loses it', () => {
    const error = { code: -32001, message: 'm', data: { code: 'rm -rf', hint: 'h', retry: 'stop' } };
    expect(parseReply(line({ jsonrpc: '2.0', id: 1, error }))).not.toHaveProperty('data');
  });

  test.each(['[]', '{}', '{"jsonrpc":"2.0","id":1}', '{"jsonrpc":"2.0","id":{},"result":1}'])(
    'is no reply: %s',
    (text) => {
      expect(parseReply(line(text))).toBeNull();
    },
  );
});
