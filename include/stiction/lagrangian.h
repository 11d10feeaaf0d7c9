// Motion of a system with coordinates q and walls f_j(q, t) <= 0 by Moreau's time stepping:
//   q_M = q_I + h/2 u_I,   M (u_F - u_I) = h Q(t + h/2, q_M, u_I) + H^T r,   q_F = q_M + h/2 u_F,
// where r are the impulses of the walls in contact at q_M, found together as one discrete Coulomb
// problem   [Moreau 1986]. Units are SI.
#ifndef STICTION_LAGRANGIAN_H
#define STICTION_LAGRANGIAN_H

#include <stiction/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A wall at (t, q), filled by the system's callback. The arrays are zeros, there to be written;
/// the other fields hold what a wall has that sets nothing: frictionless, at rest, e = 0.
typedef struct stc_wall {
  double f;          ///< <= 0 where q is admissible, m
  double *gradient;  ///< [dofs] of f with respect to q
  /// Rows of `tangent` that are given: dim - 1, or 0. With 0 the system is a point in space (dofs =
  /// dim), its normal is -gradient / |gradient| and an orthonormal basis across it is taken.
  /// Otherwise the normal row is -gradient as it stands, so that u_N is a velocity in m/s. A
  /// frictionless wall needs no tangents.
  int tangents;
  double *tangent;              ///< [STC_MAX_DIM - 1][dofs] rows T1, T2, ... by rows
  double *velocity;             ///< [dofs] at t, of a q that moves with the wall; zeros: at rest
  stc_law law;                  ///< of dimension dim
  stc_coefficient coefficient;  ///< overrides law.mu (an elliptic law keeps its ratio); left alone:
                                ///< law.mu holds
  double restitution;           ///< Newton's e in [0, 1]: u_N(after) >= -e u_N(before), where
                                ///< u_N(before) < -rest/h; slower is rest
} stc_wall;

/// What is read after a call of the wall's callback; it may fill more.
typedef enum stc_wall_part {
  STC_WALL_GAP,       ///< f and gradient
  STC_WALL_VELOCITY,  ///< velocity
  STC_WALL_ALL        ///< everything else, f and gradient too
} stc_wall_part;

/// The system. A callback returns false to stop the run.
typedef struct stc_system {
  int dofs;
  int walls;
  int dim;        ///< components of a contact; every wall's law has it
  bool diagonal;  ///< M is diagonal and `mass` writes [dofs] numbers
  void *user;     ///< handed to the callbacks
  /// M(q) [dofs*dofs] by columns, symmetric positive definite; the array holds zeros.
  bool (*mass)(void *user, double t, const double *q, double *M);
  /// Q(t, q, u) [dofs].
  bool (*force)(void *user, double t, const double *q, const double *u, double *Q);
  /// Potential energy of the part of Q that has one, J; NULL: none, all work of Q counts as work
  /// done.
  bool (*potential)(void *user, double t, const double *q, double *V);
  /// Wall j at (t, q). NULL where there are no walls.
  bool (*wall)(void *user, int j, double t, const double *q, stc_wall_part part, stc_wall *wall);
  /// The law of wall j for the next step, after its past: `law` holds the wall's, with its
  /// coefficient, of the same dimension. NULL: the wall's.
  bool (*law)(void *user, int j, const stc_contact_past *past, stc_law *law);
} stc_system;

/// How to step. FIELD(type, name, default, least, greatest, meaning)
#define STC_STEPPING_FIELDS(FIELD)                                                                 \
  FIELD(double, h, 1e-3, 1e-12, 1e6, "time step, s")                                               \
  FIELD(double, rest, 1e-12, 0, 1, "walls with f above -rest (m) count as in contact")             \
  FIELD(double, tol, 1e-12, 1e-15, 1, "eta and fclib_error the contacts of a step aim at")         \
  FIELD(double, accept, 1e-8, 1e-15, 1, "a step with a larger eta is not taken")                   \
  FIELD(double, correction, 0, 0, 1, "part of a violation f > 0 removed in each step")             \
  FIELD(double, jam, 1e-3, 0, 1, "part of a balance, or of impulses, below which a jam has none")

#define STC_FIELD_DECLARE(type, name, initial, least, greatest, meaning) type name;
typedef struct stc_stepping {
  STC_STEPPING_FIELDS(STC_FIELD_DECLARE)
  stc_settings solver;  ///< for several contacts at once; its tol is replaced by the one above
} stc_stepping;
#undef STC_FIELD_DECLARE

STC_API stc_stepping stc_default_stepping(void);

/// Energy, J. Sums since the start of the run; losses are negative.
///   kinetic + potential = start + work + drive + friction + shock + correction + error
typedef struct stc_ledger {
  double kinetic, potential;  ///< now
  double start;               ///< kinetic + potential at the beginning
  double work;                ///< of forces without a potential, of changes of V and M in time
  double drive;               ///< of moving walls
  double friction;            ///< tangential (and spinning, rolling) part of the contacts
  double shock;               ///< normal part of the contacts
  double correction;  ///< gained or lost by the correction of violations, and gained in steps
                      ///< in which the frame or the velocity of a contact rotates
  double error;       ///< what is left: rounding, and the time step's where Q or M varies
} stc_ledger;

/// What a step did.
typedef struct stc_step_report {
  bool accepted;       ///< the step was taken; otherwise the state is that of its beginning
  stc_status status;   ///< of the contact problem; SOLVED where there was none
  int contacts;        ///< walls in contact
  double eta;          ///< residual of the contact problem
  double fclib_error;  ///< the same by FCLIB's measure, the unit of mass being that of the contacts
  double violation;    ///< max(0, max f) at the end, m
  double restitution;  ///< part of every e that was kept: below 1 where Newton's rule with friction
                       ///< would have gained energy
  char reason[512];    ///< of a step that was not accepted: the walls, and what to do
} stc_step_report;

typedef struct stc_simulation stc_simulation;

/// Checks and copies the description; `system->user` must outlive the simulation.
STC_API stc_error stc_simulation_create(const stc_system *system, const stc_stepping *stepping,
                                        stc_simulation **simulation);
STC_API void stc_simulation_free(stc_simulation **simulation);

/// Places the system at (t, q, u) and empties the ledger.
STC_API stc_error stc_simulation_place(stc_simulation *simulation, double t, const double *q,
                                       const double *u);

/// One step. After an error, and where the step is not accepted, the state is that of its
/// beginning.
STC_API stc_error stc_simulation_step(stc_simulation *simulation, stc_step_report *report);

STC_API double stc_simulation_time(const stc_simulation *simulation);
STC_API long stc_simulation_steps(const stc_simulation *simulation);
STC_API const double *stc_simulation_q(const stc_simulation *simulation);  ///< [dofs]
STC_API const double *stc_simulation_u(const stc_simulation *simulation);  ///< [dofs]
STC_API const stc_ledger *stc_simulation_ledger(const stc_simulation *simulation);

/// Impulse of the last step at wall j, N s, and relative velocity after it, [dim] each in the
/// wall's frame; zeros, and false, where it was not in contact. Either may be NULL.
STC_API bool stc_simulation_contact(const stc_simulation *simulation, int wall, double *r,
                                    double *u);

/// The contact problem of a step that was not accepted, until the next step, and the r it began
/// from; NULL otherwise.
STC_API const stc_problem *stc_simulation_problem(const stc_simulation *simulation,
                                                  const double **guess);

/// Everything a restart needs, as numbers: the same bits follow.
STC_API size_t stc_simulation_state_size(const stc_simulation *simulation);
STC_API void stc_simulation_save(const stc_simulation *simulation, double *state);
STC_API stc_error stc_simulation_restore(stc_simulation *simulation, const double *state,
                                         size_t count);

#ifdef __cplusplus
}
#endif
#endif
