// A small dense matrix inside an envelope, factorised in place: A = L D U with ones on the
// diagonals of L and U, and U = L^T where A is symmetric. No pivoting: every pivot of a matrix with
// a positive definite symmetric part is positive.
#ifndef STC_LINALG_ENVELOPE_H
#define STC_LINALG_ENVELOPE_H

#include <stdbool.h>

/// The largest matrix, and how many right-hand sides go side by side.
enum { STC_ENVELOPE_MAX = 64, STC_LANES = 4 };

/// Entry (i, j) lies inside where the larger of both is at most reach[the smaller].
typedef struct stc_envelope {
  int n;
  bool skew;   ///< not symmetric; else only the diagonal and what is below are looked at
  int *reach;  ///< [n]
  double *A;   ///< [n*n] by columns; factorised: 1/D on the diagonal, L below, U above if skew
} stc_envelope;

/// Makes room in the envelope for entry (i, j).
static inline void stc_envelope_reach(stc_envelope *e, int i, int j) {
  int low = i < j ? i : j, high = i < j ? j : i;
  if (e->reach[low] < high) e->reach[low] = high;
}

/// Returns the first row whose pivot vanishes or is negative, -1 if there is none. For a skew
/// matrix the pivots are those of its symmetric part.
int stc_envelope_factorise(stc_envelope *e);

/// x = A^-1 x; x [n], or [n][STC_LANES] for several vectors side by side, of which rows from
/// `first` on are asked for and those before are 0.
void stc_envelope_solve(const stc_envelope *e, double *x);
void stc_envelope_solve_lanes(const stc_envelope *e, int first, double *x);

/// inverse [n*n] = A^-1 by columns, symmetric bit for bit unless A is skew.
void stc_envelope_invert(const stc_envelope *e, double *inverse);

#endif
