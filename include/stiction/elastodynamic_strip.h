// Elastic bodies on a moving support as finite elements: a cylinder omega x ]0, D[ (a strip in the
// plane, a block in space) or any mesh with a named contact surface Gamma_C, flat or curved.
//   rho u_tt - div A eps(u) = f,   u = u_D on Gamma_D,   sigma n = g on Gamma_N,
//   p = J_N(xi),   friction = p mu(|w|) Dir_T(w)   on Gamma_C,
// xi the penetration of the support, w = tau - v along it. eta > 0 rounds J_N (xi/eta, in space at
// most 1/eta^2) and Dir_T (w/eta below eta); 0 is the law itself. In the layer of thickness eps at
// Gamma_C fields are polynomials of degree m across it.
#ifndef STICTION_ELASTODYNAMIC_STRIP_H
#define STICTION_ELASTODYNAMIC_STRIP_H

#include <stiction/elastodynamic.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Any bounded Lipschitz coefficient of |w|: a table, straight between its points and constant
/// behind the last one, or a function.
typedef struct stc_rate_curve {
  int points;
  const double *speed, *mu;  ///< [points] speeds rise from 0; mu >= 0
  /// Instead of the table; NaN stops the step.
  double (*function)(void *user, double speed);
  void *user;
  double steepest, greatest;  ///< of a function: max |mu'| and max mu
} stc_rate_curve;

/// What a part of the body is made of, in a group of its mesh.
typedef struct stc_elastic_region {
  const char *group;
  double lambda, shear;  ///< isotropic, where there is no stiffness
  /// By rows, symmetric and positive definite: stress (xx, yy, xy) of strain (xx, yy, 2 xy) [3*3]
  /// in the plane, (xx, yy, zz, xy, yz, zx) [6*6] in space. NULL: isotropic.
  const double *stiffness;
  stc_given scale;     ///< factor of the stiffness by place; value 0 and no function: 1
  stc_given density;   ///< by place
  stc_given force[3];  ///< per volume, by time and place
} stc_elastic_region;

typedef struct stc_strip stc_strip;

/// FIELD(type, name, default, least, greatest, meaning)
#define STC_STRIP_FIELDS(FIELD)                                                                    \
  FIELD(double, lambda, 1, 0, 1e300, "Lame constant, Pa")                                          \
  FIELD(double, shear, 1, 1e-300, 1e300, "Lame constant G, Pa")                                    \
  FIELD(double, density, 1, 1e-300, 1e300, "kg/m^3")                                               \
  FIELD(double, eps, 0, 0, 1e300, "thickness of the layer, m; 0: none")                            \
  FIELD(int, degree, 0, 0, 8, "m: of the fields across the layer")                                 \
  FIELD(double, eta_n, 0, 0, 1e300, "rounds contact, m/Pa; 0: the law itself")                     \
  FIELD(double, eta_t, 0, 0, 1e300, "rounds friction, m/s; 0: the law itself")                     \
  FIELD(double, dt, 0.01, 1e-300, 1e300, "time step, s")                                           \
  FIELD(double, tol, 1e-10, 1e-14, 1e-3, "of the contact law in a step, relative to the forces")   \
  FIELD(int, max_iterations, 40, 1, 100000, "of Newton's method in a step")                        \
  FIELD(int, max_sweeps, 400, 0, 1000000,                                                          \
        "of Gauss-Seidel where Newton fails or roots abound; 0: none")                             \
  FIELD(int, threads, 1, 1, 1024, "threads")

#define STC_FIELD_DECLARE(type, name, initial, least, greatest, meaning) type name;
typedef struct stc_strip_settings {
  // A cylinder:
  int dim;         ///< 2: plane strain; 3
  double size[3];  ///< m: along x, (y,) and the depth D, the layer's part of it
  int cells[3];    ///< in the same order; across the depth those above the layer
  bool periodic;   ///< along x
  // or any body. It is copied.
  const stc_mesh *mesh;  ///< NULL: the cylinder
  /// Group of Gamma_C; NULL: "bottom". Where the cells behind it are one row of quadrilaterals or
  /// hexahedra of thickness eps, they are the layer; otherwise the layer lies on Gamma_C outside of
  /// the mesh.
  const char *contact;
  int regions;  ///< 0: lambda, shear, density and force everywhere
  const stc_elastic_region *region;

  bool pressed;  ///< begins in static equilibrium without friction; otherwise with u0
  stc_rate_law law;
  const stc_rate_curve *mu;  ///< instead of the law; NULL: none. It is copied.
  stc_root_rule rule;        ///< where a step has several answers
  STC_STRIP_FIELDS(STC_FIELD_DECLARE)
  /// Gamma_D and Gamma_N: groups of the mesh; of a cylinder the sides are "left", "right", in space
  /// "front", "back", and "top". The last component of a place in a cylinder is its height above
  /// the support.
  int supports;
  const stc_support *support;
  int tractions;
  const stc_traction *traction;
  double force[3];         ///< per volume
  stc_given u0[3], u1[3];  ///< displacement and velocity at t = 0 where no support gives them
  /// The velocity of the support: along the tangents of Gamma_C (x and, in space, y of a cylinder),
  /// NULL: at rest; and by time and place, in space, of which the part along Gamma_C counts. Both
  /// are added.
  stc_support_speed tau[2];
  void *user;
  stc_given speed[3];
  stc_given gap;  ///< m, between Gamma_C and the support before the body moves
  /// Called while a strip is created, with the stage in words; false stops. May be NULL.
  bool (*progress)(void *user, const char *stage, double done);
  void *progress_user;
} stc_strip_settings;
#undef STC_FIELD_DECLARE

STC_API stc_strip_settings stc_default_strip_settings(void);
STC_API stc_error stc_strip_create(const stc_strip_settings *settings, stc_strip **strip);
STC_API void stc_strip_free(stc_strip **strip);

/// What can be said of a step before it is made, for a pressure that acts somewhere.
typedef struct stc_strip_resolution {
  double uniqueness;  ///< b p max|mu'|: below 1 a step with given pressures has one answer
  double mass_ratio;  ///< inertia that the cells add to the layer's, rho h/3 over rho eps
  double nucleation;  ///< 4 pi rho eps G/(p max|mu'|)^2, m: shorter disturbances only ring;
                      ///< infinite where sliding is stable: p max|mu'| <= rho c
  double cell;        ///< of the contact surface, m, the longest side
  char warning[400];  ///< what mesh and time step do not resolve, with numbers; empty: nothing
} stc_strip_resolution;

STC_API void stc_strip_resolve(const stc_strip *strip, double pressure,
                               stc_strip_resolution *resolution);

typedef struct stc_strip_report {
  double t;                ///< at the end of the step; slip and forces are those of its middle
  bool converged;          ///< otherwise the step was made with the best that was found
  int iterations, sweeps;  ///< of Newton's method, of Gauss-Seidel
  double residual;         ///< of the contact law, recomputed from the fields
  double normal_force;     ///< N (N/m in the plane)
  double friction[3];      ///< on the body, in space
  double force[3];         ///< contact and friction on the body, in space
  double slip[3];          ///< mean of w, in space
  /// In the plane along Gamma_C with a sign, in space the lengths of the vectors.
  double mean_slip, shear_force;
  double largest_slip;       ///< |w|
  int open, stuck, sliding;  ///< contact nodes
  double pressure;           ///< the greatest
  double uniqueness;         ///< for that pressure
  int roots;                 ///< the most that one node has while the others keep theirs
  int several;               ///< nodes with more than one, where the rule chose
  bool ruled;                ///< they all have the answer of the rule
  double energy;             ///< kinetic + elastic
  double energy_error;       ///< |E+ - E - dt r.v_mid| over the largest term
  double norm, bound;        ///< of theorem 1, where the strip has an estimate; else 0
} stc_strip_report;

/// One step of the implicit midpoint rule. Allocates nothing but what the sparse solver does.
STC_API stc_error stc_strip_step(stc_strip *strip, stc_strip_report *report);
STC_API double stc_strip_time(const stc_strip *strip);
STC_API double stc_strip_energy(const stc_strip *strip);
STC_API int stc_strip_dofs(const stc_strip *strip);  ///< unknowns, supports not counted

/// Contact nodes: of a cylinder by rising x (and y), of a plane mesh along Gamma_C, else as the
/// mesh has them. A place on the surface: x (and y), in a plane mesh the length along Gamma_C; and
/// at the middle of the last step p, friction per area, w along the tangents; all
/// [contacts*(dim-1)] but the pressure.
STC_API int stc_strip_contacts(const stc_strip *strip);
STC_API const double *stc_strip_place(const stc_strip *strip);
STC_API const double *stc_strip_pressure(const stc_strip *strip);
STC_API const double *stc_strip_traction(const stc_strip *strip);
STC_API const double *stc_strip_slip(const stc_strip *strip);

/// Places of the contact nodes in space [contacts*dim], and their frames [contacts*dim*dim]: the
/// normal into the body, then the tangents, by rows.
STC_API const double *stc_strip_point(const stc_strip *strip);
STC_API const double *stc_strip_frame(const stc_strip *strip);

/// A vector of a contact node in space [dim] from its parts along the tangents [dim-1].
STC_API void stc_strip_in_space(const stc_strip *strip, int contact, const double *along,
                                double *vector);

/// The mesh, and displacement or velocity of its nodes now, [nodes*dim].
STC_API const stc_mesh *stc_strip_mesh(const stc_strip *strip);
STC_API void stc_strip_displacement(const stc_strip *strip, double *u);
STC_API void stc_strip_velocity(const stc_strip *strip, double *v);

/// Everything later steps depend on: the same bits follow after a restore.
STC_API size_t stc_strip_state_size(const stc_strip *strip);
STC_API void stc_strip_save(const stc_strip *strip, double *state);
STC_API stc_error stc_strip_restore(stc_strip *strip, const double *state, size_t count);

// --- The theorems of Paumier and Renard on the mesh and with the steps at hand ---

/// Theorem 1. The motion u of a run is that without contact forces plus w, which the contact forces
/// F drive from rest:
///   |w|_1^2 + |w_t|_0^2 <= C exp(alpha t)/eps integral |F|_0^2 ds
/// at the end of every step, |.|_1 the norm of H1, those of F that of L2 on Gamma_C.
typedef struct stc_strip_estimate {
  double alpha;  ///< 1/s: that of the steps, (1/dt) ln((1 + A dt/2)/(1 - A dt/2)), A as below
  double alpha_0;
  double C;      ///< max(korn, 1/min rho) trace/alpha_0
  double trace;  ///< greatest eps |v|_C^2/(v.M v), about (m + 1)^2/rho with a factor of the cells
  double korn;   ///< greatest |w|_1^2/(a(w, w) + beta w.M w)
  double mass;   ///< greatest w.M w/(a(w, w) + beta w.M w)
  double beta;   ///< alpha_0^2 where some rigid motion is free, A = 2 alpha_0; else 0, A = alpha_0
} stc_strip_estimate;

/// Finds the constants for a given alpha_0, each proved by a Cholesky factor, and has the steps
/// from here on, at t = 0, report norm and bound. It needs a layer, and alpha_0 dt < 1.
STC_API stc_error stc_strip_estimate_norm(stc_strip *strip, double alpha_0,
                                          stc_strip_estimate *estimate);

/// Theorem 2. The map G takes a motion w to the one that the forces of its contact drive; some
/// iterate G^p contracts.
typedef struct stc_fixed_point {
  int iterations;
  bool converged;
  double
      change;  ///< of the last iteration, over the motion: the greatest energy norm of the window
  int p;       ///< the least p for which G^p contracted throughout; 0: none
  double factor;   ///< the greatest of |G^p w' - G^p w|/|w' - w| seen for that p
  double rate;     ///< of the last iterations, of each
  double bound_p;  ///< the least p of the theorem's proof for the strip's estimate; 0: it has none
  double bound;    ///< its factor, below 1
  double instant;  ///< b p max mu/eta_t: above about 1 dt is too long for any G^p to contract
  double difference;  ///< of the contact forces from those of the time steps, over the greatest
} stc_fixed_point;

/// Iterates w = G(w) over the next `steps` steps until the change is at most tol, or `limit` times;
/// then makes the steps and compares. Both laws must be rounded.
STC_API stc_error stc_strip_iterate(stc_strip *strip, int steps, double tol, int limit,
                                    stc_fixed_point *result);

typedef enum stc_strip_answers {
  STC_ANSWERS_UNDECIDED,
  STC_ANSWERS_ONE,     ///< proved: the step has no other answer
  STC_ANSWERS_SEVERAL  ///< another one was found
} stc_strip_answers;

/// How many answers the last step had. L the steepest fall of the law from a node's slip and
/// friction to any other slip, at most max(-mu'), and D_i = f_N L + max mu^2 a dt/(8 eta_n): there
/// is one where the greatest eigenvalue of sqrt(D) W_TT sqrt(D) is below 1; where contact is not
/// rounded, where W - N - W_T^T D W_T is positive definite, N_i = theta W_NN, D_i = f_N L + max
/// mu^2/(4 theta W_NN), for some theta.
typedef struct stc_strip_certificate {
  stc_strip_answers answers;
  double coarse;  ///< b max D_i/a_i with L = max(-mu'): b p max|mu'| and a little
  double sharp;   ///< that eigenvalue
  double apart;   ///< of several: greatest difference of slip rates
} stc_strip_certificate;

STC_API const char *stc_strip_answers_name(stc_strip_answers answers);  ///< "one", ...
STC_API stc_error stc_strip_certify(stc_strip *strip, stc_strip_certificate *certificate);

#ifdef __cplusplus
}
#endif
#endif
