// What a console is started with: the wish of the flags, and the parts that are real in a process and chosen in a test.
import type { Human } from '../approval/human.js';
import type { HubWish } from './console-hub.js';
import type { DemoFolder } from './console-place.js';

export interface ConsoleWish {
  readonly profile: string;
  readonly projectDir: string;
  readonly instance?: string;
  readonly allowUnmask: boolean;
  readonly showResults: boolean;
  readonly allowedUids: readonly number[];
  readonly demo: DemoFolder | null;
  /** Tickets are decided through this hub and nowhere else. */
  readonly hub?: HubWish;
}

export interface ConsoleParts {
  readonly human: Human;
  readonly uid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly after: (ms: number, call: () => void) => () => void;
  /** Aborted by SIGINT, SIGTERM, SIGHUP. */
  readonly signal: AbortSignal;
  readonly desktopLevel: 1 | 2 | 3;
  /** Sentences: why this console must not serve a production profile. Empty or absent: it may. */
  readonly whyNoProduction?: readonly string[];
  /** The public key that signs this run's tickets, for whoever started the console on a private pipe. */
  readonly onTicketKey?: (key: string) => void;
  /** Called once, when agents may ask. */
  readonly onReady?: () => void;
}
