/* Debian's static libqpdf asks for gnutls, whose static form cannot be linked. Encryption is all it serves for, so
 * every entry refuses and remembers that it was called: a plugin then knows that the file is encrypted and says
 * "no answer" instead of guessing. Never linked into anything but the PDF plugins. */
#include "no-gnutls.h"

enum { GNUTLS_E_UNIMPLEMENTED_FEATURE = -1250 };

static int touched = 0;

int crypto_was_wanted(void) { return touched; }

static int refuse(void) {
  touched = 1;
  return GNUTLS_E_UNIMPLEMENTED_FEATURE;
}

int gnutls_hash_init(void *handle, int algorithm) { (void)handle; (void)algorithm; return refuse(); }
int gnutls_hash(void *handle, const void *text, unsigned long size) { (void)handle; (void)text; (void)size; return refuse(); }
void gnutls_hash_deinit(void *handle, void *digest) { (void)handle; (void)digest; (void)refuse(); }
int gnutls_cipher_init(void *handle, int cipher, const void *key, const void *iv) { (void)handle; (void)cipher; (void)key; (void)iv; return refuse(); }
unsigned long gnutls_cipher_get_key_size(int algorithm) { (void)algorithm; (void)refuse(); return 0; }
int gnutls_cipher_encrypt2(void *handle, const void *in, unsigned long in_size, void *out, unsigned long out_size) { (void)handle; (void)in; (void)in_size; (void)out; (void)out_size; return refuse(); }
int gnutls_cipher_decrypt2(void *handle, const void *in, unsigned long in_size, void *out, unsigned long out_size) { (void)handle; (void)in; (void)in_size; (void)out; (void)out_size; return refuse(); }
void gnutls_cipher_deinit(void *handle) { (void)handle; (void)refuse(); }
int gnutls_rnd(int level, void *data, unsigned long size) { (void)level; (void)data; (void)size; return refuse(); }
const char *gnutls_strerror(int error) { (void)error; return "no encryption here"; }
