/* text.is-utf8: RFC 3629 byte by byte: no overlong form, no surrogate, nothing past U+10FFFF, no cut sequence. */
#include "lock_plugin.h"

/* How many bytes follow a lead byte, and the bounds of the first of them. 0xff: no lead byte. */
struct lead { unsigned char follow, low, high; };

static struct lead lead_of(unsigned char byte) {
  if (byte < 0x80) return (struct lead){0, 0, 0};
  if (byte >= 0xc2 && byte <= 0xdf) return (struct lead){1, 0x80, 0xbf};
  if (byte == 0xe0) return (struct lead){2, 0xa0, 0xbf};
  if (byte == 0xed) return (struct lead){2, 0x80, 0x9f};
  if (byte >= 0xe1 && byte <= 0xef) return (struct lead){2, 0x80, 0xbf};
  if (byte == 0xf0) return (struct lead){3, 0x90, 0xbf};
  if (byte >= 0xf1 && byte <= 0xf3) return (struct lead){3, 0x80, 0xbf};
  if (byte == 0xf4) return (struct lead){3, 0x80, 0x8f};
  return (struct lead){0xff, 0, 0};
}

int main(void) {
  static unsigned char chunk[65536];
  struct lead state = {0, 0, 0};
  for (size_t length; (length = lock_read(chunk, sizeof chunk)) > 0;) {
    for (size_t at = 0; at < length; at++) {
      if (state.follow == 0) {
        state = lead_of(chunk[at]);
        if (state.follow == 0xff) lock_answer(0);
      } else {
        if (chunk[at] < state.low || chunk[at] > state.high) lock_answer(0);
        state = (struct lead){(unsigned char)(state.follow - 1), 0x80, 0xbf};
      }
    }
  }
  lock_answer(state.follow == 0);
}
