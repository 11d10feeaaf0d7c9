// A region of a problem: the contacts at which most of the residual sits, and those around them.
#ifndef STC_SOLVE_REGION_H
#define STC_SOLVE_REGION_H

#include "../method.h"

/// Which contacts: those that hold `share` of the sum of squares that eta is made of, and `rings`
/// of neighbours; a region of more than `most` of all contacts is none.
typedef struct stc_region {
  double share, most;
  int rings;
} stc_region;

/// Solves the region of solver->r (judged, with its u) by itself, with the reactions around it
/// held,
///   u_P = W_PP r_P + (q + W_PR r_R),   the laws of P,
/// by `auto` for at most `limit` iterations, and puts its reactions into solver->r.
/// *contacts: those of the region; 0: there is none, and r is as before.
stc_error stc_region_solve(stc_solver *solver, const stc_region *region, long limit, int *contacts);

#endif
