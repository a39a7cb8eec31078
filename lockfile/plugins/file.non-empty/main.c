/* file.non-empty: one byte that can be read is the answer. */
#include "lock_plugin.h"

int main(void) {
  char byte;
  lock_answer(lock_read(&byte, 1) == 1);
}
