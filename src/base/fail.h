// How a function fails: a code and a sentence kept for this thread.
#ifndef STC_BASE_FAIL_H
#define STC_BASE_FAIL_H

#include <stiction/base.h>

/// There is no sentence any more.
void stc_fail_forget(void);

/// Stores the sentence and returns the code: `return stc_fail(STC_ERR_VALUE, "mu[%d] = %g", c,
/// mu);`
stc_error stc_fail(stc_error error, const char *format, ...) STC_PRINTF(2, 3);

/// Puts "prefix: " before the stored sentence, and returns `error`; for callers that know the file.
stc_error stc_fail_in(stc_error error, const char *prefix);

/// Returns from the calling function if `call` failed.
#define STC_TRY(call)                                                                              \
  do {                                                                                             \
    stc_error stc_try_error_ = (call);                                                             \
    if (stc_try_error_ != STC_OK) return stc_try_error_;                                           \
  } while (0)

#endif
