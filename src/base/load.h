// A whole file in memory.
#ifndef STC_BASE_LOAD_H
#define STC_BASE_LOAD_H

#include "fail.h"

/// The bytes of a regular file and a 0 behind them, to be freed with stc_release; `what` it is
/// ("a scene") in the refusal of one longer than `most` bytes. A failure names the path.
stc_error stc_load(const char *path, const char *what, size_t most, char **bytes, size_t *length);

#endif
