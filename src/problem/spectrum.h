// Rank and condition of W with the joints eliminated, by LAPACK on dense matrices.
#ifndef STC_PROBLEM_SPECTRUM_H
#define STC_PROBLEM_SPECTRUM_H

#include "problem_data.h"

/// Rank of W - V R^+ V^T and the ratio of its largest to its least non-zero singular value; NAN
/// where the matrix vanishes. `local` is in the local form.
stc_error stc_spectrum(const stc_problem *local, int *rank, double *condition);

#endif
