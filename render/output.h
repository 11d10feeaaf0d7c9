// Files that are whole or not there, and the sentence that says why something could not be made.
#ifndef STC_RENDER_OUTPUT_H
#define STC_RENDER_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <stiction/base.h>

// Tables as CSV [RFC 4180].

/// Rows on their way out: {.out = file}.
typedef struct csv {
  FILE *out;
  bool inside;  ///< of a row: a cell stands before the next one
} csv;

/// A cell; in quotes where it must be, or where it would begin a comment.
void csv_text(csv *row, const char *text);
/// Cells with numbers that read back to the same doubles.
void csv_reals(csv *row, const double *value, int count);
void csv_end(csv *row);

/// Keeps a sentence for render_reason; always false.
bool render_fails(const char *format, ...) STC_PRINTF(1, 2);
/// The same with the sentence of the library's last error; true where there is none.
bool render_succeeds(stc_error error);
/// Why the last call of this thread that returned false failed.
const char *render_reason(void);

/// Fills a file; false: render_fails was told why, and nothing of it is kept. What could not be
/// written the stream knows.
typedef bool (*render_write)(FILE *out, const void *user);

/// A file that `write` fills, given its name once it is whole.
bool render_save(const char *path, render_write write, const void *user);

/// A directory that is there, or is made.
bool render_make_directory(const char *path);

#endif
