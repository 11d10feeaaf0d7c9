// One linear step with contact, over the free unknowns:
//   K du = b + H^T r,   v = g + H du,   (v, r) obey the law of every candidate
// v = gap at the end of the step, then slip since its beginning; r in newtons, N, T1[, T2].
#ifndef STC_FEM_LINEAR_STEP_H
#define STC_FEM_LINEAR_STEP_H

#include <stiction/fem.h>

#include "../../linalg/sparse_solver.h"

typedef struct stc_linear_step {
  int dim;                        ///< rows per candidate
  int count;                      ///< candidates
  const stc_csr *K;               ///< [free x free], both triangles
  stc_sparse_solver *spd;         ///< K is factorised in it, or its hierarchy is made
  const stc_csr *H;               ///< [count*dim x free]
  const double *b;                ///< [free] what drives the bodies besides contact
  const double *g;                ///< [count*dim] gap and slip at du = 0
  const double *mu;               ///< [count]
  const double *area;             ///< [count] tributary; 0: has nothing opposite, never closes
  const int *slave;               ///< [count] mesh node of each candidate
  const stc_sparse_hints *hints;  ///< those of spd
  double tol;                     ///< relative residual of the linear solves
  bool (*progress)(void *user, const char *stage, double done);
  void *progress_user;
} stc_linear_step;

#endif
