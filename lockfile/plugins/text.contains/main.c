/* text.contains: the value as bytes, in one pass (Knuth-Morris-Pratt); the detail names the lines, counted from 1.
 * A value is one line, so that a match never spans two. */
#include <stdio.h>
#include "lock_plugin.h"

enum { MAX_NEEDLE = 256 };

static unsigned char needle[MAX_NEEDLE];
static size_t border[MAX_NEEDLE];

static void find_borders(size_t length) {
  for (size_t at = 1, match = 0; at < length; at++) {
    while (match > 0 && needle[at] != needle[match]) match = border[match - 1];
    if (needle[at] == needle[match]) match++;
    border[at] = match;
  }
}

static void tell(unsigned long long line, int first) {
  char text[40];
  snprintf(text, sizeof text, first ? "found on lines %llu" : ", %llu", line);
  lock_detail(text);
}

int main(void) {
  static unsigned char chunk[65536];
  size_t length = lock_input("needle", (char *)needle, sizeof needle), match = 0;
  unsigned long long line = 1, told = 0;
  if (length == 0) lock_fail();
  find_borders(length);
  for (size_t got; (got = lock_read(chunk, sizeof chunk)) > 0;) {
    for (size_t at = 0; at < got; at++) {
      while (match > 0 && chunk[at] != needle[match]) match = border[match - 1];
      if (chunk[at] == needle[match]) match++;
      if (match == length) {
        if (told != line) tell(line, told == 0);
        told = line;
        match = border[match - 1];
      }
      if (chunk[at] == '\n') line++;
    }
  }
  lock_answer(told != 0);
}
