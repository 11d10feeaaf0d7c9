// A = L L^T column by column, the largest remaining diagonal entry first: column k is the column
// a - L L^T e_p of what remains over the root of its pivot, and the rank is reached when nothing
// remains   [Higham 1990, "Analysis of the Cholesky decomposition of a semi-definite matrix"].
#include "pivoted.h"

#include "../base/fail.h"

#include <float.h>
#include <math.h>

// 3000 rows take 72 MB and some ten seconds; both grow fast beyond.
enum { MOST_ROWS = 3000 };

// What may remain beside the pivots, against the largest entry: more says that A is indefinite.
static const double REMAINDER = 1e-10;

typedef struct work {
  const stc_csr *A;
  size_t n;
  double *L;  ///< [n * n], `rank` columns in use
  int rank;
  double *diagonal;  ///< [n] of what remains
  double *column;    ///< [n]
  bool *done;        ///< [n] was a pivot
} work;

/// column = (A - L L^T) e_p.
static void remaining_column(work *k, int p) {
  double *column = k->column;
  for (size_t i = 0; i < k->n; i++) column[i] = 0;
  for (int e = k->A->ptr[p]; e < k->A->ptr[p + 1]; e++) column[k->A->col[e]] = k->A->val[e];
  for (int j = 0; j < k->rank; j++) {
    const double *l = k->L + (size_t)j * k->n;
    if (l[p] == 0) continue;
    for (size_t i = 0; i < k->n; i++) column[i] -= l[p] * l[i];
  }
}

/// Row of the largest diagonal entry that is not a pivot yet; -1 if there is none.
static int next_pivot(const work *k) {
  int best = -1;
  for (int i = 0; i < k->A->rows; i++)
    if (!k->done[i] && (best < 0 || k->diagonal[i] > k->diagonal[best])) best = i;
  return best;
}

/// Makes a column of L from pivot p, unless rounding has left less of it than `floor`.
static void append_column(work *k, int p, double floor) {
  remaining_column(k, p);
  k->diagonal[p] = k->column[p];
  if (!(k->column[p] > floor)) return;
  double root = sqrt(k->column[p]), *l = k->L + (size_t)k->rank * k->n;
  k->done[p] = true;
  for (size_t i = 0; i < k->n; i++) {
    bool earlier = k->done[i] && i != (size_t)p;
    l[i] = earlier ? 0 : k->column[i] / root;
    k->diagonal[i] -= l[i] * l[i];
  }
  k->rank++;
}

static void factorise_pivoted(work *k) {
  double largest = 0;
  for (int i = 0; i < k->A->rows; i++) {
    k->diagonal[i] = stc_csr_entry(k->A, i, i);
    largest = fmax(largest, k->diagonal[i]);
  }
  double floor = (double)k->n * DBL_EPSILON * largest;
  for (int p = next_pivot(k); p >= 0 && k->diagonal[p] > floor; p = next_pivot(k))
    append_column(k, p, floor);
}

stc_error stc_pivoted_cholesky(stc_arena *arena, const char *name, const stc_csr *A, int *rank,
                               double **L) {
  if (A->rows > MOST_ROWS)
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "%s has %d rows; its dense factor is made up to %d rows: keep the local form",
                    name, A->rows, MOST_ROWS);
  work k = {.A = A, .n = (size_t)A->rows};
  k.L = STC_TAKE(arena, double, k.n *k.n);
  k.diagonal = STC_TAKE(arena, double, k.n);
  k.column = STC_TAKE(arena, double, k.n);
  k.done = STC_TAKE(arena, bool, k.n);
  STC_TRY(stc_arena_check(arena));
  factorise_pivoted(&k);
  // Nothing remains beside the pivots.
  double most = REMAINDER * stc_csr_largest(k.A);
  for (int p = 0; p < k.A->rows; p++) {
    if (k.done[p]) continue;
    remaining_column(&k, p);
    for (int i = 0; i < k.A->rows; i++)
      if (!k.done[i] && fabs(k.column[i]) > most)
        return stc_fail(STC_ERR_NUMERIC,
                        "%s is not positive semi-definite: %g remains at (%d, %d) after %d pivots; "
                        "a global form needs %s = H H^T",
                        name, k.column[i], i, p, k.rank, name);
  }
  *rank = k.rank;
  *L = k.L;
  return STC_OK;
}
