// Frictionless contact: K = { r_N >= 0, r_T = 0 }, shift s(u) = 0.
#include "../base/fail.h"
#include "law_ops.h"

static stc_error check_frictionless(const stc_law *law) {
  if (law->mu[0] != 0.0 || (law->dim == 3 && law->mu[1] != 0.0))
    return stc_fail(STC_ERR_VALUE, "frictionless law with mu = %g: use the coulomb law",
                    law->mu[0]);
  return STC_OK;
}

static void project_frictionless(const stc_law *law, const double *x, double *y) {
  y[0] = fmax(x[0], 0.0);
  for (int k = 1; k < law->dim; k++) y[k] = 0.0;
}

static double shift_frictionless(const stc_law *law, const double *u, double *slope) {
  return stc_law_norm(0.0, law->dim - 1, u + 1, slope);
}

static void section_frictionless(const stc_law *law, double R, const double *x, stc_section *s) {
  stc_circular_section(law->dim, 0.0, R, x, s);
}

STC_LAW_OPS(frictionless, 2, 3, check_frictionless, stc_cone_law_solve,
            "unilateral contact without friction")
