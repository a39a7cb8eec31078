// Asks the running lox over its private socket. Called by `lox tickets`, `approve`, `deny` and `history`. The other end
// must be of the same account: nothing is said to a stranger's socket.
import { createConnection, type Socket } from 'node:net';
import { UserMistake } from 'lockkit/contract';
import { peerOf } from 'lockkit/native';
import { LineCutter } from 'lockkit/rpc';
import {
  CONTROL_LINE_BYTES,
  parseReply,
  type ControlReply,
  type ControlRequest,
} from './control-messages.js';

const TIMEOUT_MS = 20_000;

/** null: no lox runs. Throws UserMistake when what runs there is none, or of another account. */
export function askRunningLox(
  path: string,
  ownUid: number,
  request: ControlRequest,
): Promise<ControlReply | null> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    const fail = (why: string): void => {
      socket.destroy();
      reject(new UserMistake(why));
    };
    const take = (line: Buffer): void => {
      const reply = parseReply(line);
      if (reply === null) return fail('the running lox answered nonsense: is it of the same version?');
      resolve(reply);
      socket.destroy();
    };
    const cutter = new LineCutter(CONTROL_LINE_BYTES, take, () =>
      fail('the running lox answered without end'),
    );
    socket.setTimeout(TIMEOUT_MS, () => fail('the running lox does not answer'));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
        ? resolve(null)
        : fail('lox’s socket cannot be used'),
    );
    socket.once('connect', () => {
      if (uidOf(socket) !== ownUid) return fail('lox’s socket belongs to another account');
      socket.write(`${JSON.stringify(request)}\n`);
    });
    socket.on('data', (chunk: Buffer) => cutter.push(chunk));
    socket.once('close', () => fail('the running lox hung up'));
  });
}

function uidOf(socket: Socket): number | undefined {
  const { fd } = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle ?? {};
  return typeof fd === 'number' && fd >= 0 ? peerOf(fd).uid : undefined;
}
