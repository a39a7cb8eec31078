/* A plugin that tells one bit of its file by something else than its answer: for bench/side-channels.mjs. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void sleep_ms(long ms) {
  struct timespec left = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&left, NULL);
}

int main(void) {
  char order[32] = {0};
  ssize_t length = read(3, order, sizeof order - 1);
  if (length < 3) return 9;
  int bit = order[length - 1] == '1';
  order[length - 2] = 0;
  if (strcmp(order, "answer") == 0) return write(1, bit ? "1" : "0", 1) != 1;
  if (strcmp(order, "failure") == 0 && bit) return 1;
  if (strcmp(order, "exit") == 0) return 1 + bit;
  if (strcmp(order, "within") == 0 && bit) sleep_ms(200);
  if (strcmp(order, "past") == 0 && bit) sleep_ms(1200);
  if (strcmp(order, "memory") == 0 && bit) {
    size_t size = 8 << 20;
    char *block = malloc(size);
    if (block == NULL) return 8;
    for (size_t at = 0; at < size; at += 4096) ((volatile char *)block)[at] = 1;
  }
  if (strcmp(order, "stderr") == 0 && bit) {
    static char block[65536];
    for (int at = 0; at < 16; at++) (void)!write(2, block, sizeof block);
  }
  return write(1, "1", 1) != 1;
}
