// Random small problems, degenerate on purpose: no friction and much of it, W of low rank, rounded
// to single precision or to a few digits, asymmetric; contacts repeated, contacts that nothing
// moves; joints, redundant ones too; masses from 1e-6 to 1e6, units of 1e-9 and 1e9. In space they
// are the same plane problems with a second tangent in which nothing happens, the frame turned by
// an angle with exact sine and cosine: a problem in space has a solution where that of the plane
// has one.
#ifndef ORACLE_SAMPLE_H
#define ORACLE_SAMPLE_H

#include "exact2d.h"

#include <stiction/problem.h>

#include <stdint.h>

typedef struct sample {
  exact2d_data data;  ///< the plane problem
  int rotation;       ///< which frame in space
} sample;

/// The sample with this number: the same everywhere.
sample sample_draw(uint64_t number);

/// The problem in the plane (dim = 2) or in space (3); NULL where the library refuses its data.
stc_problem *sample_problem(const sample *s, int dim);

/// The plane problem that has a solution where that of `sample_problem` has one.
exact2d_data sample_plane(const sample *s, int dim);

#endif
