// What a law supplies: one row of the table in law.c. A new law is one file with such a row, one
// name in stc_law_kind and one line in the table.
#ifndef STC_LAW_OPS_H
#define STC_LAW_OPS_H

#include <stiction/law.h>

#include <math.h>

/// The projection y of x_T on the section { y_T : (R, y_T) in K }, R > 0, and its derivatives.
typedef struct stc_section {
  double y[2];
  double dx[4];  ///< dy/dx_T by columns, [2*2]; the second row and column are unused in 2D
  double dR[2];  ///< dy/dR
  bool inside;   ///< x_T belongs to the section
} stc_section;

typedef struct stc_law_ops {
  const char *name;
  const char *summary;
  stc_error (*check)(const stc_law *law);
  void (*project)(const stc_law *law, const double *x, double *y);
  double (*shift)(const stc_law *law, const double *u);
  void (*section)(const stc_law *law, double R, const double *x, stc_section *s);
  stc_contact_state (*solve)(const stc_law *law, const double *W, const double *q, double *r);
} stc_law_ops;

extern const stc_law_ops stc_frictionless_ops;
extern const stc_law_ops stc_coulomb_ops;
extern const stc_law_ops stc_elliptic_ops;

/// The coefficient the formulas work with: 0 below 1e-50 and 1e50 above that, so that squares and
/// quotients of coefficients stay far from the ends of the number range.
static inline double stc_law_mu(const stc_law *law, int k) {
  const double least = 1e-50, most = 1e50;
  return law->mu[k] < least ? 0.0 : fmin(law->mu[k], most);
}

/// The power of two just below the largest |x_k|; 1 if all are zero. Dividing by it is exact.
static inline double stc_law_unit(const double *x, int n) {
  double size = 0.0;
  for (int k = 0; k < n; k++) size = fmax(size, fabs(x[k]));
  return size > 0.0 && isfinite(size) ? ldexp(1.0, ilogb(size)) : 1.0;
}

/// y = projection of x on { |y_T| <= mu y_N }.
void stc_circular_project(int dim, double mu, const double *x, double *y);

/// Projection on a disc (3D) or segment (2D) of radius mu R, and its derivatives.
void stc_circular_section(int dim, double mu, double R, const double *x, stc_section *s);

/// stc_law_solve for every law whose cone becomes { |r_T| <= r_N } after r_T = D r'_T.
stc_contact_state stc_cone_law_solve(const stc_law *law, const double *W, const double *q,
                                     double *r);

#endif
