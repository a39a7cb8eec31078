/* format.is-png: the eight bytes of the signature, then a chunk of 13 bytes named IHDR. */
#include "lock_plugin.h"

static const char HEAD[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";

int main(void) {
  char head[sizeof HEAD - 1];
  size_t length = lock_read(head, sizeof head);
  lock_answer(length == sizeof head && memcmp(head, HEAD, sizeof head) == 0);
}
