// An SSH server that does what OpenSSH never would: for the scenarios that need a server which misbehaves.
// It speaks real SSH (ssh2's server half) on a loopback port; where OpenSSH can show a behaviour, OpenSSH is used.

import { generateKeyPairSync } from 'node:crypto';
import ssh2, {
  type AuthContext,
  type Connection as ServerConnection,
  type ServerChannel,
  type ServerConfig,
} from 'ssh2';

export interface HostileServer {
  readonly host: string;
  readonly port: number;
  readonly knownHosts: string;
  /** Every authentication message that arrived, `none` included. */
  readonly authentications: readonly string[];
  /** Every line that was asked for. */
  readonly lines: readonly string[];
  readonly clientKey: () => Buffer;
  readonly close: () => Promise<void>;
}

export interface HostileWishes {
  readonly config?: Partial<ServerConfig>;
  readonly onAuthentication?: (context: AuthContext) => void;
  /** Answers a line that is none of the login's own questions. `null` refuses it. */
  readonly onLine?: ((channel: ServerChannel, line: string) => void) | null;
  /** What the account says its login shell is. */
  readonly answerShell?: string;
  readonly onReady?: (connection: ServerConnection) => void;
}

const HOST = '127.0.0.1';
const SHELL_LINE = 'echo $SHELL';

export function openHostileServer(wishes: HostileWishes): Promise<HostileServer> {
  const hostKey = createKey();
  const clientKey = createKey();
  const authentications: string[] = [];
  const lines: string[] = [];
  const open = new Set<ServerConnection>();
  const server = new ssh2.Server({ hostKeys: [hostKey], ...wishes.config }, (connection) => {
    open.add(connection);
    connection.on('error', () => undefined);
    connection.on('close', () => open.delete(connection));
    connection.on('authentication', (context) => {
      authentications.push(context.method);
      if (wishes.onAuthentication === undefined) context.accept();
      else wishes.onAuthentication(context);
    });
    connection.on('ready', () => {
      wishes.onReady?.(connection);
      connection.on('session', (acceptSession) => {
        const session = acceptSession();
        session.on('exec', (accept, reject, { command }) => {
          lines.push(command);
          const onLine = isLoginLine(command) ? answerLogin : wishes.onLine;
          if (onLine === null) {
            reject();
            return;
          }
          if (command === SHELL_LINE) endWell(accept(), `${wishes.answerShell ?? '/bin/bash'}\n`);
          else (onLine ?? answerLogin)(accept(), command);
        });
      });
    });
  });
  return new Promise((resolve) => {
    server.listen(0, HOST, () => {
      const { port } = server.address() as { port: number };
      resolve({
        host: HOST,
        port,
        knownHosts: `[${HOST}]:${port} ${publicLine(hostKey)}\n`,
        authentications,
        lines,
        clientKey: () => Buffer.from(clientKey),
        close: () =>
          new Promise((done) => {
            for (const connection of open) connection.end();
            server.close(() => {
              done();
            });
          }),
      });
    });
  });
}

/** Ends a channel as a program that ran to its end. */
export function endWell(channel: ServerChannel, stdout: string | Buffer): void {
  channel.write(stdout);
  channel.exit(0);
  channel.end();
}

function createKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'pem', type: 'sec1' }).toString();
}

function publicLine(key: string): string {
  const parsed = ssh2.utils.parseKey(key);
  if (parsed instanceof Error || Array.isArray(parsed)) throw new Error('no key');
  return `${parsed.type} ${parsed.getPublicSSH().toString('base64')}`;
}

function isLoginLine(line: string): boolean {
  return /^echo \$SHELL$|^exec '(?:eval|sleep|timeout|printf|sh)'/u.test(line);
}

/** What a bash account would answer to the login's fixed questions. */
function answerLogin(channel: ServerChannel, line: string): void {
  if (line.startsWith("exec 'printf'")) endWell(channel, knownAnswer(line));
  else if (line.startsWith("exec 'sh'")) endWell(channel, accountAnswer(line));
  else if (line.startsWith("exec 'sleep'")) endKilled(channel);
  else {
    channel.exit(127);
    channel.end();
  }
}

// The server half hears no signal once a line runs; the login's KILL is long on its way when this rings.
function endKilled(channel: ServerChannel): void {
  setTimeout(() => {
    channel.exit('KILL' as never);
    channel.end();
  }, 200);
}

/** Reads the line as a shell would: single-quoted runs, and a backslash before one character. */
function wordsOf(line: string): readonly string[] {
  return (line.match(/(?:'[^']*'|\\.)+/gu) ?? []).map((word) =>
    word.replace(/'([^']*)'|\\(.)/gu, (_match, run?: string, char?: string) => run ?? char ?? ''),
  );
}

function knownAnswer(line: string): string {
  return wordsOf(line)
    .slice(2)
    .map((word) => `${word}\n`)
    .join('');
}

function accountAnswer(line: string): string {
  const nonce = /lk-([0-9a-f]+)-from/u.exec(line)?.[1] ?? '';
  return `lk-${nonce}-from\n1000\nlk-${nonce}-to\n`;
}
