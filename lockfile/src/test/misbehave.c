/* A plugin that does what the file tells it: the hostile plugins of the tests in one static program. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void *sleeper(void *unused) {
  (void)unused;
  for (;;) sleep(1000);
}

int main(int argc, char **argv) {
  char order[64] = {0}, value[512] = {0};
  ssize_t length = read(3, order, sizeof order - 1);
  (void)argc;
  if (length <= 0) return 9;
  if (strcmp(order, "one") == 0) return write(1, "1", 1) != 1;
  if (strcmp(order, "zero") == 0) return write(1, "0\n", 2) != 2;
  if (strcmp(order, "exit1") == 0) { (void)!write(1, "1", 1); return 1; }
  if (strcmp(order, "two") == 0) { (void)!write(1, "11", 2); return 0; }
  if (strcmp(order, "text") == 0) { (void)!write(1, "yes", 3); return 0; }
  if (strcmp(order, "nothing") == 0) return 0;
  if (strcmp(order, "hang") == 0) { (void)!write(1, "1", 1); for (;;) sleep(1000); }
  if (strcmp(order, "deaf") == 0) { for (int i = 1; i < 65; i++) signal(i, SIG_IGN); (void)!write(1, "1", 1); for (;;) sleep(1000); }
  if (strcmp(order, "fork") == 0) { if (fork() < 0) return write(1, "0", 1) != 1; return write(1, "1", 1) != 1; }
  if (strncmp(order, "signal ", 7) == 0) { (void)!write(1, "1", 1); kill(getpid(), atoi(order + 7)); for (;;) sleep(1000); }
  if (strcmp(order, "stderr") == 0) { char block[65536]; memset(block, 'x', sizeof block); for (int i = 0; i < 320; i++) (void)!write(2, block, sizeof block); return write(1, "1", 1) != 1; }
  if (strcmp(order, "stdout") == 0) { char block[65536]; memset(block, '1', sizeof block); for (;;) (void)!write(1, block, sizeof block); }
  if (strcmp(order, "detail") == 0) { char block[65536]; memset(block, 'd', sizeof block); for (int i = 0; i < 160; i++) (void)!write(7, block, sizeof block); return write(1, "1", 1) != 1; }
  if (strcmp(order, "thread") == 0) { pthread_t other; (void)!write(1, "1", 1); if (pthread_create(&other, NULL, sleeper, NULL) != 0) return 3; pthread_exit(NULL); }
  if (strcmp(order, "argv") == 0) { memset(argv[0], 'S', strlen(argv[0])); (void)!write(1, "1", 1); for (;;) sleep(1000); }
  if (strcmp(order, "inputs") == 0) { ssize_t got = read(6, value, sizeof value - 1); (void)!write(7, value, got > 0 ? (size_t)got : 0); return write(1, "1", 1) != 1; }
  return 8;
}
