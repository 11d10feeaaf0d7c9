// Tables as CSV [RFC 4180].
#ifndef STC_RENDER_CSV_H
#define STC_RENDER_CSV_H

#include <stdbool.h>
#include <stdio.h>

/// Rows on their way out: {.out = file}.
typedef struct csv {
  FILE *out;
  bool inside;  ///< of a row: a cell stands before the next one
} csv;

/// A cell; in quotes where it must be, or where it would begin a comment.
void csv_text(csv *row, const char *text);
/// Cells with numbers that read back to the same doubles.
void csv_reals(csv *row, const double *value, int count);
/// A cell with a number of so many digits; empty for NaN.
void csv_real(csv *row, double value, int digits);
void csv_end(csv *row);

#endif
