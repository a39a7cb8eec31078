// The system calls a sandboxed program may make, each with the reason it is here. Everything else fails with EPERM,
// also calls that kernels will only get in years to come. Read by assemble-filter.ts; a lock author never changes it.
// It must never name a call that reaches another process, another file, the network or the metadata of a file.
// Contract page, "Runtime"; the list was measured with C, Go and Rust programs (docs/sandbox.md).
import type { SyscallName } from './syscall-numbers.js';

/** A number, or the process's own pid, which is only known when it has been started. */
export type ComparedValue = number | 'own pid';

/**
 * One condition on one argument (0 to 5). Arguments that the kernel truncates to an int are compared by their low
 * 32 bits, as the kernel does. `high below` looks at the upper half of an address or a length.
 */
export type ArgumentCheck =
  | { readonly kind: 'one of'; readonly argument: number; readonly values: readonly ComparedValue[] }
  | {
      readonly kind: 'masked';
      readonly argument: number;
      readonly mask: number;
      readonly values: readonly number[];
    }
  | { readonly kind: 'below'; readonly argument: number; readonly limit: number }
  | { readonly kind: 'high below'; readonly argument: number; readonly limit: number | 'stack' };

export interface PolicyRule {
  readonly calls: readonly SyscallName[];
  readonly why: string;
  /** All must hold, else EPERM. */
  readonly when?: readonly ArgumentCheck[];
  /** `no such call`: ENOSYS, which makes a C library fall back to an older call. */
  readonly result?: 'allow' | 'no such call';
}

const THREAD_FLAGS = 0x00010000 | 0x00000100 | 0x00000800; // CLONE_THREAD | CLONE_VM | CLONE_SIGHAND
/** FS FILES SYSVSEM SETTLS PARENT_SETTID CHILD_CLEARTID DETACHED CHILD_SETTID: what thread libraries add. */
const THREAD_EXTRAS = 0x200 | 0x400 | 0x40000 | 0x80000 | 0x100000 | 0x200000 | 0x400000 | 0x1000000;

const notTheStack = (argument: number): ArgumentCheck => ({ kind: 'high below', argument, limit: 'stack' });
const under4GiB = (argument: number): ArgumentCheck => ({ kind: 'high below', argument, limit: 1 });
const oneOf = (argument: number, ...values: ComparedValue[]): ArgumentCheck => ({
  kind: 'one of',
  argument,
  values,
});
const masked = (argument: number, mask: number, ...values: number[]): ArgumentCheck => ({
  kind: 'masked',
  argument,
  mask: mask >>> 0,
  values,
});
const readWriteOnly = (argument: number): ArgumentCheck => masked(argument, ~0x3, 0);
/** CLOCK_REALTIME to CLOCK_TAI; anything else reads the time of another process or a device. */
const ownClock: ArgumentCheck = { kind: 'below', argument: 0, limit: 12 };
/** O_PATH would look at a path without opening it, which Landlock does not see. */
const noPathOnlyOpen = (argument: number): ArgumentCheck => masked(argument, 0x200000, 0);

export const SECCOMP_POLICY: readonly PolicyRule[] = [
  // Reading the input, answering, and what every C library does around it.
  { calls: ['read', 'readv', 'pread64', 'preadv', 'lseek'], why: 'read the input' },
  { calls: ['write', 'writev', 'pwrite64'], why: 'answer on fd 1, detail on fd 7; fd 3 is read-only' },
  { calls: ['close', 'dup', 'dup2', 'dup3'], why: 'own descriptors' },
  { calls: ['fstat'], why: 'size of the input' },
  {
    calls: ['newfstatat'],
    when: [masked(3, 0x1000, 0x1000)],
    why: 'fstat of glibc 2.33 to 2.38 and of Rust (AT_EMPTY_PATH); plain stat of a path is refused',
  },
  {
    calls: ['openat'],
    when: [noPathOnlyOpen(2)],
    why: 'run times look for optional files; Landlock refuses all but the own binary',
  },
  { calls: ['open'], when: [noPathOnlyOpen(1)], why: 'the same, as musl calls it' },
  {
    calls: ['fcntl'],
    // DUPFD GETFD SETFD GETFL SETFL DUPFD_CLOEXEC GETPIPE_SZ GET_SEALS
    when: [oneOf(1, 0, 1, 2, 3, 4, 1030, 1032, 1034)],
    why: 'flags of own descriptors; owners, signals, leases, locks and seals are refused',
  },
  {
    calls: ['ioctl'],
    // TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
    when: [oneOf(1, 0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451)],
    why: 'stdio asks whether it is a terminal; inode flags, owners and key injection are refused',
  },
  { calls: ['getcwd', 'uname'], why: 'asked by run times at start; always / and the kernel version' },

  // Memory. The stack is not data to the kernel, so whatever maps, moves or cuts must stay away from it.
  { calls: ['brk'], why: 'heap, bounded by RLIMIT_DATA' },
  {
    calls: ['mmap'],
    when: [
      notTheStack(0),
      under4GiB(1),
      readWriteOnly(2),
      // The type, and ANONYMOUS GROWSDOWN LOCKED HUGETLB SYNC: private file, private anonymous, shared file
      masked(3, 0xc212f, 0x02, 0x22, 0x01),
    ],
    why: 'memory and the mapped input; shared anonymous, growing, pinned and huge-page maps and code are refused',
  },
  { calls: ['munmap'], when: [notTheStack(0), under4GiB(1)], why: 'give memory back' },
  {
    calls: ['mprotect'],
    when: [notTheStack(0), under4GiB(1), readWriteOnly(2)],
    why: 'guard pages; no code',
  },
  {
    calls: ['mremap'],
    when: [notTheStack(0), under4GiB(1), under4GiB(2), oneOf(3, 0, 1)],
    why: 'realloc without copying; in place or MREMAP_MAYMOVE',
  },
  {
    calls: ['madvise'],
    // NORMAL RANDOM SEQUENTIAL WILLNEED DONTNEED FREE HUGEPAGE NOHUGEPAGE DONTDUMP DODUMP COLLAPSE GUARD_*
    when: [notTheStack(0), under4GiB(1), oneOf(2, 0, 1, 2, 3, 4, 8, 14, 15, 16, 17, 25, 102, 103)],
    why: 'allocators and collectors; nothing that merges pages with other processes',
  },

  // Threads, signals to itself, the end.
  {
    calls: ['clone'],
    when: [masked(0, ~THREAD_EXTRAS, THREAD_FLAGS)],
    why: 'threads only: exactly the flags of a thread, no process, no namespace, no tracing',
  },
  { calls: ['clone3'], result: 'no such call', why: 'its flags are in memory; libraries fall back to clone' },
  { calls: ['set_tid_address', 'set_robust_list', 'rseq', 'membarrier'], why: 'set up by thread libraries' },
  {
    calls: ['futex'],
    // WAIT WAKE REQUEUE CMP_REQUEUE WAKE_OP WAIT_BITSET WAKE_BITSET, each also PRIVATE or CLOCK_REALTIME
    when: [masked(1, ~0x180, 0, 1, 3, 4, 5, 9, 10)],
    why: 'wait for own threads; no priority inheritance',
  },
  { calls: ['sched_yield'], why: 'wait for own threads' },
  {
    calls: ['sched_getaffinity'],
    when: [oneOf(0, 0, 'own pid')],
    why: 'how many processors for a thread pool',
  },
  { calls: ['rt_sigaction', 'rt_sigprocmask', 'rt_sigreturn', 'sigaltstack'], why: 'own signal handlers' },
  { calls: ['kill'], when: [oneOf(0, 'own pid')], why: 'raise' },
  { calls: ['tgkill'], when: [oneOf(0, 'own pid')], why: 'abort, and preemption in Go' },
  { calls: ['tkill'], when: [oneOf(0, 'own pid')], why: 'raise and abort of musl in the main thread' },
  { calls: ['exit', 'exit_group'], why: 'end of a thread, end of the program' },
  { calls: ['execve'], why: 'the launcher starts the program with it; Landlock leaves only the own binary' },

  // Waiting and time.
  { calls: ['poll', 'ppoll', 'epoll_wait', 'epoll_pwait', 'epoll_ctl', 'epoll_create1'], why: 'event loops' },
  { calls: ['pipe2', 'eventfd2'], why: 'wake own threads; hoarding is bounded by RLIMIT_NOFILE' },
  {
    calls: ['nanosleep', 'restart_syscall', 'gettimeofday', 'time'],
    why: 'sleep, and clocks without a vDSO',
  },
  {
    calls: ['clock_nanosleep', 'clock_gettime', 'clock_getres'],
    when: [ownClock],
    why: 'the same, by clock',
  },
  { calls: ['timer_create'], when: [ownClock], why: 'own timers; the kernel refuses a foreign thread' },
  {
    calls: ['timer_settime', 'timer_gettime', 'timer_getoverrun', 'timer_delete', 'setitimer'],
    why: 'own timers',
  },

  // What a program asks about itself.
  { calls: ['getpid', 'gettid', 'getppid', 'getuid', 'geteuid', 'getgid', 'getegid'], why: 'who am I' },
  { calls: ['getrusage', 'times', 'sysinfo'], why: 'collectors and qsort of glibc size their memory by it' },
  {
    calls: ['prlimit64'],
    when: [oneOf(0, 0, 'own pid')],
    why: 'read own limits; raising needs a capability',
  },
  { calls: ['getrandom'], why: 'seeds of hash tables' },
  {
    calls: ['arch_prctl'],
    when: [oneOf(0, 0x1002, 0x1003, 0x1004, 0x3001)],
    why: 'thread pointer at start (SET_FS, GET_FS, GET_GS, CET_STATUS)',
  },
];
