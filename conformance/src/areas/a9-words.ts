// Which probes an attempt told in words is about. Called by the area module; pure. It must never know a case by its
// id or its whole text: it reads names of calls, constants and paths, and a few words for what has no name.
import { constants } from 'node:os';
import type { ProbeCase } from 'lockkit/sandbox-probe';

/** What the words ask for: probes of the list, or an answer to be written, or a property of the launch. */
export type Reading =
  | { readonly kind: 'probes'; readonly probes: readonly ProbeCase[] }
  | { readonly kind: 'steps'; readonly step: string; readonly timeoutMs?: number }
  | { readonly kind: 'descriptors' }
  | { readonly kind: 'no_detail' }
  | { readonly kind: 'many_threads' }
  | { readonly kind: 'replaced_path' }
  | { readonly kind: 'release_time' }
  | { readonly kind: 'missing_feature' }
  | { readonly kind: 'unread' };

/** Library functions and other words, by the call that probes name. */
const ALIASES: Readonly<Record<string, string>> = {
  futimens: 'utimensat',
  posix_fadvise: 'fadvise64',
  posix_fallocate: 'fallocate',
  sigqueue: 'rt_sigqueueinfo',
  raise: 'tgkill',
  pthread_create: 'clone',
  stat64: 'stat',
  fexecve: 'execveat',
  shm_open: 'openat',
  mq_send: 'mq_timedsend',
  kexec: 'kexec_load',
  setrlimit: 'prlimit64',
  ptrace_attach: 'ptrace',
  fanotify: 'fanotify_init',
  getdents64: 'getdents64',
  inotify: 'inotify_init1',
};

const TOKEN = /(?<!\w)\/(?:[\w.]+\/?)+|[A-Za-z_][A-Za-z0-9_]*|\b(?:0x)?[0-9]+\b/g;
const PLAIN_WORDS = new Set([
  'a',
  'an',
  'and',
  'as',
  'at',
  'by',
  'for',
  'in',
  'is',
  'it',
  'of',
  'on',
  'or',
  'the',
  'then',
  'to',
  'with',
  'which',
  'own',
  'fd',
  'file',
  'pid',
]);

/** Reads an attempt; `unread` when nothing in it is known. */
export function readAttempt(attempt: string, probes: readonly ProbeCase[]): Reading {
  return readSpecial(attempt) ?? readScenario(attempt, probes) ?? readCalls(attempt, probes);
}

function readSpecial(attempt: string): Reading | null {
  if (/without (detail|fd 7)/i.test(attempt)) return { kind: 'no_detail' };
  if (/descriptors? (above|open|at start)|inherits?.*descriptors?/i.test(attempt))
    return { kind: 'descriptors' };
  if (/kernel (without|that lacks)|no (landlock|seccomp)/i.test(attempt)) return { kind: 'missing_feature' };
  if (/\b([5-9]\d\d|\d{4,}) (more )?(threads|tasks)/i.test(attempt)) return { kind: 'many_threads' };
  if (/path (is )?(replaced|swapped)/i.test(attempt)) return { kind: 'replaced_path' };
  if (/\b(answers?|ends?|takes?|run)\b.*\btime that depends\b|release time/i.test(attempt))
    return { kind: 'release_time' };
  return readEnd(attempt) ?? readOpen(attempt);
}

/** Output between quotes (with the usual escapes) or a bare digit, an exit status, a signal, or no end at all. */
function readEnd(attempt: string): Reading | null {
  const text = writtenText(attempt);
  const signal = /\bSIG[A-Z]+\b/.exec(attempt)?.[0] as NodeJS.Signals | undefined;
  const dies = /\bkilled\b|\bdies\b|\bcrash|\babort/i.test(attempt);
  const status = /\bexits?\b(?:ing)?(?:\s+(?:with|status|code))*\s*\(?(\d+)/i.exec(attempt)?.[1];
  if (text === null && !dies && status === undefined) return null;
  if (text !== null && /thread/i.test(attempt)) return { kind: 'steps', step: '@exit-over-a-thread 1000' };
  if (text !== null && /hang|never exits|sleeps/i.test(attempt))
    return { kind: 'steps', step: '@hang answered', timeoutMs: 300 };
  if (dies)
    return { kind: 'steps', step: `@die ${constants.signals[signal ?? 'SIGKILL']} ${(text ?? '').trim()}` };
  const silent = /nothing|no output|\bempty\b/i.test(attempt);
  const bytes = Buffer.from(text ?? (silent ? '' : '1')).toString('hex');
  return { kind: 'steps', step: `@answer ${bytes || "'"} ${status ?? 0}` };
}

function writtenText(attempt: string): string | null {
  const quoted = /\b(?:writes?|prints?|outputs?|answers?)\s+("(?:[^"\\]|\\.)*")/i.exec(attempt)?.[1];
  if (quoted !== undefined) return JSON.parse(quoted) as string;
  return /\b(?:writes?|prints?|outputs?|answers?)\s+([01]+)(?![\w ]*B)\b/i.exec(attempt)?.[1] ?? null;
}

const OPEN_FLAGS: readonly (readonly [RegExp, number])[] = [
  [/O_PATH/, 0x200000],
  [/O_TMPFILE/, 0x410002],
  [/O_CREAT|\bcreates?\b/, 0x41],
  [/O_RDWR|\bwrit(e|es|ing)\b/, 2],
  [/O_WRONLY/, 1],
];

/** A path that is opened or read: the same path, in the same way. */
function readOpen(attempt: string): Reading | null {
  const path = /(?<![\w)])\/[\w./$<>-]+/.exec(attempt)?.[0];
  if (path === undefined || !/^\s*(open(at|s|ing)?\b|reads?\b|creat(e|es)?\b)/i.test(attempt)) return null;
  const flags = OPEN_FLAGS.find(([words]) => words.test(attempt))?.[1] ?? 0;
  return { kind: 'steps', step: `openat -100 '${path.replace(/<?\$?p?pid>?/i, '$PPID')} ${flags} 0600` };
}

/** What has no name of a call: words, and the probes that try it. */
const SCENARIOS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bx32\b/i, ['x32', 'x32-getpid']],
  [/int 0x80|i386 entry/i, ['old-entry']],
  [/(i386|32-bit) (elf|program|binary)/i, ['exec-input-i386']],
  [/environment/i, ['environment']],
  [/current directory|\bcwd\b|working directory/i, ['directory']],
  [/argv|arguments/i, ['arguments']],
  [/second thread after main|main (thread )?exited/i, ['leave-a-thread']],
  [/busy loop|beyond cpu|cpu_s/i, ['burn', 'burn-deaf']],
  [/sleeps?|hangs?|ignores (every|all) signal/i, ['hang']],
  [/allocates? memory|memory over/i, ['memory', 'memory-protected', 'memory-heap']],
  [/(writes?|prints?|floods?).*stdout/i, ['flood-stdout']],
  [/(writes?|prints?|floods?).*stderr/i, ['flood-stderr']],
  [/(MB|MiB|flood|much).*(detail|fd 7)|detail.*(MB|MiB|flood)/i, ['flood-detail']],
  [/nothing written|no output/i, ['answer-nothing']],
  [/exit\(256\)|status 256/i, ['answer-exit-256']],
  [/stack.*(8|9|1[0-9]) ?MiB/i, ['stack-9']],
];

function readScenario(attempt: string, probes: readonly ProbeCase[]): Reading | null {
  const names = SCENARIOS.find(([words]) => words.test(attempt))?.[1];
  if (names === undefined) return null;
  return { kind: 'probes', probes: probes.filter(({ name }) => names.includes(name)) };
}

/** Every call that the words name, each with the probes that share most of the other words. */
function readCalls(attempt: string, probes: readonly ProbeCase[]): Reading {
  const words = tokens(attempt);
  const chosen = new Set<ProbeCase>();
  for (const word of words) for (const probe of bestFor(word, words, probes)) chosen.add(probe);
  return chosen.size === 0 ? { kind: 'unread' } : { kind: 'probes', probes: [...chosen] };
}

function bestFor(word: string, words: readonly string[], probes: readonly ProbeCase[]): readonly ProbeCase[] {
  const candidates = probes.filter((probe) => callNames(probe).includes(word));
  const scored = candidates.map((probe) => ({ probe, score: score(words, tokens(probe.attempt)) }));
  const best = Math.max(...scored.map((each) => each.score));
  const top = scored.filter((each) => each.score === best).map(({ probe }) => probe);
  const harmless = (probe: ProbeCase): boolean => probe.attack.startsWith('none');
  const itself = words.some((each) => ['own', 'self', 'itself', 'getpid'].includes(each));
  const meant = candidates.filter((probe) => harmless(probe) && /\b(own|itself)\b/.test(probe.attempt));
  if (itself && meant.length > 0) return meant;
  return top.every(harmless) ? top : top.filter((probe) => !harmless(probe));
}

/** The calls a probe is about: the first of its words, and those of its steps that its words name. */
function callNames(probe: ProbeCase): readonly string[] {
  const said = tokens(probe.attempt);
  const calls = probe.steps.map((step) => step.replace(/^~/, '').split(' ')[0] ?? '');
  const first = said.slice(0, 1).filter((word) => /^[a-z]\w{2,}$/.test(word) && !PLAIN_WORDS.has(word));
  return [...first, ...calls.filter((call) => said.includes(call))];
}

const isConstant = (word: string): boolean => /[A-Z/0-9]/.test(word);

/** Shared constants and paths count most; one that only the probe has makes it another attempt. */
function score(words: readonly string[], said: readonly string[]): number {
  const shared = said.filter((word) => words.includes(word) && !PLAIN_WORDS.has(word));
  const foreign = said.filter((word) => /^[A-Z0-9]+_[A-Z0-9_]+$/.test(word) && !words.includes(word));
  return shared.reduce((sum, word) => sum + (isConstant(word) ? 3 : 1), 0) - foreign.length;
}

function tokens(text: string): readonly string[] {
  // "without X" is about its absence.
  const found = (text.replace(/without \S+/g, '').match(TOKEN) ?? []).flatMap((word) => [
    word,
    ...(ALIASES[word] === undefined ? [] : [ALIASES[word]]),
  ]);
  return [...new Set(found)];
}
