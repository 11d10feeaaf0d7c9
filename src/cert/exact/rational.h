// Exact numbers: vectors and matrices of rationals. Every double is a rational.
#ifndef STC_CERT_RATIONAL_H
#define STC_CERT_RATIONAL_H

#include "exact_number.h"

#include "../../base/memory.h"

/// Numbers that live and die together. Zero-initialise it.
typedef struct stc_rationals {
  size_t count;
  stc_q *at;  ///< [count]
} stc_rationals;

/// `count` zeros.
stc_error stc_rationals_create(stc_rationals *x, size_t count);
void stc_rationals_free(stc_rationals *x);
stc_error stc_rationals_copy(const stc_rationals *from, stc_rationals *to);

/// The same for integers.
typedef struct stc_integers {
  size_t count;
  stc_z *at;  ///< [count]
} stc_integers;

stc_error stc_integers_create(stc_integers *x, size_t count);
void stc_integers_free(stc_integers *x);

/// `count` zeros and the doubles from[k] at index[k] (k if index is NULL).
stc_error stc_rationals_from(stc_rationals *x, size_t count, const double *from, const int *index,
                             size_t entries);

/// sum += a b.
void stc_rational_fma(stc_q sum, const stc_q a, const stc_q b);
/// sum += a b for doubles.
void stc_rational_fma_d(stc_q sum, double a, const stc_q b);

/// Solves K X = B by Gauss–Jordan elimination that skips zeros: K [n*n] and B [n*cols] by rows,
/// both overwritten, B by X. *rank < n where K is singular; B is meaningless then. Gives up with
/// rank = -1 once stc_clock passes `deadline`.
stc_error stc_rational_solve(stc_rationals *K, stc_rationals *B, int n, int cols, double deadline,
                             int *rank);

/// Rank of A [rows*cols] by rows; overwrites it. -1 once stc_clock passes `deadline`.
int stc_rational_rank(stc_rationals *A, int rows, int cols, double deadline);

#endif
