// pdf.parses: everything that the cross-reference names is read, every stream decoded, every page's content parsed.
// One warning of the library is a 0; an encrypted file is no answer.
#include "open-pdf.hpp"
#include "pdf-tail.hpp"
#include <qpdf/Pl_Discard.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/Pipeline.hh>
#include <new>
#include <zlib.h>

namespace {

/** Raw Flate data through zlib itself: libqpdf overlooks a wrong checksum. Keeps nothing of what it inflates. */
class ChecksumPipe : public Pipeline {
public:
  ChecksumPipe() : Pipeline("checksum", nullptr) {
    if (inflateInit(&zlib) != Z_OK) throw std::bad_alloc();
  }
  ~ChecksumPipe() override { inflateEnd(&zlib); }
  void write(unsigned char const *data, size_t length) override {
    zlib.next_in = const_cast<unsigned char *>(data);
    zlib.avail_in = static_cast<uInt>(length);
    do {
      zlib.next_out = nowhere;
      zlib.avail_out = sizeof nowhere;
      if (status == Z_OK) status = inflate(&zlib, Z_NO_FLUSH);
      if (status == Z_BUF_ERROR) status = Z_OK; // wants the next bytes, no error
    } while (status == Z_OK && (zlib.avail_in > 0 || zlib.avail_out == 0));
  }
  void finish() override {}
  bool agrees() const { return status == Z_STREAM_END; }

private:
  z_stream zlib = {};
  int status = Z_OK;
  unsigned char nowhere[16384];
};

bool is_flate(QPDFObjectHandle stream) {
  QPDFObjectHandle filter = stream.getDict().getKey("/Filter");
  if (filter.isArray() && filter.getArrayNItems() > 0) filter = filter.getArrayItem(0);
  return filter.isName() && (filter.getName() == "/FlateDecode" || filter.getName() == "/Fl");
}

bool checksum_agrees(QPDFObjectHandle stream) {
  if (!is_flate(stream)) return true;
  ChecksumPipe pipe;
  return stream.pipeStreamData(&pipe, nullptr, 0, qpdf_dl_none, false, false) && pipe.agrees();
}

class ReadThrough : public QPDFObjectHandle::ParserCallbacks {
public:
  void handleObject(QPDFObjectHandle, size_t, size_t) override {}
  void handleEOF() override {}
};

/** Generalized filters (Flate, LZW, ASCII): a broken picture inside an image format is no error of the PDF. */
bool decodes(QPDFObjectHandle stream) {
  Pl_Discard nowhere;
  bool tried = false;
  bool decoded = stream.pipeStreamData(&nowhere, &tried, 0, qpdf_dl_generalized, false, false);
  return decoded || !tried;
}

bool reads_whole(QPDF &pdf) {
  for (auto &object : pdf.getAllObjects())
    if (object.isStream() && !(decodes(object) && checksum_agrees(object))) return false;
  ReadThrough callbacks;
  for (auto &page : QPDFPageDocumentHelper(pdf).getAllPages()) page.parseContents(&callbacks);
  return !pdf.anyWarnings();
}

} // namespace

int main() {
  if (!has_end(read_tail())) lock_answer(0);
  try {
    QPDF pdf;
    open_pdf(pdf);
    if (pdf.isEncrypted()) lock_fail();
    bool whole = reads_whole(pdf);
    refuse_encrypted(nullptr);
    lock_answer(whole);
  } catch (QPDFExc const &error) {
    refuse_encrypted(&error);
    refuse_system(&error);
    lock_answer(0);
  } catch (std::bad_alloc const &) {
    lock_fail();
  } catch (std::exception const &) {
    // libqpdf also throws plain runtime and logic errors on malformed input.
    refuse_encrypted(nullptr);
    lock_answer(0);
  }
}
