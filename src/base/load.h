// A whole file in memory.
#ifndef STC_BASE_LOAD_H
#define STC_BASE_LOAD_H

#include "fail.h"

/// The bytes of a regular file and a 0 behind them, to be freed with stc_release; `what` it is
/// ("a scene") in the refusal of one longer than `most` bytes. A failure names the path.
stc_error stc_load(const char *path, const char *what, size_t most, char **bytes, size_t *length);

/// The same of a file below a directory: `file` has neither '..' nor a '/' at its beginning, and no
/// part of it is a symbolic link, so that nothing outside can be read. `directory` "" is the
/// working directory. A failure names the file, and shows nothing of what is in it.
stc_error stc_load_below(const char *directory, const char *file, const char *what, size_t most,
                         char **bytes, size_t *length);

/// Bytes of the mark that some editors put before a text in UTF-8: 3 or 0.
size_t stc_text_mark(const void *bytes, size_t length);

#endif
