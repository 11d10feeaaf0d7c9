// Exact numbers: vectors and matrices of rationals. Every double is a rational.
#ifndef STC_CERT_RATIONAL_H
#define STC_CERT_RATIONAL_H

#include "exact_number.h"

/// Numbers that live and die together. Zero-initialise it.
typedef struct stc_rationals {
  size_t count;
  stc_q *at;  ///< [count]
} stc_rationals;

/// `count` zeros.
stc_error stc_rationals_create(stc_rationals *x, size_t count);
void stc_rationals_free(stc_rationals *x);
stc_error stc_rationals_copy(const stc_rationals *from, stc_rationals *to);
bool stc_rationals_equal(const stc_rationals *a, const stc_rationals *b);  ///< as many in both

/// The same for integers.
typedef struct stc_integers {
  size_t count;
  stc_z *at;  ///< [count]
} stc_integers;

stc_error stc_integers_create(stc_integers *x, size_t count);
void stc_integers_free(stc_integers *x);

/// Vectors of a scope, freed when it ends.
#define STC_RATIONALS STC_RELEASED_BY(stc_rationals_free) stc_rationals
#define STC_INTEGERS  STC_RELEASED_BY(stc_integers_free) stc_integers

/// `count` zeros and the doubles from[k] at index[k] (k if index is NULL).
stc_error stc_rationals_from(stc_rationals *x, size_t count, const double *from, const int *index,
                             size_t entries);

/// sum += a b.
void stc_rational_fma(stc_q sum, const stc_q a, const stc_q b);
/// sum += a b for doubles.
void stc_rational_fma_d(stc_q sum, double a, const stc_q b);

/// Gauss-Jordan elimination of A [rows*n] by rows that skips zeros: its rank, or -1 where a scope
/// of base/stop.h ended. With B [rows*cols], or NULL, both are overwritten; where the rank of a
/// square A is n, B by the X of A X = B. is_pivot [n] or NULL: columns that those before do not
/// make up.
int stc_rational_eliminate(stc_rationals *A, int rows, int n, stc_rationals *B, int cols,
                           bool *is_pivot);

#endif
