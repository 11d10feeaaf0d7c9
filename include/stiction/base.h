// Base: errors with a sentence, the log hook, the version. Every other header includes this one.
#ifndef STICTION_BASE_H
#define STICTION_BASE_H

#include <stdbool.h>
#include <stddef.h>

#define STC_VERSION_MAJOR 0
#define STC_VERSION_MINOR 1
#define STC_VERSION_PATCH 0

#if defined(__GNUC__)
#define STC_API                 __attribute__((visibility("default")))
#define STC_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define STC_API
#define STC_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Why a call failed. Not converging is not an error: see stc_status in solve.h.
#define STC_ERRORS(X)                                                                              \
  X(STC_OK, "no error")                                                                            \
  X(STC_ERR_ARGUMENT, "wrong argument")                                                            \
  X(STC_ERR_DIMENSION, "sizes do not fit")                                                         \
  X(STC_ERR_VALUE, "a number is out of its range")                                                 \
  X(STC_ERR_MEMORY, "out of memory")                                                               \
  X(STC_ERR_FILE, "file cannot be opened, read or written")                                        \
  X(STC_ERR_FORMAT, "file is not in the expected format")                                          \
  X(STC_ERR_UNSUPPORTED, "not supported")                                                          \
  X(STC_ERR_NUMERIC, "a factorisation broke down")                                                 \
  X(STC_ERR_CALLBACK, "a callback stopped the run")

#define STC_ERROR_ENUM(code, text) code,
typedef enum stc_error { STC_ERRORS(STC_ERROR_ENUM) STC_ERROR_COUNT } stc_error;
#undef STC_ERROR_ENUM

/// The kind of error in a few words.
STC_API const char *stc_error_text(stc_error error);

/// The sentence of the last error on this thread: names the file, the entry and the remedy.
STC_API const char *stc_error_detail(void);

/// Name k of a list; NULL past the last.
typedef const char *(*stc_name_fn)(const void *user, int k);

/// The name of the list that `word` is most likely meant to be; NULL if none is near.
STC_API const char *stc_nearest_name(const char *word, stc_name_fn name, const void *user);

/// "major.minor.patch" of the library that is linked.
STC_API const char *stc_version(void);

typedef enum stc_log_level { STC_LOG_DEBUG, STC_LOG_INFO, STC_LOG_WARNING } stc_log_level;

/// Receives what the library has to say; it never prints. `message` is valid during the call only.
typedef void (*stc_log_fn)(void *user, stc_log_level level, const char *message);

#ifdef __cplusplus
}
#endif
#endif
