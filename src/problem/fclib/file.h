// An FCLIB file open for reading: arrays by name, within limits.
#ifndef STC_PROBLEM_FILE_H
#define STC_PROBLEM_FILE_H

#include "h5.h"

typedef struct stc_fclib_file {
  stc_h5 h5;
  stc_arena arena;    ///< arrays that were read
  uint64_t budget;    ///< bytes that may still be read,
  uint64_t expanded;  ///< and those that may come of chunks and fill values
} stc_fclib_file;

/// Longest name of a dataset in an FCLIB file ("guesses/2147483647/r") and then some.
enum { STC_FCLIB_NAME = 64 };

stc_error stc_fclib_open(stc_fclib_file *file, const char *path);
void stc_fclib_close(stc_fclib_file *file);

/// Whether there is a group of this name.
stc_error stc_fclib_has_group(stc_fclib_file *file, const char *name, bool *has);

/// Number of elements of a dataset of numbers; -1 if there is no such dataset.
stc_error stc_fclib_length(stc_fclib_file *file, const char *name, long long *length);

/// The same for a dataset that must be there.
stc_error stc_fclib_need_length(stc_fclib_file *file, const char *name, long long *length);

/// One integer that fits an int.
stc_error stc_fclib_int(stc_fclib_file *file, const char *name, int *value);

/// The first `count` of the integers (reals) called `name`, which must be at least that many.
/// Arrays live as long as the file is open.
stc_error stc_fclib_ints(stc_fclib_file *file, const char *name, long long count, int **values);
stc_error stc_fclib_doubles(stc_fclib_file *file, const char *name, long long count,
                            double **values);

/// Whether all elements of a dataset that is there were written; others are the fill value.
stc_error stc_fclib_is_written(stc_fclib_file *file, const char *name, bool *is_written);

/// The reals called `name`, which must be exactly `count`.
stc_error stc_fclib_vector(stc_fclib_file *file, const char *name, long long count,
                           const double **values);

/// A text, terminated; NULL if there is none.
stc_error stc_fclib_text(stc_fclib_file *file, const char *name, char **text);

#endif
