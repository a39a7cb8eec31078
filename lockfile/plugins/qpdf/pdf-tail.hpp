// The end of a PDF as bytes: `startxref`, an offset, `%%EOF`, and nothing of substance behind it (ISO 32000-1, 7.5.5).
// The library does not look for %%EOF, and cut-off files differ from whole ones just there.
#pragma once
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include "lock_plugin.h"

struct Tail {
  long long file_size;
  std::string bytes; // the last 1024 or fewer
};

inline long long file_size() {
  struct stat facts;
  if (fstat(LOCK_FILE_FD, &facts) != 0) lock_fail();
  return facts.st_size;
}

/** Leaves the file at its start. */
inline Tail read_tail() {
  Tail tail{file_size(), std::string(1024, '\0')};
  long long from = tail.file_size > 1024 ? tail.file_size - 1024 : 0;
  if (lseek(LOCK_FILE_FD, from, SEEK_SET) < 0) lock_fail();
  tail.bytes.resize(lock_read(tail.bytes.data(), tail.bytes.size()));
  if (lseek(LOCK_FILE_FD, 0, SEEK_SET) < 0) lock_fail();
  return tail;
}

/** The offset that stands between the last `startxref` and the `%%EOF` right behind it; -1 when there is none. */
inline long long end_offset(Tail const &tail) {
  size_t at = tail.bytes.rfind("startxref");
  if (at == std::string::npos) return -1;
  char const *text = tail.bytes.c_str() + at + 9;
  char *rest = nullptr;
  if (strspn(text, " \t\r\n") == 0) return -1;
  text += strspn(text, " \t\r\n");
  if (*text < '0' || *text > '9') return -1;
  errno = 0;
  long long offset = strtoll(text, &rest, 10);
  size_t gap = strspn(rest, " \t\r\n");
  // An offset of 0 ends only the first part of a linearized file.
  if (errno != 0 || offset == 0 || gap == 0 || strncmp(rest + gap, "%%EOF", 5) != 0) return -1;
  // An update that was cut off has begun behind the last whole end.
  return strstr(rest + gap, " obj") == nullptr ? offset : -1;
}

inline bool has_end(Tail const &tail) { return end_offset(tail) >= 0; }
