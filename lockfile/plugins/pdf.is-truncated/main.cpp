// pdf.is-truncated: first the end as bytes, then every offset of the cross-reference against the size of the file.
// A file that is no PDF, or whose cross-reference cannot be read for another reason than the cut, gets no answer.
#include "open-pdf.hpp"
#include "pdf-tail.hpp"

namespace {

bool starts_like_pdf() {
  char head[1024];
  size_t length = lock_read(head, sizeof head);
  if (lseek(LOCK_FILE_FD, 0, SEEK_SET) < 0) lock_fail();
  return memmem(head, length, "%PDF-", 5) != nullptr;
}

bool points_past(QPDF &pdf, long long size) {
  for (auto const &[id, entry] : pdf.getXRefTable())
    if (entry.getType() == 1 && entry.getOffset() >= size) return true;
  return false;
}

} // namespace

int main() {
  if (!starts_like_pdf()) lock_fail();
  Tail tail = read_tail();
  long long offset = end_offset(tail);
  if (offset < 0 || offset >= tail.file_size) lock_answer(1);
  try {
    QPDF pdf;
    open_pdf(pdf);
    lock_answer(points_past(pdf, tail.file_size));
  } catch (QPDFExc const &error) {
    refuse_encrypted(&error);
    // The position is where the library looked for a section of the cross-reference.
    if (error.getFilePosition() >= tail.file_size) lock_answer(1);
    lock_fail();
  } catch (std::exception const &) {
    lock_fail();
  }
}
