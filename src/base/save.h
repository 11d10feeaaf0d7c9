// A file written whole or not at all.
#ifndef STC_BASE_SAVE_H
#define STC_BASE_SAVE_H

#include "fail.h"

/// Writes the bytes next to `path`, makes sure they are on the disk, then gives them that name. On
/// failure whatever was at `path` is untouched and nothing is left behind. A symbolic link keeps
/// pointing at the file, a file that is replaced keeps its permissions.
stc_error stc_save(const char *path, const void *bytes, size_t count);

#endif
