// The central path of the Coulomb problem, for the interior-point method and its continuation.
// In hat variables z = D^-1 r, y = D u + |D u_T| e_N, D = diag(1, mu1[, mu2]), both in the Lorentz
// cone:
//   F1 = y - theta |y_T| e_N - D (W D z + q) = 0,   z o y = tau e,   tau -> 0.
// theta = 1 is Coulomb's law; theta = 0 is the associated law, a convex problem.
// With G = dF1/dy and S = N^2 the Newton system is (W + D^-1 G S D^-1) dr = ..., the pattern of
// every other method. A component with D = 0 (no friction along it) stays out: z = y = 0 there.
#ifndef STC_SOLVE_CENTRAL_H
#define STC_SOLVE_CENTRAL_H

#include "../../linalg/lorentz.h"
#include "../method.h"

/// Vectors have three components per contact, whatever the dimension: [3*contacts].
typedef struct stc_central {
  const stc_reduced *problem;
  stc_jacobian *jacobian;
  stc_scaling *scaling;   ///< [contacts] of the last factorisation
  double *D;              ///< 1, mu1, mu2; 0 where a component is absent
  double *z, *y;          ///< the point
  double *F1;             ///< residual of the point
  double *x;              ///< right-hand side of the second equation, overwritten by solve
  double *rho;            ///< right-hand side of the first
  double *F, *dr;         ///< [size]
  double mean_W, mean_q;  ///< scales of y / z and of y
  double theta;           ///< weight of the De Saxcé term, 1 unless set
  double *share;          ///< [contacts] of its derivative in the Newton system, 1 unless set
  double ridge;           ///< set by the method: added to G S, in units of mean_W
  double accuracy;        ///< set by the method: of the linear solutions
} stc_central;

stc_error stc_central_create(stc_solver *solver, stc_arena *arena, stc_central *central);

/// Takes the numbers of the problem (q, mu); first thing when a method starts.
void stc_central_refresh(stc_central *central);

/// r = D z.
void stc_central_reactions(const stc_central *central, const double *z, double *r);

/// F1 at (z, y) given u = W D z + q.
void stc_central_residual(const stc_central *central, const double *y, const double *u, double *F1);

/// Scales and factorises at the point.
void stc_central_factorise(stc_central *central);

/// Steps with G dy - D W D dz = rho and lambda o (N dz + N^-1 dy) = x.
void stc_central_solve(stc_central *central, double *dz, double *dy);

/// tau = z.y / contacts.
double stc_central_gap(const stc_central *central);

/// Largest of 1/least and greatest eigenvalue of lambda o lambda / tau; INFINITY outside the cones.
/// Of one contact, and the largest of all.
double stc_central_off(const double *z, const double *y, double tau);
double stc_central_spread(const stc_central *central, double tau);

#endif
