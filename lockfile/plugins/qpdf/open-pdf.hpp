// Opens fd 3 as a PDF the strict way: no recovery, no repair, nothing printed. Used by the three PDF plugins.
// Whoever calls it decides what an exception means; an encrypted file never gets past `refuse_encrypted`.
#pragma once
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFLogger.hh>
#include <cstdio>
extern "C" {
#include "no-gnutls.h"
}
#include "lock_plugin.h"

/** Throws QPDFExc where the file is no PDF that can be read as it stands. The QPDF stays usable afterwards. */
inline void open_pdf(QPDF &pdf) {
  FILE *file = fdopen(LOCK_FILE_FD, "rb");
  if (file == nullptr) lock_fail();
  pdf.setLogger(QPDFLogger::create());
  pdf.getLogger()->setError(pdf.getLogger()->discard());
  pdf.getLogger()->setWarn(pdf.getLogger()->discard());
  pdf.setSuppressWarnings(true);
  pdf.setAttemptRecovery(false);
  pdf.processFile("file", file, false);
}

/** After an exception: the file may be fine for who has its key, so there is no answer. */
inline void refuse_encrypted(QPDFExc const *error) {
  bool locked = error != nullptr &&
                (error->getErrorCode() == qpdf_e_password || error->getErrorCode() == qpdf_e_unsupported);
  if (locked || crypto_was_wanted()) lock_fail();
}

/** The world failed (memory, reading): not a fact about the file. */
inline void refuse_system(QPDFExc const *error) {
  if (error != nullptr && (error->getErrorCode() == qpdf_e_system || error->getErrorCode() == qpdf_e_internal)) lock_fail();
}
