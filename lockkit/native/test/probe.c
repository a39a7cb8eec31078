// probe: tries what it is told and reports how it went. The conformance probes and the sandbox's tests run it as the
// sandboxed program, and bare, to see that an attempt is a real one. It is never installed and never judges.
//
// The request is the text of descriptor 6 ({"probe":"…"}) or else of descriptor 3: steps separated by ";".
//   NUMBER ARG…     a raw system call. ARG: a number, 'text (a string), $pid $ppid $tid, $zero (64 KiB of zeros),
//                   $ones (a page of ones), $stack (a page of the stack), $heap (a fresh page), $rN (result of step N),
//                   $ppid-clock (the parent's processor clock), hi:ARG (the same with bit 40 set)
//   @NAME ARG…      one of the scenarios below
//   ~STEP           the same, but its result does not count (cleaning up)
// The result on descriptor 7: the name of the first error, else the words of the last step, else "ok".
// Several lists of steps, separated by "|", give as many results, separated the same way.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_STEPS = 16, MAX_ARGS = 8, PAGE = 4096, MiB = 1 << 20 };

static char request[65536], words[4096];
static char zero[65536] __attribute__((aligned(4096)));
static char ones[4096];
static long results[MAX_STEPS + 1];
extern char **environ;

__attribute__((format(printf, 1, 2))) static long say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(words, sizeof words, format, list);
  va_end(list);
  return 0;
}

static long error(void) { return -errno; }

static long number(const char *text) { return text == NULL ? 0 : (long)strtoull(text, NULL, 0); }

// ---- scenarios: ARG strings in, 0 or -errno out ------------------------------------------------------------------

static int open_below(int limit, char *list, size_t size) {
  int count = 0;
  for (int fd = 0; fd < limit; fd++)
    if (fcntl(fd, F_GETFD) >= 0) {
      size_t used = strlen(list);
      snprintf(list + used, size - used, count++ ? " %d" : "%d", fd);
    }
  return count;
}

static long descriptors(char **args) {
  (void)args;
  words[0] = 0;
  open_below(4096, words, sizeof words);
  return 0;
}

static long only(char **args) { // FD…: no other descriptor above 2 is open
  for (int fd = 3; fd < 4096; fd++) {
    int named = 0;
    for (char **at = args; *at != NULL; at++) named |= number(*at) == fd;
    if ((fcntl(fd, F_GETFD) >= 0) != named) return -EBADF;
  }
  return 0;
}

static long environment(char **args) {
  (void)args;
  words[0] = 0;
  for (char **at = environ; *at != NULL; at++) snprintf(words + strlen(words), sizeof words - strlen(words), "%s;", *at);
  return 0;
}

static long arguments(char **args) { // filled in by main
  (void)args;
  return 0;
}

static long directory(char **args) {
  (void)args;
  return getcwd(words, sizeof words) == NULL ? error() : 0;
}

static long text_of(char **args) {
  ssize_t n = pread((int)number(args[0]), words, sizeof words - 1, 0);
  if (n < 0) return error();
  words[n] = 0;
  return 0;
}

static long masks(char **args) {
  (void)args;
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, NULL, &blocked);
  int not_default = 0, masked = 0;
  for (int signal = 1; signal < 64; signal++) {
    struct sigaction action;
    if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL) not_default++;
    masked += sigismember(&blocked, signal) == 1;
  }
  return say("blocked %d ignored %d", masked, not_default);
}

static void *idle(void *end) {
  if (end != NULL) sleep((unsigned)(uintptr_t)end);
  return NULL;
}

static long threads(char **args) { // N threads that live at the same time; says how many there were
  long wanted = number(args[0]), made = 0;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 16384 + 16384);
  for (; made < wanted; made++) {
    pthread_t thread;
    int failed = pthread_create(&thread, &small, idle, (void *)(uintptr_t)100);
    if (failed) return say("%s after %ld", strerrorname_np(failed), made);
  }
  return say("%ld", made);
}

static long join_threads(char **args) {
  (void)args;
  pthread_t thread;
  for (int i = 0; i < 4; i++) {
    int failed = pthread_create(&thread, NULL, idle, NULL);
    if (failed) return -failed;
    pthread_join(thread, NULL);
  }
  return 0;
}

static int leave_at_once(void *unused) {
  (void)unused;
  syscall(SYS_exit, 0);
  return 0;
}

static long clone_with(char **args) {
  int flags = (int)number(args[0]);
  long child = clone(leave_at_once, zero + sizeof zero, flags, NULL, NULL, NULL, NULL);
  if (child < 0) return error();
  if (!(flags & CLONE_THREAD)) waitpid((pid_t)child, NULL, __WALL);
  return 0;
}

static long fork_child(char **args) {
  (void)args;
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child < 0) return error();
  waitpid((pid_t)child, NULL, 0);
  return 0;
}

static long vfork_child(char **args) {
  (void)args;
  pid_t child = vfork();
  if (child == 0) _exit(0);
  if (child < 0) return error();
  waitpid(child, NULL, 0);
  return 0;
}

static long eat(char **args) { // MiB of private writable memory, in pieces, until refused
  long wanted = number(args[0]), got = 0;
  for (; got < wanted; got += 8) {
    char *at = mmap(NULL, 8 * MiB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return error();
    memset(at, 1, 8 * MiB);
  }
  return 0;
}

static long eat_protected(char **args) { // reserve first, make it writable afterwards
  size_t size = (size_t)number(args[0]) * MiB;
  char *at = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED || mprotect(at, size, PROT_READ | PROT_WRITE) != 0) return error();
  return 0;
}

static long eat_heap(char **args) { return sbrk(number(args[0]) * MiB) == (void *)-1 ? error() : 0; }

static __attribute__((noinline)) long use_stack(char **args) {
  size_t size = (size_t)number(args[0]) * MiB;
  volatile char *at = __builtin_alloca(size);
  for (size_t i = size; i >= PAGE; i -= PAGE) at[i - PAGE] = 1;
  return 0;
}

static long resident_mib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

// Grow the stack downwards, cut it near its bottom (HOW: munmap or madvise), and let the lower piece grow again.
static __attribute__((noinline)) long split_stack(char **args) {
  int by_madvise = args[0] != NULL && strcmp(args[0], "madvise") == 0;
  char here;
  char *at = (char *)((uintptr_t)&here & ~(uintptr_t)(PAGE - 1));
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 7 * MiB / PAGE; i++) *(volatile char *)(at -= PAGE) = 1;
    int failed = by_madvise ? madvise(at + PAGE, PAGE, MADV_DONTFORK) : munmap(at + PAGE, PAGE);
    if (failed) return error();
  }
  return resident_mib() > 40 ? 0 : -ENOMEM;
}

static long hoard_pipes(char **args) { // says how many KiB of kernel memory the pipes took
  (void)args;
  long kib = 0;
  int ends[2];
  while (pipe2(ends, O_NONBLOCK) == 0 && kib < 65536) {
    fcntl(ends[1], F_SETPIPE_SZ, MiB);
    for (ssize_t n; (n = write(ends[1], zero, sizeof zero)) > 0;) kib += n / 1024;
  }
  return kib < 4096 ? say("little") : say("%ld KiB", kib);
}

static long flood(char **args) { // FD, MiB
  for (long left = number(args[1]) * MiB; left > 0;) {
    ssize_t n = write((int)number(args[0]), zero, sizeof zero);
    if (n < 0) return error();
    left -= n;
  }
  return 0;
}

static long answer(char **args) { // HEX bytes, one write each, then exit STATUS
  for (const char *at = args[0]; at[0] && at[1]; at += 2) {
    unsigned byte;
    sscanf(at, "%2x", &byte);
    if (write(1, &byte, 1) != 1) return error();
  }
  exit((int)number(args[1]));
}

static long hang(char **args) { // after writing HEX, with every signal blocked and ignored
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  for (int signal = 1; signal < 65; signal++) sigaction(signal, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
  if (args[0] != NULL && strcmp(args[0], "answered") == 0 && write(1, "1", 1) != 1) return error();
  for (;;) sleep(1000);
}

static long burn(char **args) {
  (void)args;
  for (volatile unsigned long i = 0; i != 1; i += 2) continue;
  return 0;
}

static void ignore(int signal) { (void)signal; }

static long burn_deaf(char **args) { // as a run time does that catches SIGXCPU
  signal(SIGXCPU, ignore);
  return burn(args);
}

static long die(char **args) {
  signal((int)number(args[0]), SIG_DFL);
  if (args[1] != NULL && write(1, args[1], strlen(args[1])) < 0) return error();
  return kill(getpid(), (int)number(args[0])) != 0 ? error() : 0;
}

static long leave_a_thread(char **args) { // answers, ends the main thread, leaves one that sleeps
  pthread_t thread;
  int failed = pthread_create(&thread, NULL, idle, (void *)(uintptr_t)number(args[0]));
  if (failed) return -failed;
  if (write(1, "1", 1) != 1) return error();
  pthread_exit(NULL);
}

static long exit_over_a_thread(char **args) { // answers and exits while a thread still sleeps
  pthread_t thread;
  int failed = pthread_create(&thread, NULL, idle, (void *)(uintptr_t)number(args[0]));
  if (failed) return -failed;
  if (write(1, "1", 1) != 1) return error();
  exit(0);
}

static long foreign_timer(char **args) {
  (void)args;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
  event._sigev_un._tid = getppid();
  int timer;
  return syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) < 0 ? error() : 0;
}

static sigjmp_buf after_fault;
static void leave_fault(int signal) { siglongjmp(after_fault, signal); }

static long old_entry(char **args) { // the i386 system call entry, with the i386 number in ARG
#if defined(__x86_64__)
  long result = number(args[0]);
  signal(SIGSEGV, leave_fault);
  if (sigsetjmp(after_fault, 1) != 0) return say("SIGSEGV");
  __asm__ volatile("int $0x80" : "+a"(result) : "b"(0L), "c"(0L), "d"(0L) : "memory", "r8", "r9", "r10", "r11");
  return result < 0 ? result : 0;
#else
  (void)args;
  (void)leave_fault;
  return -ENOSYS;
#endif
}

static long map_input(char **args) { // PROT, FLAGS: maps descriptor 3 and reads its first byte
  char *at = mmap(NULL, PAGE, (int)number(args[0]), (int)number(args[1]), 3, 0);
  if (at == MAP_FAILED) return error();
  return say("%c", *(volatile char *)at);
}

static long grow_map(char **args) { // realloc without copying
  (void)args;
  char *at = mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mremap(at, 64 * PAGE, 128 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED ? error() : 0;
}

static volatile int handled;
static void note(int signal) { handled = signal; }

static long own_signal(char **args) { // a handler of our own runs and returns
  (void)args;
  signal(SIGUSR1, note);
  if (raise(SIGUSR1) != 0) return error();
  return handled == SIGUSR1 ? 0 : -ENOTRECOVERABLE;
}

static char **own_argv;

static long talk(char **args) { // writes a text over its own argv, where /proc shows it, and waits
  size_t room = strlen(own_argv[0]) + 1;
  for (char **at = environ; *at != NULL && *at == own_argv[0] + room; at++) room += strlen(*at) + 1;
  snprintf(own_argv[0], room, "%s", args[0]);
  while (sleep(1000) == 0) continue;
  return 0;
}

static long execute_self(char **args) {
  (void)args;
  execve("/proc/self/exe", (char *[]){"again", NULL}, (char *[]){NULL});
  return error();
}

static const struct {
  const char *name;
  long (*run)(char **args);
} scenarios[] = {
    {"descriptors", descriptors}, {"only", only}, {"environment", environment}, {"arguments", arguments}, {"directory", directory},
    {"text-of", text_of}, {"masks", masks}, {"threads", threads}, {"join-threads", join_threads}, {"clone", clone_with},
    {"fork", fork_child}, {"vfork", vfork_child}, {"eat", eat}, {"eat-protected", eat_protected}, {"eat-heap", eat_heap},
    {"stack", use_stack}, {"split-stack", split_stack}, {"hoard-pipes", hoard_pipes}, {"flood", flood},
    {"answer", answer}, {"hang", hang}, {"burn", burn}, {"burn-deaf", burn_deaf}, {"die", die},
    {"leave-a-thread", leave_a_thread}, {"exit-over-a-thread", exit_over_a_thread}, {"foreign-timer", foreign_timer},
    {"old-entry", old_entry}, {"map-input", map_input}, {"grow-map", grow_map}, {"own-signal", own_signal},
    {"execute-self", execute_self}, {"talk", talk},
};

// ---- the language of steps ---------------------------------------------------------------------------------------------

static long argument(char *text) {
  if (text[0] == '\'') return (long)(text + 1);
  if (strncmp(text, "hi:", 3) == 0) return argument(text + 3) | 1L << 40;
  if (strcmp(text, "$pid") == 0) return getpid();
  if (strcmp(text, "$ppid") == 0) return getppid();
  if (strcmp(text, "-$pid") == 0) return -getpid();
  if (strcmp(text, "$tid") == 0) return gettid();
  if (strcmp(text, "$zero") == 0) return (long)zero;
  if (strcmp(text, "$ones") == 0) return (long)memset(ones, 0xff, sizeof ones);
  if (strcmp(text, "$ppid-clock") == 0) return (~(long)getppid() << 3) | 2;
  if (strcmp(text, "$stack") == 0) return (long)((uintptr_t)&text & ~(uintptr_t)(PAGE - 1));
  if (strcmp(text, "$heap") == 0)
    return (long)mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (strncmp(text, "$r", 2) == 0) return results[atoi(text + 2) % (MAX_STEPS + 1)];
  return number(text);
}

static long run_step(char *step) {
  char *args[MAX_ARGS + 1] = {NULL}, *rest;
  char *what = strtok_r(step, " ", &rest);
  for (int i = 0; i < MAX_ARGS && (args[i] = strtok_r(NULL, " ", &rest)) != NULL; i++) continue;
  if (what[0] != '@') {
    long values[6] = {0};
    for (int i = 0; i < 6 && args[i] != NULL; i++) values[i] = argument(args[i]);
    long result = syscall(number(what), values[0], values[1], values[2], values[3], values[4], values[5]);
    return result == -1 ? error() : result;
  }
  if (strcmp(what, "@value") == 0) return say("%ld", args[0] == NULL ? 0 : argument(args[0]));
  for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
    if (strcmp(what + 1, scenarios[i].name) == 0) return scenarios[i].run(args);
  return say("no such scenario");
}

static void read_request(void) {
  int fd = fcntl(6, F_GETFD) >= 0 ? 6 : 3;
  ssize_t n = pread(fd, request, sizeof request - 1, 0);
  if (n < 0) exit(3);
  request[n] = 0;
  char *text = strstr(request, "\"probe\":\"");
  if (text == NULL) return;
  memmove(request, text + 9, strlen(text + 9) + 1);
  char *end = strrchr(request, '"');
  if (end != NULL) *end = 0;
}

// The result of one list of steps, in words.
static const char *run_steps(char *steps) {
  long failed = 0;
  char *rest = NULL, *step = strtok_r(steps, ";", &rest);
  for (int n = 1; step != NULL && n <= MAX_STEPS && failed == 0; n++) {
    if (strstr(step, "@arguments") == NULL) words[0] = 0;
    int counts = step[0] != '~';
    results[n] = run_step(step + !counts);
    if (counts && results[n] < 0 && results[n] >= -4095) failed = results[n];
    step = strtok_r(NULL, ";", &rest);
  }
  if (!failed) return words[0] ? words : "ok";
  const char *name = strerrorname_np((int)-failed);
  return name == NULL ? "unknown error" : name;
}

static void report(const char *text) {
  ssize_t ignored = write(7, text, strlen(text));
  (void)ignored;
}

int main(int argc, char **argv) {
  int well = 1;
  own_argv = argv;
  if (argc > 0 && strcmp(argv[0], "again") == 0) report("again");
  else {
    say("%d %s", argc, argc > 0 ? argv[0] : "");
    read_request();
    char *rest = NULL;
    for (char *steps = strtok_r(request, "|", &rest), *first = steps; steps != NULL; steps = strtok_r(NULL, "|", &rest)) {
      if (steps != first) report("|");
      const char *result = run_steps(steps);
      well &= result[0] != 'E';
      report(result);
    }
  }
  // Without descriptor 7 the answer itself is the report.
  return write(1, well ? "1\n" : "0\n", 2) == 2 ? 0 : 1;
}
