// lock-launcher: becomes the sandboxed program that a spec describes. It holds no policy: every number in here
// is a descriptor, a size limit or a system call; what is forbidden comes from lockkit/src/sandbox as data.
//
// Called by the sandbox only, in three forms:
//   lock-launcher           read a spec from descriptor 4, restrict this process, execute descriptor 5
//   lock-launcher --hold    copy standard input into a sealed executable memfd (descriptor 9), hold it until 3 closes
//   lock-launcher --probe   print what this kernel can do
//
// It must never run a program less restricted than its spec says: every failing step ends the process with a
// 12-byte record on descriptor 4. That descriptor closes on exec, so its end without a record means "running".
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Younger than the headers of some distributions; the numbers are the same on every architecture since 2019.
enum { NR_close_range = 436, NR_landlock_create_ruleset = 444, NR_landlock_restrict_self = 446 };
enum { MEMFD_CLOEXEC = 1, MEMFD_SEALABLE = 2, MEMFD_NOEXEC = 8, MEMFD_EXEC = 16 };
enum { SEALS = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };
enum { LOCK_ALL_SECUREBITS = 0x2f, CAPABILITY_VERSION = 0x20080522 };

enum { INPUT_FD = 3, SPEC_FD = 4, BINARY_FD = 5, INPUTS_FD = 6, DETAIL_FD = 7, FIRST_OTHER_FD = 8, HELD_FD = 9 };
enum { MAX_SPEC = 65536, MAX_STRINGS = 16, MAX_LIMITS = 16 };

#define SPEC_MAGIC 0x31534b4cu    // "LKS1"
#define FAILURE_MAGIC 0x31464b4cu // "LKF1"
enum { HAS_INPUTS = 1, HAS_DETAIL = 2 };

struct spec_header {
  uint32_t magic, total_bytes, flags, parent_pid;
  uint32_t argc, envc, limits, instructions;
  uint32_t strings_bytes, inputs_bytes, landlock_bytes, personality;
  uint32_t spare_tasks, reserved;
  uint64_t landlock[3];
};
struct spec_limit {
  uint32_t resource, reserved;
  uint64_t soft, hard;
};

static union {
  struct spec_header header;
  char bytes[MAX_SPEC];
} spec;
static struct spec_limit *limits;
static struct sock_filter *filter;
static char *inputs;
static char *arguments[MAX_STRINGS + 1], *environment[MAX_STRINGS + 1];

// The names are read by lockkit/src/sandbox/launch-status.ts; its test holds the two lists against each other.
enum stage {
  STAGE_SPEC = 1, STAGE_PARENT, STAGE_PROCESS, STAGE_INPUTS, STAGE_DESCRIPTORS, STAGE_DUMPS, STAGE_PRIVILEGES,
  STAGE_TASKS, STAGE_LIMITS, STAGE_PERSONALITY, STAGE_NO_NEW_PRIVILEGES, STAGE_LANDLOCK, STAGE_SECCOMP, STAGE_EXEC,
};

static _Noreturn void fail(enum stage stage) {
  uint32_t record[3] = {FAILURE_MAGIC, stage, (uint32_t)errno};
  ssize_t ignored = write(SPEC_FD, record, sizeof record);
  (void)ignored;
  _exit(125);
}

static _Noreturn void fail_with(enum stage stage, int error) {
  errno = error;
  fail(stage);
}

static int write_all(int fd, const char *bytes, size_t left) {
  while (left > 0) {
    ssize_t n = write(fd, bytes, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return -1;
    bytes += n;
    left -= (size_t)n;
  }
  return 0;
}

// ---- spec ---------------------------------------------------------------------------------------------------

static void read_exactly(char *into, size_t left) {
  while (left > 0) {
    ssize_t n = read(SPEC_FD, into, left);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(STAGE_SPEC);
    if (n == 0) fail_with(STAGE_SPEC, ENODATA);
    into += n;
    left -= (size_t)n;
  }
}

// Cuts the block of NUL-ended strings into argv and environ; a count that does not fit the block is no spec.
static void cut_strings(char *at, const char *end) {
  const struct spec_header *h = &spec.header;
  for (uint32_t i = 0; i < h->argc + h->envc; i++) {
    char *stop = memchr(at, 0, (size_t)(end - at));
    if (stop == NULL) fail_with(STAGE_SPEC, EBADMSG);
    *(i < h->argc ? &arguments[i] : &environment[i - h->argc]) = at;
    at = stop + 1;
  }
  if (at != end) fail_with(STAGE_SPEC, EBADMSG);
}

static void read_spec(void) {
  const struct spec_header *h = &spec.header;
  read_exactly(spec.bytes, sizeof *h);
  if (h->magic != SPEC_MAGIC || h->reserved != 0) fail_with(STAGE_SPEC, EPROTO);
  if (h->total_bytes > MAX_SPEC || h->argc < 1 || h->argc > MAX_STRINGS || h->envc > MAX_STRINGS ||
      h->limits > MAX_LIMITS || h->instructions < 1 || h->instructions > BPF_MAXINSNS)
    fail_with(STAGE_SPEC, E2BIG);
  uint64_t limits_at = sizeof *h, filter_at = limits_at + (uint64_t)h->limits * sizeof *limits;
  uint64_t strings_at = filter_at + (uint64_t)h->instructions * sizeof *filter;
  uint64_t inputs_at = strings_at + h->strings_bytes;
  if (inputs_at + h->inputs_bytes != h->total_bytes) fail_with(STAGE_SPEC, EBADMSG);
  read_exactly(spec.bytes + sizeof *h, h->total_bytes - sizeof *h);
  limits = (struct spec_limit *)(void *)(spec.bytes + limits_at);
  filter = (struct sock_filter *)(void *)(spec.bytes + filter_at);
  inputs = spec.bytes + inputs_at;
  cut_strings(spec.bytes + strings_at, inputs);
}

// ---- steps, in the order in which main() takes them -----------------------------------------------------------

static void die_with_parent(void) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail(STAGE_PARENT);
  // The parent may have died before the line above; then we have another one by now.
  if (getppid() != (pid_t)spec.header.parent_pid) fail_with(STAGE_PARENT, ESRCH);
}

static void start_clean(void) {
  if (getsid(0) != getpid() && setsid() < 0) fail(STAGE_PROCESS);
  if (chdir("/") != 0) fail(STAGE_PROCESS);
  umask(077);
  // The raw call, because libc keeps two signals for itself and would leave them ignored.
  const uint64_t default_action[4] = {0}, empty_mask = 0;
  for (int signal = 1; signal <= 64; signal++) syscall(SYS_rt_sigaction, signal, default_action, NULL, 8);
  if (syscall(SYS_rt_sigprocmask, SIG_SETMASK, &empty_mask, NULL, 8) != 0) fail(STAGE_PROCESS);
}

// A kernel before 6.3 does not know NOEXEC and EXEC: there the file mode alone decides what may be executed.
static int sealable_memfd(const char *name, unsigned exec_flag, mode_t mode) {
  unsigned flags = MEMFD_CLOEXEC | MEMFD_SEALABLE;
  int fd = (int)syscall(SYS_memfd_create, name, flags | exec_flag);
  if (fd < 0 && errno == EINVAL) fd = (int)syscall(SYS_memfd_create, name, flags);
  if (fd < 0 || fchmod(fd, mode) != 0) return -1;
  return fd;
}

static void give_inputs(void) {
  if (!(spec.header.flags & HAS_INPUTS)) {
    close(INPUTS_FD);
    return;
  }
  int fd = sealable_memfd("inputs", MEMFD_NOEXEC, 0400);
  if (fd < 0 || write_all(fd, inputs, spec.header.inputs_bytes) != 0) fail(STAGE_INPUTS);
  if (fcntl(fd, F_ADD_SEALS, SEALS) != 0) fail(STAGE_INPUTS);
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int read_only = open(path, O_RDONLY | O_CLOEXEC);
  if (read_only < 0 || dup2(read_only, INPUTS_FD) < 0) fail(STAGE_INPUTS);
  if (fd != INPUTS_FD) close(fd);
  close(read_only);
}

static void close_the_rest(void) {
  if (!(spec.header.flags & HAS_DETAIL)) close(DETAIL_FD);
  if (fcntl(SPEC_FD, F_SETFD, FD_CLOEXEC) != 0 || fcntl(BINARY_FD, F_SETFD, FD_CLOEXEC) != 0) fail(STAGE_DESCRIPTORS);
  if (syscall(NR_close_range, FIRST_OTHER_FD, ~0u, 0) != 0) fail(STAGE_DESCRIPTORS);
}

// A core handler that is a program ignores the core limit; an empty filter leaves it nothing to see.
static void dump_nothing(void) {
  int fd = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return; // a kernel built without core dumps
  if (fd < 0 || write(fd, "0", 1) != 1) fail(STAGE_DUMPS);
  close(fd);
}

// Without these bits an exec by uid 0 would give the capabilities back, and would clear the personality.
static void drop_privileges(void) {
  if (prctl(PR_SET_SECUREBITS, LOCK_ALL_SECUREBITS) != 0 && geteuid() == 0) fail(STAGE_PRIVILEGES);
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) fail(STAGE_PRIVILEGES);
  const uint32_t header[2] = {CAPABILITY_VERSION, 0}, none[6] = {0};
  if (syscall(SYS_capset, header, none) != 0) fail(STAGE_PRIVILEGES);
}

// Asks for a child whose pidfd goes to an address that nobody can write: the kernel checks the limit first (EAGAIN),
// then finds the address (EFAULT), and no child ever exists.
static int is_full_at(rlim_t soft, rlim_t hard) {
  const struct rlimit limit = {soft, hard};
  if (setrlimit(RLIMIT_NPROC, &limit) != 0) fail(STAGE_TASKS);
  syscall(SYS_clone, CLONE_VM | CLONE_PIDFD | SIGCHLD, 0, ~0xfffL, 0, 0);
  if (errno != EAGAIN && errno != EFAULT) fail(STAGE_TASKS);
  return errno == EAGAIN;
}

// The kernel tells nobody how many tasks it counts for this account, but it enforces the count: the largest limit
// that is full is the count. Where the limit is not enforced (uid 0) none is.
static void limit_tasks(void) {
  struct rlimit now;
  if (getrlimit(RLIMIT_NPROC, &now) != 0) fail(STAGE_TASKS);
  rlim_t counted = 1, enough = 64;
  if (is_full_at(1, now.rlim_max)) {
    while (enough < now.rlim_max && is_full_at(enough, now.rlim_max)) {
      if (enough > 1u << 22) fail_with(STAGE_TASKS, EAGAIN);
      counted = enough;
      enough *= 2;
    }
    if (enough > now.rlim_max) enough = now.rlim_max;
    while (enough - counted > 1) {
      rlim_t middle = counted + (enough - counted) / 2;
      *(is_full_at(middle, now.rlim_max) ? &counted : &enough) = middle;
    }
  }
  rlim_t wanted = counted + spec.header.spare_tasks;
  if (wanted > now.rlim_max) wanted = now.rlim_max;
  const struct rlimit limit = {wanted, wanted};
  if (setrlimit(RLIMIT_NPROC, &limit) != 0) fail(STAGE_TASKS);
}

// A limit that is already lower stays: this process may be tighter than its spec, never looser.
static void set_limits(void) {
  for (uint32_t i = 0; i < spec.header.limits; i++) {
    struct rlimit now;
    if (getrlimit((int)limits[i].resource, &now) != 0) fail(STAGE_LIMITS);
    if (limits[i].hard < now.rlim_max) now.rlim_max = limits[i].hard;
    now.rlim_cur = limits[i].soft < now.rlim_max ? limits[i].soft : now.rlim_max;
    if (setrlimit((int)limits[i].resource, &now) != 0) fail(STAGE_LIMITS);
  }
}

static void restrict_files(void) {
  int ruleset = (int)syscall(NR_landlock_create_ruleset, spec.header.landlock, (size_t)spec.header.landlock_bytes, 0);
  if (ruleset < 0 || syscall(NR_landlock_restrict_self, ruleset, 0) != 0) fail(STAGE_LANDLOCK);
  close(ruleset);
}

static void restrict_calls(void) {
  const struct sock_fprog program = {(unsigned short)spec.header.instructions, filter};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) fail(STAGE_SECCOMP);
}

// ---- the two small forms ----------------------------------------------------------------------------------------

static int hold(void) {
  static char chunk[65536];
  int fd = sealable_memfd("binary", MEMFD_EXEC, 0555);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || fd < 0) return 1;
  for (ssize_t n; (n = read(0, chunk, sizeof chunk)) != 0;)
    if (n < 0 || write_all(fd, chunk, (size_t)n) != 0) return 1;
  if (fcntl(fd, F_ADD_SEALS, SEALS) != 0 || dup2(fd, HELD_FD) < 0 || write_all(1, "held\n", 5) != 0) return 1;
  while (read(3, chunk, 1) > 0) continue;
  return 0;
}

static int probe(void) {
  const uint32_t errno_action = SECCOMP_RET_ERRNO;
  long landlock = syscall(NR_landlock_create_ruleset, NULL, 0, 1);
  int seccomp = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &errno_action) == 0;
  int memfd = sealable_memfd("probe", MEMFD_EXEC, 0555) >= 0;
  return dprintf(1, "landlock=%ld seccomp=%d memfd=%d\n", landlock < 0 ? 0 : landlock, seccomp, memfd) > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--hold") == 0) return hold();
  if (argc == 2 && strcmp(argv[1], "--probe") == 0) return probe();
  if (argc != 1) return 2;
  read_spec();
  die_with_parent();
  start_clean();
  give_inputs(); // before the file size limit, which would kill the write
  close_the_rest();
  dump_nothing();
  drop_privileges(); // before the count: whoever holds CAP_SYS_RESOURCE is not counted
  limit_tasks();
  set_limits();
  if (personality(spec.header.personality) < 0) fail(STAGE_PERSONALITY);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail(STAGE_NO_NEW_PRIVILEGES);
  restrict_files();
  restrict_calls(); // last: from here on only write, execve and exit are left to us
  execve("/proc/self/fd/5", arguments, environment);
  fail(STAGE_EXEC);
}
