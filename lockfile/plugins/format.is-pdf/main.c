/* format.is-pdf: the five bytes of the header lie whole within the first 1024. */
#define _GNU_SOURCE
#include "lock_plugin.h"

int main(void) {
  char head[1024];
  size_t length = lock_read(head, sizeof head);
  lock_answer(memmem(head, length, "%PDF-", 5) != NULL);
}
