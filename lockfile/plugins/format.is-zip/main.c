/* format.is-zip: a local file header, or the end record of an archive without entries. */
#include "lock_plugin.h"

int main(void) {
  char head[4];
  size_t length = lock_read(head, sizeof head);
  if (length < sizeof head) lock_answer(0);
  lock_answer(memcmp(head, "PK\x03\x04", 4) == 0 || memcmp(head, "PK\x05\x06", 4) == 0);
}
