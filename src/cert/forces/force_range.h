// Reactions that leave every velocity as it is: H^T r' + G^T l' = H^T r + G^T l with each contact
// in the cone C of what it does: r' = 0 (open), K (stick), the ray opposed to the slip (slip).
#ifndef STC_CERT_FORCE_RANGE_H
#define STC_CERT_FORCE_RANGE_H

#include "../../problem/problem_data.h"

typedef struct stc_freedom {
  stc_arena arena;
  const stc_problem *problem;  ///< global form
  stc_contact_state *state;    ///< [contacts]
  double *direction;           ///< [2*contacts] unit D u_T of contacts that slip
  double *D;                   ///< [size] 1, mu1[, mu2]
  double *r;                   ///< [size] reactions in C
  double *b;                   ///< [dofs] H^T r
} stc_freedom;

/// y = the point of contact c's cone nearest to x; x and y may be the same.
void stc_freedom_project(const stc_freedom *freedom, int c, const double *x, double *y);

/// norm [size] = the reactions of least Euclidean norm.
stc_error stc_freedom_least_norm(const stc_freedom *freedom, double *norm);

#endif
