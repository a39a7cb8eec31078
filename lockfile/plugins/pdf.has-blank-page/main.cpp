// pdf.has-blank-page: every page's content, its forms and its annotations' appearances are run through PaintScan.
// Damaged, encrypted or unclear content is no answer: a page that had to be repaired might have lost what it painted.
#include "open-pdf.hpp"
#include "paint-scan.hpp"
#include "pdf-tail.hpp"
#include <qpdf/QPDFAnnotationObjectHelper.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>

namespace {

constexpr int HIDDEN = 2, NO_VIEW = 32;

/** An annotation paints through its appearance; one without is drawn by the viewer, links and form fields aside. */
bool annotation_paints(QPDFAnnotationObjectHelper annotation, Box const &page) {
  std::string kind = annotation.getSubtype();
  if ((annotation.getFlags() & (HIDDEN | NO_VIEW)) != 0 || kind == "/Popup") return false;
  QPDFObjectHandle appearance = annotation.getAppearanceStream("/N");
  if (!appearance.isStream()) return kind != "/Link" && kind != "/Widget";
  return form_paints(appearance, page);
}

bool page_paints(QPDFPageObjectHelper page) {
  Box box = box_of(page.getCropBox());
  PaintScan scan(page.getAttribute("/Resources", false), box);
  page.parseContents(&scan);
  if (scan.paints()) return true;
  for (auto &annotation : page.getAnnotations())
    if (annotation_paints(annotation, box)) return true;
  return false;
}

} // namespace

int main() {
  // Without its end the library would answer for an earlier revision.
  if (!has_end(read_tail())) lock_fail();
  try {
    QPDF pdf;
    open_pdf(pdf);
    if (pdf.isEncrypted()) lock_fail();
    bool blank = false;
    for (auto &page : QPDFPageDocumentHelper(pdf).getAllPages())
      if (!page_paints(page)) blank = true;
    if (pdf.anyWarnings()) lock_fail();
    lock_answer(blank);
  } catch (std::exception const &) {
    lock_fail();
  }
}
