// Whether a symmetric matrix is positive semi-definite, without a doubt.
#ifndef STC_CERT_DEFINITE_H
#define STC_CERT_DEFINITE_H

#include "rational.h"

#include "../../linalg/csr.h"

/// The least slack that could be proved: A + *slack diag(A) is positive semi-definite, where A is
/// the symmetric part of the matrix given. 0: A itself is; INFINITY: nothing could be proved.
/// *regular: A is positive definite. First in floating point with a bound on its rounding; where
/// that does not do, small blocks by elimination in rational numbers.
stc_error stc_definite_slack(const stc_csr *A, double *slack, bool *regular);

#endif
