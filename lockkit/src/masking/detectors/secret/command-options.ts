// Secrets that programs take by a short option or by position: `mysql -phunter2`, `curl -u bob:hunter2`, SQL's
// IDENTIFIED BY. Hangs on the program's name; looks at the rest of that line once.
import { isWord } from '../../characters.js';
import type { Emit, View } from '../../detector.js';
import { isBlankOrReference, isSample } from './not-a-secret.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

interface Command {
  readonly name: string;
  /** Its first group is what stands before the value, its second the value, with or without quotes. */
  readonly option: RegExp;
}

const VALUE = `("(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*'|[^\\s"'|;&<>]+)`;
const PAIR = `("(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*'|[^\\s"'|;&<>]*:(?:"[^"\\n]*"|'[^'\\n]*'|[^\\s"'|;&<>]*))`;
const GLUED = new RegExp(`(\\s-p)${VALUE}`, 'g');
const SPACED = (options: string): RegExp => new RegExp(`(\\s(?:${options})[ =]{1,3})${VALUE}`, 'g');

/** Programs and the options that carry a secret; a program that is not here still has its long options. */
const COMMANDS: readonly Command[] = [
  ...['mysql', 'mysqldump', 'mysqladmin', 'mysqlimport', 'mariadb'].map((name) => ({ name, option: GLUED })),
  ...['curl', 'wget'].map((name) => ({
    name,
    option: new RegExp(`(\\s(?:-[a-zA-Z]{0,8}u|--user|--proxy-user|-U)[ =]{0,3})${PAIR}`, 'g'),
  })),
  { name: 'sshpass', option: new RegExp(`(\\s-p ?)${VALUE}`, 'g') },
  { name: 'docker login', option: SPACED('-p|--password') },
  { name: 'podman login', option: SPACED('-p|--password') },
  { name: 'redis-cli', option: SPACED('-a|--pass') },
  { name: 'ldapsearch', option: SPACED('-w') },
  { name: 'ldapmodify', option: SPACED('-w') },
  { name: 'ldapadd', option: SPACED('-w') },
  { name: 'ldappasswd', option: SPACED('-w|-s|-a') },
  { name: 'mongo ', option: SPACED('-p') },
  { name: 'mongosh', option: SPACED('-p') },
  { name: 'sqlcmd', option: SPACED('-P') },
  { name: 'ipmitool', option: SPACED('-P') },
  { name: 'mosquitto_', option: SPACED('-P|--pw') },
  { name: 'smbclient', option: new RegExp(`(\\s-U ?\\S+?%)${VALUE}`, 'g') },
  { name: 'snmpwalk', option: SPACED('-c|-A|-X') },
  { name: 'snmpget', option: SPACED('-c|-A|-X') },
  {
    name: 'htpasswd',
    option: new RegExp(`(\\s-[a-zA-Z]{0,8}b[a-zA-Z]{0,8}\\s+\\S+\\s+\\S+\\s+)${VALUE}`, 'g'),
  },
  { name: 'zip ', option: SPACED('-P') },
  { name: '7z', option: GLUED },
  { name: 'keytool', option: SPACED('-storepass|-keypass') },
  { name: 'openssl', option: new RegExp(`(\\spass:)${VALUE}`, 'g') },
  { name: 'az login', option: SPACED('-p') },
  { name: 'chpasswd', option: /(["'\s][\w.-]+:)([^\s"']+)(?=["']?\s*\|\s*(?:sudo )?chpasswd)/g },
  ...['auth plain', 'auth login', 'auth xoauth2'].map((name) => ({
    name,
    option: /((?:plain|login|xoauth2)[ =])([\w+/=-]{8,})/gi,
  })),
  ...['snmp-server community', 'rocommunity', 'rwcommunity'].map((name) => ({
    name,
    option: new RegExp(`(nity\\s)${VALUE}`, 'g'),
  })),
  { name: 'identified', option: /(\s(?:BY|WITH \S+ (?:BY|AS)) (?:PASSWORD )?)("[^"\n]*"|'[^'\n]*')/gi },
  { name: 'rabbitmqctl', option: new RegExp(`(\\s(?:add_user|change_password)\\s+\\S+\\s+)${VALUE}`, 'g') },
  { name: 'net user', option: new RegExp(`(user \\S+ )${VALUE}`, 'gi') },
  { name: 'aws configure set', option: new RegExp(`(secret_access_key |session_token )${VALUE}`, 'g') },
];

const MAX_LINE = 4096;

export const commandOptions: SecretFinder = {
  literals: COMMANDS.map((command) => command.name),
  open: openOptions,
};

function openOptions(view: View, emit: Emit): SecretLook {
  const seen = new Int32Array(COMMANDS.length);
  return {
    literal: (index, start, end) => {
      if (start < (seen[index] as number) || isWord(view.bytes[start - 1])) return;
      const command = COMMANDS[index] as Command;
      const isPiped = command.name === 'chpasswd';
      const from = isPiped ? lineStart(view, start) : end - 8;
      const to = lineEnd(view, end);
      seen[index] = to;
      findOptions(view, command.option, Math.max(0, from), to, emit);
    },
  };
}

function findOptions(view: View, option: RegExp, from: number, to: number, emit: Emit): void {
  for (const match of view.text.slice(from, to).matchAll(option)) {
    const value = match[2] as string;
    const start = from + match.index + match[0].lastIndexOf(value);
    const bare = /^(["']).*\1$/s.test(value) ? 1 : 0;
    const inner = value.slice(bare, value.length - bare);
    if (isCredential(inner)) emit(start + bare, start + value.length - bare, 'command option');
  }
}

/** Of `user:password` the part after the colon decides. */
function isCredential(value: string): boolean {
  const password = value.includes(':')
    ? value.slice(value.indexOf(':') + 1).replace(/^["']|["']$/g, '')
    : value;
  const user = value.includes(':') ? value.slice(0, value.indexOf(':')) : '';
  if (password === '' && /^[\w-]{10,}$/.test(user) && /\d/.test(user)) return true;
  if (password === '' || isBlankOrReference(password) || /\$[{A-Za-z(]/.test(password)) return false;
  if (/^(?:\$|<|\[)/.test(user) && /^(?:\$|<|\[)/.test(password)) return false;
  return !isSample(password, 1.5);
}

function lineStart(view: View, at: number): number {
  return Math.max(view.text.lastIndexOf('\n', at) + 1, at - MAX_LINE);
}

/** End of the line; a backslash at its end continues it. */
function lineEnd(view: View, at: number): number {
  let end = at;
  const limit = Math.min(view.length, at + MAX_LINE);
  for (;;) {
    const newline = view.text.indexOf('\n', end);
    if (newline < 0 || newline >= limit) return limit;
    if (view.bytes[newline - 1] !== 0x5c) return newline;
    end = newline + 1;
  }
}
