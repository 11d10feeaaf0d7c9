// Vectors of three, padded to four numbers, for joints that only say that points meet. Vectors go
// by address: how they go by value is not settled between compilers.
#ifndef STC_DYNAMICS_COLUMNS_H
#define STC_DYNAMICS_COLUMNS_H

#include "../../base/variants.h"

enum { STC_COLUMN = 4 };  // [machine]

typedef double stc_column __attribute__((vector_size(STC_COLUMN * sizeof(double))));

/// Four doubles wherever they stand.
typedef struct stc_loose_column {
  stc_column x;
} __attribute__((packed, may_alias)) stc_loose_column;

STC_ALWAYS void stc_column_load(stc_column *c, const double *x) {
  *c = ((const stc_loose_column *)(const void *)x)->x;
}
STC_ALWAYS void stc_column_store(const stc_column *c, double *x) {
  ((stc_loose_column *)(void *)x)->x = *c;
}
/// x += c.
STC_ALWAYS void stc_column_add(const stc_column *c, double *x) {
  stc_column sum;
  stc_column_load(&sum, x);
  sum += *c;
  stc_column_store(&sum, x);
}

#define STC_COLUMN_NEXT(c) __builtin_shufflevector(c, c, 1, 2, 0, 3)
#define STC_COLUMN_LAST(c) __builtin_shufflevector(c, c, 2, 0, 1, 3)

STC_ALWAYS void stc_column_cross(const stc_column *a, const stc_column *b, stc_column *c) {
  *c = STC_COLUMN_NEXT(*a) * STC_COLUMN_LAST(*b) - STC_COLUMN_LAST(*a) * STC_COLUMN_NEXT(*b);
}

/// y = A x, A by columns.
STC_ALWAYS void stc_column_apply(const double *A, const double *x, stc_column *y) {
  stc_column a[3];
  for (int k = 0; k < 3; k++) stc_column_load(&a[k], A + STC_COLUMN * k);
  *y = a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
}

#endif
