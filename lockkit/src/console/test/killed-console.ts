// A console in a process of its own that asks through a real hub, runs one effect and records it, and that kills itself
// (SIGKILL) at the step its last argument names. Steps are the moments before and after every write.
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { accepted } from '../../contract/outcome.js';
import { readHubKeyFile } from '../../tickets/client/key-file.js';
import { TicketLedger } from '../../tickets/ledger.js';
import { makeSigningKey } from '../../tickets/signing.js';
import { hashSubject } from '../../tickets/ticket.js';
import { openConsoleAudit } from '../console-audit.js';
import { EffectDesk } from '../effect-desk.js';
import { openHubDecider } from '../hub-decider.js';
import type { Effect } from '../lock-type.js';

const [auditFolder = '', effectFile = '', keyFilePath = '', url = '', killAt = '0'] = process.argv.slice(2);
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

const after = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};
const uid = process.geteuid?.() ?? -1;
const audit = await openConsoleAudit({ folder: auditFolder, profile: 'web', now: () => new Date(), after });
const append: typeof audit.append = async (event, fields) => {
  step();
  await audit.append(event, fields);
  step();
};
const hub = await openHubDecider({
  lock: 'lockssh',
  instance: '',
  profile: 'web',
  version: '1',
  keyFile: readHubKeyFile(keyFilePath, uid, url),
  signing: makeSigningKey(),
  mayServe: () => true,
  nowMs: Date.now,
  later: after,
  audit: append,
  note: () => undefined,
});
const inForce = accepted({
  value: 'p',
  fingerprint: hashSubject('p'),
  maskRules: { reviewed: [], added: [] },
});
const desk = new EffectDesk<string>({
  lock: 'lockssh',
  profile: 'web',
  instance: '',
  production: () => false,
  productionLevel: 3,
  demo: false,
  decider: hub,
  ledger: new TicketLedger({ nowMs: Date.now, randomBytes }),
  policy: { current: () => inForce, refresh: () => Promise.resolve(inForce) },
  audit: append,
  auditHead: audit.head,
  nowMs: Date.now,
  after,
  makeId: () => randomBytes(8).toString('hex'),
  use: () => () => undefined,
  onClearResult: () => undefined,
});
const effect: Effect = {
  kind: 'effect',
  subject: { argv: ['id'] },
  needs: [{ kind: 'exec', rule: 'auto' }],
  risk: 'write',
  record: {},
  screen: () => ({ title: ['t'], origin: [], sections: [], warnings: [] }),
  run: () => {
    step();
    appendFileSync(effectFile, 'ran\n');
    step();
    return Promise.resolve({ result: 'done', record: {} });
  },
};
const call = {
  peer: { uid, pid: process.pid, gid: 0, gids: [], account: null, exe: null },
  policy: inForce.value,
  signal: new AbortController().signal,
};
const result = await desk.handle(effect, call, { method: 'run', intent: undefined, waits: false });
process.stdout.write(JSON.stringify({ result, steps }));
hub.shutDown();
await audit.close('console.end', {});
