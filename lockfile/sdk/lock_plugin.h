/* What the author of a lockfile plugin needs, in one header: the file on fd 3, the answer, the typed values on fd 6,
 * the detail on fd 7. No dependency beyond libc; link with -static, a dynamic program is refused.
 * Every way out that is not lock_answer ends with a status other than 0, so that a crash never reads as an answer.
 * Threads: give pthreads a small stack (pthread_attr_setstacksize); glibc charges 8 MiB each to the memory limit. */
#ifndef LOCK_PLUGIN_H
#define LOCK_PLUGIN_H

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#ifdef __cplusplus
#define LOCK_NORETURN [[noreturn]]
#else
#define LOCK_NORETURN _Noreturn
#endif

enum { LOCK_FILE_FD = 3, LOCK_INPUTS_FD = 6, LOCK_DETAIL_FD = 7 };
enum { LOCK_MAX_INPUTS_BYTES = 16384, LOCK_MAX_DETAIL_BYTES = 4096 };

/* "No answer": the agent gets plugin_error, which is not a 0. For an input that the question does not fit. */
LOCK_NORETURN static inline void lock_fail(void) { _exit(2); }

static inline int lock_write_all(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(fd, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return 0;
    bytes += written;
    count -= (size_t)written;
  }
  return 1;
}

/* The one answer: 1 or 0. Never returns. */
LOCK_NORETURN static inline void lock_answer(int bit) {
  if (!lock_write_all(STDOUT_FILENO, bit ? "1" : "0", 1)) lock_fail();
  _exit(0);
}

static inline size_t lock_read_fd(int fd, void *buffer, size_t count) {
  size_t total = 0;
  while (total < count) {
    ssize_t got = read(fd, (char *)buffer + total, count - total);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) lock_fail();
    if (got == 0) break;
    total += (size_t)got;
  }
  return total;
}

/* The next `count` bytes of the file; fewer only at its end. A file that cannot be read fails. */
static inline size_t lock_read(void *buffer, size_t count) { return lock_read_fd(LOCK_FILE_FD, buffer, count); }

/* Adds to the detail (protocol 2 with detail = true). The first 4 KiB are kept, the rest is dropped here already. */
static inline void lock_detail_bytes(const char *bytes, size_t count) {
  static size_t written = 0;
  size_t room = LOCK_MAX_DETAIL_BYTES - written;
  if (count > room) count = room;
  if (count == 0) return;
  written += count;
  (void)lock_write_all(LOCK_DETAIL_FD, bytes, count);
}

static inline void lock_detail(const char *text) { lock_detail_bytes(text, strlen(text)); }

/* ---- typed values: {"needle":"..."} on fd 6, canonical JSON, keys sorted ---- */

static inline const char *lock_json(void) {
  static char json[LOCK_MAX_INPUTS_BYTES + 1];
  static int loaded = 0;
  if (!loaded) {
    size_t length = lock_read_fd(LOCK_INPUTS_FD, json, LOCK_MAX_INPUTS_BYTES + 1);
    if (length > LOCK_MAX_INPUTS_BYTES || memchr(json, 0, length) != NULL) lock_fail();
    json[length] = 0;
    loaded = 1;
  }
  return json;
}

static inline unsigned lock_hex4(const char *at) {
  unsigned value = 0;
  for (int i = 0; i < 4; i++) {
    char c = at[i];
    if (c >= '0' && c <= '9') value = value * 16 + (unsigned)(c - '0');
    else if (c >= 'a' && c <= 'f') value = value * 16 + (unsigned)(c - 'a') + 10;
    else lock_fail();
  }
  return value;
}

/* One JSON string that starts behind its quote, into `out` (NULL: skipped). Gives where its closing quote ends. */
static inline const char *lock_json_string(const char *at, char *out, size_t room, size_t *length) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  size_t used = 0;
  for (; *at != '"'; at++) {
    unsigned char c = (unsigned char)*at;
    if (c < 0x20) lock_fail();
    if (c == '\\') {
      at++;
      const char *name = *at == 0 ? NULL : strchr(names, *at);
      if (name != NULL) {
        c = (unsigned char)values[name - names];
      } else {
        /* Canonical JSON writes \u only for the other controls, all below 0x20. */
        if (*at != 'u') lock_fail();
        unsigned code = lock_hex4(at + 1);
        if (code >= 0x20) lock_fail();
        c = (unsigned char)code;
        at += 4;
      }
    }
    if (out != NULL) {
      if (used >= room) lock_fail();
      out[used] = (char)c;
    }
    used++;
  }
  if (length != NULL) *length = used;
  return at + 1;
}

/* The value of the input `name`, at most `room` bytes, without a closing NUL. A value that is not there fails. */
static inline size_t lock_input(const char *name, char *out, size_t room) {
  const char *at = lock_json();
  if (*at != '{') lock_fail();
  while (*at == '{' || *at == ',') {
    char key[33];
    size_t key_length = 0, length = 0;
    if (at[1] != '"') lock_fail();
    at = lock_json_string(at + 2, key, sizeof key, &key_length);
    if (at[0] != ':' || at[1] != '"') lock_fail();
    int found = key_length == strlen(name) && memcmp(key, name, key_length) == 0;
    at = lock_json_string(at + 2, found ? out : NULL, room, &length);
    if (found) return length;
  }
  lock_fail();
}

#endif
