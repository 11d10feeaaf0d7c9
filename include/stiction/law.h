// What one contact obeys. A law is a cone K of admissible reactions r = (r_N, r_T) and the rule
//   K* ∋ u + s(u) e_N  ⟂  r ∈ K,        s(u) = shift (De Saxcé),  e_N = (1, 0, ...),
// for the relative velocity u = (u_N, u_T). Components are always in the order N, T1[, T2], then
// the spin or the rolling of the contact where the law has them: u in rad/s, r in N m s.
#ifndef STICTION_LAW_H
#define STICTION_LAW_H

#include <stiction/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { STC_MAX_DIM = 5 };

typedef enum stc_law_kind {
  STC_LAW_FRICTIONLESS,  ///< K = { r_N >= 0, r_T = 0 }
  STC_LAW_COULOMB,       ///< K = { |r_T| <= mu r_N }
  STC_LAW_ELLIPTIC,      ///< K = { |(r_T1/mu1, r_T2/mu2)| <= r_N }, 3D only
  STC_LAW_CONTENSOU,     ///< N, T1, T2, spin: K = { (r_T, r_S / radius) in mu r_N C }, C of
                         ///< stc_contensou
  STC_LAW_ROLLING,       ///< N, T1, T2, R1, R2, or N, T, R in the plane:
                         ///< K = { |r_T| <= mu r_N, |r_R| <= length r_N }
  STC_LAW_SECTION,       ///< K = { r_T in mu r_N S }, S any closed convex set that holds 0
} stc_law_kind;

/// A closed convex set S that holds 0: what r_T / r_N may be. It never changes; any number of laws
/// may point to it, which does not make them its owners.
typedef struct stc_cone_section stc_cone_section;

typedef struct stc_law {
  stc_law_kind kind;
  int dim;        ///< 2 or 3; contensou 4; rolling 3 (in the plane) or 5
  double mu[2];   ///< coefficients along T1 and T2, >= 0; equal but for STC_LAW_ELLIPTIC; what S
                  ///< is multiplied by
  double radius;  ///< of the patch, m, for STC_LAW_CONTENSOU; 0: a point, r_S = 0
  double length;  ///< of rolling resistance, m, for STC_LAW_ROLLING
  const stc_cone_section *section;  ///< S, for STC_LAW_SECTION; outlives whatever uses the law
  double dilatancy;  ///< 0 (friction) to 1 (associated): what slips parts with u_N = dilatancy
                     ///< times the power that friction takes for each unit of r_N
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
STC_API stc_law stc_law_contensou(double mu, double radius);
STC_API stc_law stc_law_rolling(int dim, double mu, double length);
STC_API stc_law stc_law_section(const stc_cone_section *section);

/// The same law with another coefficient: mu along T1; an elliptic law keeps its ratio mu1 : mu2
/// (mu along T2 where mu1 = 0), a frictionless law stays what it is, lengths stay.
STC_API stc_law stc_law_with_mu(const stc_law *law, double mu);

/// Refuses a dimension the law does not have, a negative or infinite coefficient or length.
STC_API stc_error stc_law_check(const stc_law *law);

/// Name of a kind ("coulomb"), one line on what it is; NULL past the last.
STC_API const char *stc_law_name(int kind);
STC_API const char *stc_law_summary(int kind);
STC_API const char *stc_contact_state_name(stc_contact_state state);

/// y = Euclidean projection of x on K. x and y may be the same array.
STC_API void stc_law_project(const stc_law *law, const double *x, double *y);

/// s(u) >= 0: 1 - dilatancy times the support function of the section { r_T : (1, r_T) in K } at
/// -u_T.
STC_API double stc_law_shift(const stc_law *law, const double *u);

/// F = r - P_K( r - (u + s(u) e_N) / kappa ): zero exactly when (u, r) obeys the law; kappa > 0 in
/// 1/kg.
STC_API void stc_law_residual(const stc_law *law, double kappa, const double *r, const double *u,
                              double *F);

/// The Alart–Curnier function with x = r - (rho_N u_N, rho_T u_T):
///   F_N = r_N - max(x_N, 0),   F_T = r_T - projection of x_T on the section of K at max(x_N, 0),
/// (u_N less dilatancy times the support function) and its generalised Jacobian A = dF/dr, B =
/// dF/du, [dim*dim] each, by columns. Zero exactly when (u, r) obeys the law, for any rho > 0.
STC_API stc_contact_state stc_law_jacobian(const stc_law *law, double rho_N, double rho_T,
                                           const double *r, const double *u, double *F, double *A,
                                           double *B);

/// One contact alone: finds r with u = W r + q and (u, r) obeying the law. W [dim*dim] by columns,
/// positive semi-definite, possibly singular; r holds the start on entry (any finite numbers) and
/// the answer on exit. Where several answers exist one near the start is preferred (r = 0 where
/// q_N >= 0 for laws with spin or rolling). r is always finite; STC_CONTACT_VIOLATED says that no
/// answer was found, r is then the best candidate.
STC_API stc_contact_state stc_law_solve(const stc_law *law, const double *W, const double *q,
                                        double *r);

/// What the pair (u, r) does. `tol` is a velocity; `kappa` (1/kg) turns reactions into velocities.
STC_API stc_contact_state stc_law_classify(const stc_law *law, double kappa, double tol,
                                           const double *u, const double *r);

// --- Any cone: sections. What is not convex, not bounded, or does not hold 0 is refused by name
// ---

/// In the plane: -back <= r_T / r_N <= forth; friction that differs forwards and backwards.
STC_API stc_error stc_cone_section_interval(double back, double forth, stc_cone_section **section);

/// The polygon with these corners [2*corners], in either order.
STC_API stc_error stc_cone_section_polygon(int corners, const double *corner,
                                           stc_cone_section **section);

/// A smooth curve of arcs through these points [2*points] of a convex curve, in either order.
STC_API stc_error stc_cone_section_curve(int points, const double *point,
                                         stc_cone_section **section);

/// |x / a|^exponent + |y / b|^exponent <= 1, turned by `angle`, its centre moved; as a curve of
/// arcs, to 1e-6 of a and b. Exponents 1 (a diamond) to infinity (a rectangle).
typedef struct stc_superellipse {
  double a, b, exponent;
  double angle;  ///< from T1 to the axis of a, rad
  double centre[2];
} stc_superellipse;
STC_API stc_error stc_cone_section_superellipse(const stc_superellipse *shape,
                                                stc_cone_section **section);

/// The set with the support function h(n) = max { n . p : p in S } for unit vectors n = (x, y), as
/// a curve of arcs that touches it in 720 directions. Asked now, never again.
STC_API stc_error stc_cone_section_support(double (*support)(void *user, double x, double y),
                                           void *user, stc_cone_section **section);

STC_API void stc_cone_section_free(stc_cone_section **section);

/// 2 for an interval, 3 for a curve: the dimension of its laws.
STC_API int stc_cone_section_dim(const stc_cone_section *section);

/// h(d), and the point p of S farthest along d (second components: 0 for an interval); p may be
/// NULL.
STC_API double stc_cone_section_reach(const stc_cone_section *section, const double d[2],
                                      double p[2]);

/// Corners where S is a polygon (2 for an interval), 0 where it is round; corner [2*corners] may be
/// NULL.
STC_API int stc_cone_section_corners(const stc_cone_section *section, double *corner);

// --- Where mu comes from ---

typedef enum stc_coefficient_kind {
  STC_COEFFICIENT_CONSTANT,        ///< mu_s
  STC_COEFFICIENT_STATIC_KINETIC,  ///< mu_s up to the speed v_c, mu_k above it
  STC_COEFFICIENT_STRIBECK,        ///< mu_k + (mu_s - mu_k) exp(-(v / v_c)^exponent)
  STC_COEFFICIENT_SLIP_WEAKENING,  ///< from mu_s to mu_k in a straight line over `distance`
  STC_COEFFICIENT_TABLE,           ///< straight lines between points, constant beyond the ends
  STC_COEFFICIENT_FUNCTION         ///< the caller's own
} stc_coefficient_kind;

/// What a contact did before the step that its law is chosen for: Moreau's C(q, u-).
typedef struct stc_contact_past {
  double speed;           ///< |u_T|, m/s; exactly 0 where it stuck
  double slip;            ///< distance slid so far, m
  double u[STC_MAX_DIM];  ///< relative velocity, N, T1, ...
  double t;               ///< start of the step, s
  double place[3];        ///< of the contact, m; of a system its first coordinates
  double force;           ///< normal force in the step before, N; 0 where it was open
  double pressure;        ///< the same over its area, between deformable bodies, Pa
  double age;             ///< time for which it has been closed, s
} stc_contact_past;

/// A coefficient of friction that is chosen before each step from what the contact did so far.
typedef struct stc_coefficient {
  stc_coefficient_kind kind;
  double mu_s, mu_k;         ///< at rest and in motion
  double v_c;                ///< m/s: Stribeck's speed, or the speed up to which a contact rests
  double exponent;           ///< of Stribeck's curve
  double distance;           ///< of slip weakening, m
  int points;                ///< of the table
  const double *speed, *mu;  ///< [points] m/s, increasing, and the coefficients; not copied
  double (*function)(void *user, const stc_contact_past *past);
  void *user;
} stc_coefficient;

/// What is meant where a scene or a command line does not say: the exponent of Stribeck's curve,
/// and the speed up to which a contact with mu_s and mu_k rests, m/s.
#define STC_STRIBECK_EXPONENT  1.0
#define STC_STATIC_KINETIC_V_C 0.0

STC_API stc_coefficient stc_coefficient_constant(double mu);
STC_API stc_coefficient stc_coefficient_static_kinetic(double mu_s, double mu_k, double v_c);
STC_API stc_coefficient stc_coefficient_stribeck(double mu_s, double mu_k, double v_c,
                                                 double exponent);
STC_API stc_coefficient stc_coefficient_slip_weakening(double mu_s, double mu_k, double distance);
STC_API stc_coefficient stc_coefficient_table(int points, const double *speed, const double *mu);
STC_API stc_coefficient stc_coefficient_function(double (*function)(void *user,
                                                                    const stc_contact_past *past),
                                                 void *user);

/// Refuses negative or infinite numbers, a speed or distance that is not positive, an empty or
/// unordered table, a missing function.
STC_API stc_error stc_coefficient_check(const stc_coefficient *coefficient);

/// mu after this past; all but the function look at speed and slip only.
STC_API double stc_coefficient_mu(const stc_coefficient *coefficient, const stc_contact_past *past);

/// Name of a kind ("stribeck"), one line on what it is; NULL past the last.
STC_API const char *stc_coefficient_name(int kind);
STC_API const char *stc_coefficient_summary(int kind);

// --- Coulomb–Contensou: a Hertz patch that slides with v and spins with w = radius * omega ---

/// Force F and moment M over mu r_N and mu r_N radius at k = v / w in [0, infinity]; C is the
/// convex set whose boundary in the quadrant F, M >= 0 is this curve.
STC_API void stc_contensou(double k, double *F, double *M);

/// D(v, w): power lost over mu r_N, the support function of C; F = dD/dv, M = dD/dw.
STC_API double stc_contensou_potential(double v, double w);

/// y = projection of x = (F, M) on C; returns |x - y|. J: dy/dx [4] by columns, or NULL. x and y
/// may be the same array.
STC_API double stc_contensou_project(const double x[2], double y[2], double *J);

/// Zhuravlev's first-order fractions for F and M. They have no potential and bound a set that is
/// not convex: for right-hand sides and plots, not for stc_law_solve.
STC_API void stc_contensou_pade(double k, double *F, double *M);

/// The same fractions in the scaled speeds v' = 3 pi v, w' = 8 eps omega: F over mu r_N and M over
/// M(0), (2.9) and (2.10); 0 at rest.
STC_API void stc_contensou_scaled(double v, double w, double *F, double *M);

/// eps = (3 N R / (4 E*))^(1/3), Hertz's patch of a sphere of radius R under N; E* in Pa.
STC_API double stc_contensou_radius(double N, double R, double stiffness);

/// An elliptic patch with the semi-axes `axes` along T1 and T2, m > 0, slides with v and spins with
/// omega: power lost D over mu r_N, with the force F = dD/dv and the moment M = dD/domega, m.
/// Friction is -F, -M. For right-hand sides; laws have round patches.
STC_API double stc_contensou_ellipse(const double axes[2], const double v[2], double omega,
                                     double F[2], double *M);

/// A patch whose radius follows the load.
typedef struct stc_hertz_patch {
  double R;          ///< of the sphere; of two 1 / (1/R1 + 1/R2), m
  double stiffness;  ///< E*, 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2, Pa
  double load;       ///< taken after a step in which the contact was open, N
} stc_hertz_patch;

/// Radius for the step after `past`, from the normal force of the step before: what a law of
/// STC_LAW_CONTENSOU takes in stc_system.law. Right to first order in h.
STC_API double stc_hertz_patch_radius(const stc_hertz_patch *patch, const stc_contact_past *past);

/// A ball of radius R on a plane slides with v and spins with u = R omega: the derivatives of u and
/// v by s = mu g t; ratio = eps / R.
STC_API void stc_contensou_ball(double ratio, bool pade, double u, double v, double *du,
                                double *dv);

/// What stays as the ball moves by the fractions; u, v > 0, ratio^2 not 7 or 14/5.
STC_API double stc_contensou_ball_integral(double ratio, double u, double v);

/// mu g times the moment at which both speeds end, to twelve digits. INFINITY: a point (ratio 0)
/// spins for ever.
STC_API double stc_contensou_ball_stop(double ratio, bool pade, double u, double v);

#ifdef __cplusplus
}
#endif
#endif
