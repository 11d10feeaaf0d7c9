// Exact numbers: vectors and matrices of rationals. Every double is a rational.
#ifndef STC_CERT_RATIONAL_H
#define STC_CERT_RATIONAL_H

#include "exact_number.h"

/// Numbers that live and die together: a vector of `count` zeros, and its end. Zero-initialise it.
#define STC_EXACT_VECTOR(vector, number)                                                           \
  typedef struct vector {                                                                          \
    size_t count;                                                                                  \
    number *at; /* [count] */                                                                      \
  } vector;                                                                                        \
  stc_error vector##_create(vector *x, size_t count);                                              \
  void vector##_free(vector *x)
STC_EXACT_VECTOR(stc_rationals, stc_q);
STC_EXACT_VECTOR(stc_integers, stc_z);

stc_error stc_rationals_copy(const stc_rationals *from, stc_rationals *to);
bool stc_rationals_equal(const stc_rationals *a, const stc_rationals *b);  ///< as many in both

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
