// As many entries of (y, kappa) as there are independent equations are solved for, the others stay
// at their rounded values. Elimination in floating point chooses the entries, elimination in
// integers, which divides exactly by the pivot before [Bareiss 1968], computes them.
#include "balance.h"

#include <math.h>
#include <string.h>

// A pivot below this, against 1 in its row, is what rounding leaves of zero.
static const double LEAST_PIVOT = 1e-9;

typedef struct balance {
  const stc_exact *e;
  stc_arena arena;
  int cols;        // entries of y and kappa
  double *A;       // [balances*cols] eliminated in floating point
  bool *used;      // [balances] rows that have a pivot
  bool *held;      // [cols] entries that are not solved for
  double *x;       // [cols] rounded
  int *row, *col;  // [rank] pivots
  int rank;
  stc_integers Z;  // [rank*(rank+1)] by rows, the right-hand side last
} balance;

// --- Which entries ---

/// Rows are brought to 1 first: their units differ.
static void load_balance(balance *b) {
  const stc_exact *e = b->e;
  memcpy(b->A, e->balance, (size_t)e->balances * (size_t)b->cols * sizeof *b->A);
  for (int i = 0; i < e->balances; i++) {
    double *row = b->A + (ptrdiff_t)i * b->cols, most = 0;
    for (int j = 0; j < b->cols; j++) most = fmax(most, fabs(row[j]));
    for (int j = 0; most > 0 && j < b->cols; j++) row[j] /= most;
  }
}

/// The largest entry of rows without a pivot, in the columns from `first` on that are not held.
static bool find_pivot(const balance *b, int first, int last, int *row, int *col) {
  double most = LEAST_PIVOT;
  for (int i = 0; i < b->e->balances; i++)
    for (int j = first; !b->used[i] && j < last; j++) {
      double a = b->held[j] ? 0 : fabs(b->A[(ptrdiff_t)i * b->cols + j]);
      if (a <= most) continue;
      most = a;
      *row = i;
      *col = j;
    }
  return most > LEAST_PIVOT;
}

/// Pivots in the columns from `first` to `last`.
static void choose(balance *b, int first, int last) {
  int row = 0, col = 0;
  while (find_pivot(b, first, last, &row, &col)) {
    b->used[row] = true;
    const double *from = b->A + (ptrdiff_t)row * b->cols;
    for (int i = 0; i < b->e->balances; i++) {
      double *to = b->A + (ptrdiff_t)i * b->cols, factor = to[col] / from[col];
      for (int j = 0; !b->used[i] && factor != 0 && j < b->cols; j++) to[j] -= factor * from[j];
    }
    b->held[col] = true;
    b->row[b->rank] = row;
    b->col[b->rank++] = col;
  }
}

// --- Their values ---

/// Row k of Z: the entries of the pivot columns, and minus what the other columns add up to.
static stc_error fill_row(balance *b, int k) {
  const double *A = b->e->balance + (ptrdiff_t)b->row[k] * b->cols;
  STC_RATIONALS row = {0};
  STC_Z factor = {0};
  STC_Q x = {0};
  STC_TRY(stc_rationals_create(&row, (size_t)b->rank + 1));
  for (int j = 0; j < b->cols; j++) {
    stc_q_set_d(x, -b->x[j]);
    stc_rational_fma_d(row.at[b->rank], A[j], x);
  }
  for (int l = 0; l < b->rank; l++) stc_q_set_d(row.at[l], A[b->col[l]]);
  stc_q_clear_denominators((const stc_q *)row.at, b->rank + 1, factor,
                           &b->Z.at[(ptrdiff_t)k * (b->rank + 1)]);
  return STC_OK;
}

static stc_z *entry_balance(const balance *b, int i, int j) {
  return &b->Z.at[(ptrdiff_t)i * (b->rank + 1) + j];
}

/// Gauss–Jordan: in the end every equation reads pivot x_k = Z_k,rank with the last pivot. False if
/// a pivot vanishes exactly.
static bool solve_balance(balance *b) {
  STC_Z one = {0};
  bool regular = true;
  stc_z_set_i(one, 1);
  for (int k = 0; regular && k < b->rank; k++) {
    regular = stc_z_sgn(*entry_balance(b, k, k)) != 0;
    if (regular) {
      // Every row but k: (Z_ij Z_kk - Z_ik Z_kj) / the pivot before.
      stc_z_srcptr before = k ? *entry_balance(b, k - 1, k - 1) : one;
      stc_z *pivot = entry_balance(b, k, k);
      for (int i = 0; i < b->rank; i++) {
        stc_z *across = entry_balance(b, i, k);
        if (i == k) continue;
        for (int j = k + 1; j <= b->rank; j++) {
          stc_z *a = entry_balance(b, i, j);
          stc_z_cross(*a, *pivot, *across, *entry_balance(b, k, j), before);
        }
      }
    }
  }
  return regular;
}

/// (y, kappa) as rationals.
static void read(const balance *b, stc_rationals *x) {
  for (int j = 0; j < b->cols; j++) stc_q_set_d(x->at[j], b->x[j]);
  for (int k = 0; k < b->rank; k++) {
    stc_q_ptr to = x->at[b->col[k]];
    stc_q_set_ratio(to, *entry_balance(b, k, b->rank), *entry_balance(b, b->rank - 1, b->rank - 1));
  }
}

/// Whether the equations without a pivot hold as well.
static bool rest_holds(const balance *b, const stc_rationals *x) {
  bool holds = true;
  STC_Q sum = {0};
  for (int i = 0; holds && i < b->e->balances; i++) {
    if (b->used[i]) continue;
    stc_q_set_i(sum, 0);
    for (int j = 0; j < b->cols; j++)
      stc_rational_fma_d(sum, b->e->balance[(ptrdiff_t)i * b->cols + j], x->at[j]);
    holds = stc_q_sgn(sum) == 0;
  }
  return holds;
}

// --- All of it ---

static stc_error prepare_balance(balance *b, const double *rounded, const bool *held) {
  const stc_exact *e = b->e;
  b->cols = e->size + e->kappas;
  b->A = STC_TAKE(&b->arena, double, (size_t)e->balances *(size_t)b->cols);
  b->used = STC_TAKE(&b->arena, bool, e->balances);
  b->held = STC_TAKE(&b->arena, bool, b->cols);
  b->x = STC_TAKE(&b->arena, double, b->cols);
  b->row = STC_TAKE(&b->arena, int, e->balances);
  b->col = STC_TAKE(&b->arena, int, e->balances);
  STC_TRY(stc_arena_check(&b->arena));
  memcpy(b->x, rounded, (size_t)e->size * sizeof *b->x);
  memcpy(b->held, held, (size_t)e->size * sizeof *b->held);
  load_balance(b);
  choose(b, e->size, b->cols);  // kappa has no rounded value
  choose(b, 0, e->size);
  for (int k = 0; k < b->rank; k++) b->x[b->col[k]] = 0;
  return stc_integers_create(&b->Z, (size_t)b->rank * ((size_t)b->rank + 1));
}

bool stc_balance(const stc_exact *e, const double *rounded, const bool *held, stc_rationals *y) {
  balance b = {.e = e};
  STC_RATIONALS x = {0};
  stc_error error = prepare_balance(&b, rounded, held);
  for (int k = 0; !error && k < b.rank; k++) error = fill_row(&b, k);
  if (!error) error = stc_rationals_create(&x, (size_t)b.cols);
  if (error) stc_fault_set(STC_FAULT_MEMORY);
  bool found = !error && b.rank > 0 && solve_balance(&b);
  if (found) read(&b, &x);
  found = found && rest_holds(&b, &x);
  for (int k = 0; found && k < e->size; k++) stc_q_swap(y->at[k], x.at[k]);
  stc_integers_free(&b.Z);
  stc_arena_free(&b.arena);
  return found;
}
