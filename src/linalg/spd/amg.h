// Conjugate gradients preconditioned by smoothed aggregation, for matrices whose near-null vectors
// (rigid motions) are known   [Vanek, Mandel and Brezina 1996].
#ifndef STC_LINALG_AMG_H
#define STC_LINALG_AMG_H

#include "../spd.h"
#include "bmat.h"

typedef struct stc_amg stc_amg;

/// Gathers unknowns into nodes; the pattern of A must outlive the result, and so must the modes.
stc_error stc_amg_create(const stc_csr *A, const stc_spd_hints *hints, const stc_crew *crew,
                         stc_amg **amg);
void stc_amg_free(stc_amg **amg);

/// The hierarchy for the values val [entries of A]. STC_ERR_NUMERIC where a diagonal entry is not
/// positive; *bad is then the row, otherwise -1.
stc_error stc_amg_setup(stc_amg *amg, const double *val, int *bad);

/// Takes new values into the first level; the others stay.
stc_error stc_amg_refresh(stc_amg *amg, const double *val, int *bad);

/// Improves x until |b - A x| <= tol |b|, or rounding or the number of iterations ends it.
/// STC_ERR_NUMERIC where a direction of no or negative energy shows that A is not positive
/// definite.
stc_error stc_amg_solve(stc_amg *amg, const double *b, double *x, double tol,
                        stc_spd_report *report, int *bad);

double stc_amg_bytes(const stc_amg *amg);

#endif
