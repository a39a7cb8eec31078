/* Did libqpdf ask for encryption since the program started? */
#ifdef __cplusplus
extern "C"
#endif
int crypto_was_wanted(void);
