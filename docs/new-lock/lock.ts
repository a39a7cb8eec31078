// The secret's half of lockhttp: the token is asked for once, held here, and sent to one host.
import { randomBytes } from 'node:crypto';
import { untrusted } from 'lockkit/approval';
import type { Handler, LockSession, LockType, SessionStart } from 'lockkit/console';
import { accepted, Fault, refused, UserMistake } from 'lockkit/contract';
import { DEFAULT_DETECTORS } from 'lockkit/detectors';
import { openMasker, parseMaskRule } from 'lockkit/masking';
import { contract } from './contract.js';
import { profile, type Policy } from './profile.js';

const MAX_BYTES = 65_536;
const TIMEOUT_MS = 10_000;

async function openSession({ human }: SessionStart<Policy>): Promise<LockSession<Policy>> {
  const answer = await human.ask({
    title: ['The token of the service'],
    origin: [],
    sections: [],
    warnings: [],
    question: { kind: 'secret', prompt: ['Token (not shown): '], maxBytes: 4096 },
  });
  if (answer.kind !== 'secret') throw new UserMistake('no token was typed: the console does not start');
  const token = answer.value;
  const written = new TextDecoder().decode(token);
  // A service may repeat the token in an answer, where no detector knows it: a rule of its own hides it.
  const ownRule = parseMaskRule(written.replaceAll(/[^A-Za-z0-9]/g, '\\$&'));
  if (!/^[!-~]{8,512}$/.test(written) || !ownRule.ok)
    throw new UserMistake('a token is 8 to 512 letters, digits and signs');
  const masker = openMasker({
    detectors: DEFAULT_DETECTORS,
    key: randomBytes(32),
    maskRules: [ownRule.value],
    agentRules: [],
    allow: [],
  });

  const get: Handler<Policy> = ({ path }: { readonly path: string }, { policy: { value: policy } }) => {
    // From memory only: nothing is touched before the step is returned, granted and written to the audit log.
    if (!policy.paths.includes(path)) return refused('E_PATH');
    return accepted({
      kind: 'effect',
      subject: { url: policy.url, path },
      needs: [{ kind: 'run', rule: policy.auto.get }],
      risk: 'read',
      record: { path },
      screen: () => ({
        title: ['Read a path of ', untrusted(policy.url)],
        origin: [],
        sections: [{ kind: 'lines', lines: [['GET ', untrusted(path)]] }],
        warnings: [],
        question: { kind: 'yes_no' },
      }),
      run: async (_grant, signal) => {
        const { status, body } = await read(policy.url + path, token, signal);
        const { text, masked, truncated } = masker.mask(body, { cutAtBytes: MAX_BYTES });
        return {
          result: { status: 'done', http_status: status, body: text, masked, truncated },
          record: { status },
        };
      },
    });
  };
  return {
    handlers: { get },
    status: ({ paths }) => ({ paths }),
    statusLines: () => [],
    policyApproved: () => undefined,
    setUnmask: null,
    lost: new Promise(() => undefined),
    close: () => Promise.resolve(void token.fill(0)),
  };
}

async function read(url: string, token: Uint8Array, left: AbortSignal) {
  const headers = { authorization: `Bearer ${new TextDecoder().decode(token)}` };
  const signal = AbortSignal.any([left, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const reply = await fetch(url, { headers, redirect: 'error', signal });
    const chunks: Uint8Array[] = [];
    // A little more than is shown, so that a value on the edge is seen whole by the masker.
    for await (const chunk of reply.body ?? []) {
      chunks.push(chunk as Uint8Array);
      if (chunks.reduce((sum, { length }) => sum + length, 0) > 2 * MAX_BYTES) break;
    }
    return { status: reply.status, body: Buffer.concat(chunks) };
  } catch {
    throw new Fault('E_CONNECTION', 'the service did not answer');
  }
}

export const lock: LockType<Policy> = {
  contract,
  policy: { definition: profile, checkPattern: () => 'lockhttp has no rules of its own' },
  limits: () => ({ idleTimeoutMs: 20 * 60_000, maxSessionMs: 4 * 3_600_000 }),
  production: ({ production }) => production,
  openSession,
};
