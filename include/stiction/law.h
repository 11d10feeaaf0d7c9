// What one contact obeys. A law is a cone K of admissible reactions r = (r_N, r_T) and the rule
//   K* ∋ u + s(u) e_N  ⟂  r ∈ K,        s(u) = shift (De Saxcé),  e_N = (1, 0[, 0]),
// for the relative velocity u = (u_N, u_T). Components are always in the order N, T1[, T2].
#ifndef STICTION_LAW_H
#define STICTION_LAW_H

#include <stiction/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { STC_MAX_DIM = 3 };

typedef enum stc_law_kind {
  STC_LAW_FRICTIONLESS,  ///< K = { r_N >= 0, r_T = 0 }
  STC_LAW_COULOMB,       ///< K = { |r_T| <= mu r_N }
  STC_LAW_ELLIPTIC       ///< K = { |(r_T1/mu1, r_T2/mu2)| <= r_N }, 3D only
} stc_law_kind;

typedef struct stc_law {
  stc_law_kind kind;
  int dim;       ///< 2 or 3
  double mu[2];  ///< coefficients along T1 and T2, >= 0; equal for STC_LAW_COULOMB
} stc_law;

/// What a contact does.
typedef enum stc_contact_state {
  STC_CONTACT_OPEN,     ///< r = 0, u_N >= 0
  STC_CONTACT_STICK,    ///< u = 0, r in K
  STC_CONTACT_SLIP,     ///< u_N = 0, u_T != 0, r on the boundary of K and opposed to u_T
  STC_CONTACT_VIOLATED  ///< none of these within the tolerance
} stc_contact_state;

STC_API stc_law stc_law_frictionless(int dim);
STC_API stc_law stc_law_coulomb(int dim, double mu);
STC_API stc_law stc_law_elliptic(double mu1, double mu2);

/// Refuses a dimension other than 2 or 3, a negative or infinite coefficient, an elliptic law in
/// 2D.
STC_API stc_error stc_law_check(const stc_law *law);

/// Name of a kind ("coulomb"), one line on what it is; NULL past the last.
STC_API const char *stc_law_name(int kind);
STC_API const char *stc_law_summary(int kind);
STC_API const char *stc_contact_state_name(stc_contact_state state);

/// y = Euclidean projection of x on K. x and y may be the same array.
STC_API void stc_law_project(const stc_law *law, const double *x, double *y);

/// s(u) >= 0: the support function of the section { r_T : (1, r_T) in K } at u_T.
STC_API double stc_law_shift(const stc_law *law, const double *u);

/// F = r - P_K( r - (u + s(u) e_N) / kappa ): zero exactly when (u, r) obeys the law; kappa > 0 in
/// 1/kg.
STC_API void stc_law_residual(const stc_law *law, double kappa, const double *r, const double *u,
                              double *F);

/// The Alart–Curnier function with x = r - (rho_N u_N, rho_T u_T):
///   F_N = r_N - max(x_N, 0),   F_T = r_T - projection of x_T on the section of K at max(x_N, 0),
/// and its generalised Jacobian A = dF/dr, B = dF/du, [dim*dim] each, by columns.
/// Zero exactly when (u, r) obeys the law, for any rho > 0.
STC_API stc_contact_state stc_law_jacobian(const stc_law *law, double rho_N, double rho_T,
                                           const double *r, const double *u, double *F, double *A,
                                           double *B);

/// One contact alone: finds r with u = W r + q and (u, r) obeying the law. W [dim*dim] by columns,
/// positive semi-definite, possibly singular; r holds the start on entry (any finite numbers) and
/// the answer on exit. Where several answers exist one near the start is preferred. r is always
/// finite; STC_CONTACT_VIOLATED says that no answer was found, r is then the best candidate.
STC_API stc_contact_state stc_law_solve(const stc_law *law, const double *W, const double *q,
                                        double *r);

/// What the pair (u, r) does. `tol` is a velocity; `kappa` (1/kg) turns reactions into velocities.
STC_API stc_contact_state stc_law_classify(const stc_law *law, double kappa, double tol,
                                           const double *u, const double *r);

#ifdef __cplusplus
}
#endif
#endif
