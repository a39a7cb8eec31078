// lock-self-test: five attempts that a working sandbox must answer in one way only. The console runs it as a plugin
// before it serves anyone (lockkit/src/sandbox/self-test.ts); the answer is 1 when all five went as they must, and
// the detail names those that did not. It must never do harm where the sandbox is missing: every attempt is idle.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DETAIL_FD = 7 };

static void report(const char *name) {
  ssize_t ignored = write(DETAIL_FD, name, strlen(name));
  (void)ignored;
}

static int expect(const char *name, int as_it_must) {
  if (!as_it_must) report(name);
  return as_it_must;
}

static int refused(long result, int error) { return result < 0 && errno == error; }

static long fork_and_leave(void) {
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  return child;
}

int main(void) {
  int well = expect("open ", refused(open("/etc/passwd", O_RDONLY), EACCES));
  well &= expect("socket ", refused(socket(AF_UNIX, SOCK_STREAM, 0), EPERM));
  well &= expect("fork ", refused(fork_and_leave(), EPERM));
  well &= expect("kill ", refused(kill(getppid(), 0), EPERM));
  well &= expect("own-binary ", open("/proc/self/exe", O_RDONLY) >= 0);
  return write(1, well ? "1\n" : "0\n", 2) == 2 ? 0 : 1;
}
