// What a sparse solver supplies: one row of the table in sparse_solver.c.
#ifndef STC_LINALG_ENGINE_H
#define STC_LINALG_ENGINE_H

#include "../sparse_solver.h"
#include "bmat.h"

typedef struct stc_engine {
  const char *name;
  bool direct;  ///< solves with a factor: sparse_solver.c refines the answers

  /// *state is what the others take; `free` is called for it even where this fails.
  stc_error (*analyse)(const stc_csr *A, const stc_sparse_hints *hints, const stc_crew *crew,
                       void **state);
  void (*free)(void *state);

  /// *bad is the row at which A is not positive definite, otherwise -1. `refresh` may keep what
  /// depends little on the values; NULL: `factorise` does it.
  stc_error (*factorise)(void *state, const double *val, int *bad);
  stc_error (*refresh)(void *state, const double *val, int *bad);

  /// x = A^-1 b for `count` columns. A direct engine ignores tol, report and bad, and takes b and x
  /// that are the same array; another one adds to the report.
  stc_error (*solve)(void *state, int count, const double *b, double *x, double tol,
                     stc_sparse_report *report, int *bad);

  double (*work)(const void *state);   ///< operations of `factorise`, predicted
  double (*bytes)(const void *state);  ///< of what `factorise` makes
} stc_engine;

#define STC_ENGINE_ROW(kind, name) extern const stc_engine stc_##name##_engine;
STC_ENGINES(STC_ENGINE_ROW)
#undef STC_ENGINE_ROW

/// STC_ENGINE_IS(name, .name = "...", .analyse = ..., ...): the row.
#define STC_ENGINE_IS(name, ...) const stc_engine stc_##name##_engine = {__VA_ARGS__}

#endif
