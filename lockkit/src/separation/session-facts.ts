// What a console has to know about the session it was started in, read once into plain data. Made by
// read-session-facts, judged by decide-desktop-level and check-start. It holds facts only, never a verdict.
import type { Account } from '../native/kernel.js';

/** One entry of the file system as `lstat` tells it. */
export interface PathFact {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly uid: number;
  readonly gid: number;
  /** Permission bits with setuid, setgid and sticky (0o7777). */
  readonly mode: number;
}

/** A terminal that this process reads or writes. `console`: a text console of the machine (/dev/tty1). */
export interface TerminalFact {
  readonly kind: 'console' | 'pseudo' | 'other';
  readonly path: string;
  readonly uid: number;
}

/** A login session as the session manager (logind) records it. */
export interface LoginSession {
  readonly id: string;
  readonly uid: number;
  /** `x11`, `wayland`, `tty`, or whatever else it says. */
  readonly type: string;
  /** The screen and keyboard it belongs to; null: none, it came through a relay or a network. */
  readonly seat: string | null;
  readonly remote: boolean;
}

/** Why an account counts as one that may become root: membership of a group, the uid, a sudo rule. */
export interface RootWay {
  readonly kind: 'uid' | 'group' | 'sudo';
  /** The group's name, or what tells it. */
  readonly name: string;
}

/** An account that the console would serve. */
export interface ClientFact extends Account {
  readonly rootWays: readonly RootWay[];
  /** Groups that may read screens or keyboards of this machine (tty, video, input). */
  readonly deviceGroups: readonly string[];
}

/** One mount of the process file system. */
export interface ProcMount {
  readonly path: string;
  readonly hidepid: 'off' | 'noaccess' | 'invisible' | 'ptraceable';
  /** The group that sees everything all the same. */
  readonly exemptGid: number | null;
}

/** Everything that would run in this process. */
export interface ProgramFact {
  readonly node: string;
  /** Entries that somebody but root could change, with the folders above them; the first few. */
  readonly unsafe: readonly PathFact[];
  readonly unsafeCount: number;
  /** Accounts that could write what the program was installed from. */
  readonly writers: readonly number[];
}

export interface SessionFacts {
  readonly uid: number;
  readonly account: Account | null;
  /** The account that logged in; null: the kernel does not know. */
  readonly loginUid: number | null;
  readonly terminals: readonly TerminalFact[];
  readonly session: LoginSession | null;
  /** DISPLAY is set. */
  readonly hasX11Display: boolean;
  /** A terminal multiplexer stands between (tmux, screen): it can be attached from elsewhere. */
  readonly isMultiplexed: boolean;
  /** What kind of container this is, or null. */
  readonly container: string | null;
  /** The account of system.toml (service_user); null: none named, or there is no such account. */
  readonly service: Account | null;
  readonly clientGid: number | null;
  readonly clients: readonly ClientFact[];
  readonly procMounts: readonly ProcMount[];
  readonly program: ProgramFact;
  /** Names of environment variables that the starter would have removed. */
  readonly foreignVariables: readonly string[];
  /** The console account's home; null: it is not there. */
  readonly home: PathFact | null;
  readonly socketFolder: PathFact | null;
  /** system.toml and the folders above it. */
  readonly systemFile: readonly PathFact[];
}
