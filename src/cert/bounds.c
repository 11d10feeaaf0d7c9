// What the bounds say about a solution at hand. With v - v_f = M^-1 H^T r the ball of diameter
// [v_f, v0] and the bound on the reactions are one inequality,
//   <v - v_f, v0 - v>_M = r.(u0 - u) >= t0 sum r_N.
#include "cert_data.h"

#include <math.h>
#include <string.h>

/// u [size] at the reactions r.
static stc_error velocity(const stc_problem *p, const double *r, double *own, double *u) {
  memcpy(own, r, (size_t)p->size * sizeof *r);
  return stc_problem_complete(p, &(stc_solution){.r = own, .u = u});
}

static bool inequality_holds(const stc_problem *p, double t0, const double *r, const double *u,
                             const double *u0, double tol) {
  double sum = 0, size = 0;
  for (int k = 0; k < p->size; k++) {
    sum += r[k] * (u0[k] - u[k]);
    size += fabs(r[k] * u0[k]) + fabs(r[k] * u[k]);
    if (k % p->dim == 0) sum -= t0 * r[k];
  }
  return sum >= -tol * size;
}

stc_error stc_bounds_check(const stc_bounds *bounds, const stc_problem *p, const double *r,
                           double tol, bool *hold) {
  STC_ARENA arena = {0};
  double *own = STC_TAKE(&arena, double, p->size), *u = STC_TAKE(&arena, double, p->size);
  double *u0 = STC_TAKE(&arena, double, p->size), sum = 0;
  *hold = false;
  STC_TRY(stc_arena_check(&arena));
  STC_TRY(velocity(p, r, own, u));
  STC_TRY(velocity(p, bounds->r, own, u0));
  for (int c = 0; c < p->contacts; c++) sum += r[c * p->dim];
  *hold =
      sum <= bounds->reaction_sum * (1 + tol) && inequality_holds(p, bounds->margin, r, u, u0, tol);
  return STC_OK;
}
