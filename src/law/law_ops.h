// What a law supplies, and the list of laws.
#ifndef STC_LAW_OPS_H
#define STC_LAW_OPS_H

#include <stiction/law.h>

#include <math.h>

enum { STC_TANGENTS = STC_MAX_DIM - 1 };

/// The projection y of x_T on the section { y_T : (R, y_T) in K }, R > 0, and its derivatives. Rows
/// and columns past the dimension of the law are zero.
typedef struct stc_section {
  double y[STC_TANGENTS];
  double dx[STC_TANGENTS * STC_TANGENTS];  ///< dy/dx_T by columns
  double dR[STC_TANGENTS];                 ///< dy/dR
  bool inside;                             ///< x_T belongs to the section
} stc_section;

typedef struct stc_law_ops {
  const char *name;
  const char *summary;
  int dims[2];  ///< the dimensions it has; twice the same where there is one
  stc_error (*check)(const stc_law *law);  ///< beyond dimension and mu; NULL: nothing
  void (*project)(const stc_law *law, const double *x, double *y);
  /// and its derivatives by u_T, slope [dim-1], some of them where there is a kink; NULL: not
  /// wanted
  double (*shift)(const stc_law *law, const double *u, double *slope);
  void (*section)(const stc_law *law, double R, const double *x, stc_section *s);
  stc_contact_state (*solve)(const stc_law *law, const double *W, const double *q, double *r);
} stc_law_ops;

/// The row of a law, at the end of its file: project_NAME, shift_NAME and section_NAME are its own.
#define STC_LAW_OPS(law, dim, other_dim, check, solve, summary)                                    \
  const stc_law_ops stc_##law##_ops = {#law,          summary,     {dim, other_dim}, check,        \
                                       project_##law, shift_##law, section_##law,    solve};

/// LAW(kind, name): the kind STC_LAW_... and its row stc_..._ops.
#define STC_LAWS(LAW)                                                                              \
  LAW(FRICTIONLESS, frictionless)                                                                  \
  LAW(COULOMB, coulomb)                                                                            \
  LAW(ELLIPTIC, elliptic)                                                                          \
  LAW(CONTENSOU, contensou)                                                                        \
  LAW(ROLLING, rolling)                                                                            \
  LAW(SECTION, section)

#define STC_LAW_ROW(kind, name) extern const stc_law_ops stc_##name##_ops;
STC_LAWS(STC_LAW_ROW)
#undef STC_LAW_ROW

/// A coefficient or length as the formulas work with it: 0 below 1e-50 and 1e50 above that, so that
/// squares and quotients stay far from the ends of the number range.
static inline double stc_law_moderate(double x) {
  const double least = 1e-50, most = 1e50;
  return x < least ? 0.0 : fmin(x, most);
}

static inline double stc_law_mu(const stc_law *law, int k) { return stc_law_moderate(law->mu[k]); }

/// The power of two just below the largest |x_k|; 1 if all are zero. Dividing by it is exact.
static inline double stc_law_unit(const double *x, int n) {
  double size = 0.0;
  for (int k = 0; k < n; k++) size = fmax(size, fabs(x[k]));
  return size > 0.0 && isfinite(size) ? ldexp(1.0, ilogb(size)) : 1.0;
}

/// c |x| for the n components of x, and its derivatives by x, 0 where x is.
static inline double stc_law_norm(double c, int n, const double *x, double *slope) {
  double length = n == 2 ? hypot(x[0], x[1]) : fabs(x[0]);
  for (int k = 0; slope && k < n; k++) slope[k] = length > 0.0 ? c * (x[k] / length) : 0.0;
  return c * length;
}

/// Refuses two coefficients where the law has one; `remedy` says what to do.
stc_error stc_law_check_one_mu(const stc_law *law, const char *remedy);

/// y = projection of x on { |y_T| <= mu y_N }.
void stc_circular_project(int dim, double mu, const double *x, double *y);

/// Projection on a disc (3D) or segment (2D) of radius mu R, and its derivatives.
void stc_circular_section(int dim, double mu, double R, const double *x, stc_section *s);

/// stc_law_solve for any law whose cone becomes { |r_T| <= r_N } after r_T = D r'_T.
stc_contact_state stc_cone_law_solve(const stc_law *law, const double *W, const double *q,
                                     double *r);

/// stc_law_solve for any other law, from its sections alone.
stc_contact_state stc_section_law_solve(const stc_law *law, const double *W, const double *q,
                                        double *r);

/// The part of stc_law_solve around a solver: refuses numbers that are not finite and says what the
/// contact does. `solve` replaces r [dim] by an answer and returns whether it is one.
typedef bool stc_law_solver(const stc_law *law, const double *W, const double *q, double *r);
stc_contact_state stc_law_solve_safely(stc_law_solver *solve, const stc_law *law, const double *W,
                                       const double *q, double *r);

#endif
