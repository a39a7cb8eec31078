import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSealKey, sealValue } from './seal.js';
import type { Ticket, TicketInput } from './ticket.js';
import { sampleTicket } from './test/samples.js';

const input = (name: string, max_bytes = 16): TicketInput => ({
  name,
  placeholder: 'x',
  kind: 'text',
  max_bytes,
});

async function open(inputs: readonly TicketInput[] = [input('a.b')]) {
  const seal = await openSealKey();
  const ticket = sampleTicket({ kind: 'plan', never_auto: true, inputs, seal_key: seal.publicKey });
  return { seal, ticket };
}

async function sealed(ticket: Ticket, text = 'value') {
  const values = (ticket.inputs ?? []).map(async ({ name }) => [
    name,
    await sealValue(ticket, name, Buffer.from(text)),
  ]);
  return Object.fromEntries(await Promise.all(values)) as Awaited<
    Record<string, Awaited<ReturnType<typeof sealValue>>>
  >;
}

describe('openSealKey', () => {
  test('opens what was sealed for this ticket and input, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 16 }), async (value) => {
        const { seal, ticket } = await open();
        const values = await seal.open(ticket, { 'a.b': await sealValue(ticket, 'a.b', value) });
        expect(values?.get('a.b')?.equals(value)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test('opens once: the key is gone after the first call, also after one that failed, and after drop', async () => {
    const first = await open();
    const values = await sealed(first.ticket);
    expect(await first.seal.open(first.ticket, values)).not.toBeNull();
    expect(await first.seal.open(first.ticket, values)).toBeNull();
    const second = await open();
    expect(await second.seal.open(second.ticket, {})).toBeNull();
    expect(await second.seal.open(second.ticket, await sealed(second.ticket))).toBeNull();
    const third = await open();
    third.seal.drop();
    expect(await third.seal.open(third.ticket, await sealed(third.ticket))).toBeNull();
  });

  test('a value of another ticket, another input, another key or with any bit changed does not open', async () => {
    const names = [input('a.b'), input('a.c')];
    const cases: ((
      ticket: Ticket,
      values: Awaited<ReturnType<typeof sealed>>,
    ) => Promise<object> | object)[] = [
      (ticket) => sealed({ ...ticket, subject_hash: 'e'.repeat(64) }),
      (_ticket, { 'a.b': b, 'a.c': c }) => ({ 'a.b': c, 'a.c': b }),
      async (ticket) => sealed({ ...ticket, seal_key: (await openSealKey()).publicKey }),
      (_ticket, { 'a.b': b, ...rest }) => ({ ...rest, 'a.b': { ...b, ct: flip(b?.ct ?? '') } }),
      (_ticket, { 'a.b': b, ...rest }) => ({ ...rest, 'a.b': { ...b, enc: flip(b?.enc ?? '') } }),
      (_ticket, { 'a.b': b, ...rest }) => ({
        ...rest,
        'a.b': { ...b, enc: Buffer.alloc(32).toString('base64url') },
      }),
      (_ticket, { 'a.b': b, ...rest }) => ({ ...rest, 'a.b': { ...b, ct: b?.ct.slice(0, -4) } }),
      (_ticket, { 'a.c': c }) => ({ 'a.c': c }),
    ];
    for (const change of cases) {
      const { seal, ticket } = await open(names);
      expect(await seal.open(ticket, (await change(ticket, await sealed(ticket))) as never)).toBeNull();
    }
  });

  test('sealValue: hides the length, and refuses a value over its input’s bytes or an input that is not there', async () => {
    const { ticket } = await open();
    const lengths = await Promise.all(
      ['', 'x', 'x'.repeat(16)].map(
        async (text) => (await sealValue(ticket, 'a.b', Buffer.from(text))).ct.length,
      ),
    );
    expect(new Set(lengths).size).toBe(1);
    await expect(sealValue(ticket, 'a.b', Buffer.alloc(17))).rejects.toThrow(Error);
    await expect(sealValue(ticket, 'a.z', Buffer.alloc(1))).rejects.toThrow(Error);
    await expect(sealValue(sampleTicket(), 'a.b', Buffer.alloc(1))).rejects.toThrow(Error);
  });
});

function flip(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  bytes[3] = (bytes[3] ?? 0) ^ 1;
  return bytes.toString('base64url');
}
