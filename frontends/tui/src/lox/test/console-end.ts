// A console's end of the hub in a process of another account: reads its key file, announces itself, says how it went.
import { openLockHub, readHubKeyFile } from 'lockkit/hub';
import { makeSigningKey } from 'lockkit/tickets';

const [file = '', url = ''] = process.argv.slice(2);
const later = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

try {
  const keyFile = readHubKeyFile(file, process.getuid?.() ?? -1, url);
  const place = { lock: 'lockssh', instance: '', profile: 'web', version: '1' };
  const hub = await openLockHub({
    ...{ ...place, keyFile, later, signing: makeSigningKey(), nowMs: Date.now },
    mayServe: ({ uid }) => uid === 0,
    onNews: () => undefined,
  });
  hub.shutDown();
  process.stdout.write('in\n');
} catch (error) {
  process.stdout.write(`out: ${(error as Error).message}\n`);
}
