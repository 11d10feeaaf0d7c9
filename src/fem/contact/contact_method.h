// Methods of contact: one interface, called by the driver between the linear solves.
#ifndef STC_FEM_CONTACT_METHOD_H
#define STC_FEM_CONTACT_METHOD_H

#include "../../base/memory.h"
#include "condensed.h"

/// What a contact obeys in a linear system: A v + B r = c in its own rows (N first), r = 0 if open.
typedef struct stc_condition {
  bool open;
  double A[3][3], B[3][3], c[3];
} stc_condition;

/// Memory of a contact within a load step; g > 0 is penetration, tractions are per area.
typedef struct stc_record {
  double g, g_prev;  ///< now and one iteration before
  double t_prev;     ///< normal traction of the iteration before
  double t, t_t[2];  ///< tractions that belong to g
  double eps_n, eps_t;
  double tangent;  ///< pressure at which the law of a layer is linear
  double eval;     ///< Evaltn: correction kept when the gap changes its sign
  double lam_n, lam_t[2];
  double slip[2], slip_prev[2];
  stc_contact_state status;
  int nchange;  ///< changes of sign in a row
  bool fresh;   ///< nothing is known of the iteration before
} stc_record;

typedef struct stc_contact_solver stc_contact_solver;

/// What a method is made of. `r` and `v` are [count*dim] over all candidates.
typedef struct stc_method_table {
  const char *name;
  /// A load step begins at the reactions r.
  void (*begin)(stc_contact_solver *m, const double *r);
  /// A new iterate has the gaps and slips v: may set r, and says in `error` how far (a length over
  /// its limit: 1 is enough) the contact conditions are from being met.
  void (*update)(stc_contact_solver *m, const double *v, double *r, double *error);
  /// Called when equilibrium and `update` have converged; true: another stage follows.
  bool (*proceed)(stc_contact_solver *m, const double *v, double *r);
  /// Solves the linear step in the set: rw [rows] start and answer.
  stc_error (*solve)(stc_contact_solver *m, const stc_condensed *set, double *rw);
} stc_method_table;

struct stc_contact_solver {
  stc_arena arena;
  const stc_method_table *table;
  int dim, count;
  const double *mu, *area;  ///< [count]
  const stc_layer **layer;  ///< [count] NULL: none. Gaps are then those to where it begins
  bool layered;             ///< some contact has one
  const bool *moves;        ///< [count*dim] rows that the bodies can change
  double *stiffness;        ///< [count] of the bodies around, pressure per length
  double *eps0;             ///< [count] first penalty, pressure per length
  double *limit;            ///< [count] penetration that is allowed, of adapted at first
  int planned;              ///< augmentations of adapted
  double shrink;            ///< of adapted: the part of the limit that holds in the end
  double exact;             ///< length that counts as zero
  double noise;             ///< length that rounding errors of the reactions make
  stc_record *record;       ///< [count]
  bool nested;        ///< statuses come to rest inside a linear step; contacts outside may join
  bool yields;        ///< the bodies are not linear
  bool damped;        ///< the driver has a line search
  int augmentations;  ///< of the load step
  int changed;        ///< contacts with another status than in the iterate before
  int adaptations;    ///< iterations of the load step with penalties that change
  int solves;         ///< linear solves of the load step
  bool settled;       ///< the last solve found statuses that agree with their answer
  bool fallback;      ///< the discrete Coulomb problem's own solvers may be asked
  stc_condition *condition;  ///< [count] work
  double *work;              ///< of stc_conditions_solve, grown as needed
  size_t room;
  int *pivot;  ///< [count*dim]
  double *v;   ///< [count*dim] work
};

const stc_method_table *stc_method_active_set(void);
const stc_method_table *stc_method_adapted(void);
const stc_method_table *stc_method_uzawa(void);
const stc_method_table *stc_method_penalty(void);

stc_error stc_method_create(stc_contact_method kind, int dim, int count,
                            stc_contact_solver **method);
void stc_method_free(stc_contact_solver **method);

/// The contacts of the set obey method->condition: rw [rows] receives r, v [rows] what follows.
/// False where the conditions contradict each other or leave something undetermined.
stc_error stc_conditions_solve(stc_contact_solver *m, const stc_condensed *set, double *rw,
                               double *v, bool *regular);

/// Asks stc_solver for the discrete Coulomb problem of the set, starting at rw.
stc_error stc_condensed_coulomb(const stc_condensed *set, int dim, double *rw, bool *solved);

/// Residual of the same problem at rw, by the judge.
stc_error stc_condensed_eta(const stc_condensed *set, int dim, const double *rw, double *eta);

/// r_T = mu r_N y / |y| linearised, with y = lam - c v_T where `elastic` (penalties) or
/// y = r_T - c v_T, in the tangential rows 1 .. n-1 of a condition.
void stc_condition_slip(stc_condition *s, int n, double mu, double r_N, const double *y, double c,
                        const double *lam);

// Contact with penalties and multipliers, tractions per area, s the slip since the step began: t_n
// = < lam_n + Eval - eps_n v_N >,   t_t = lam_t - eps_t s, cut to mu t_n

/// The normal traction at the gap v_N: with a layer that of both in series.
double stc_penalty_pressure(const stc_contact_solver *m, int k, double v_N);

/// Tractions and status of every record at v [count*dim]; r [count*dim] follows, but numbers that
/// differ from it by less than rounding of v explains stay.
void stc_penalty_apply(stc_contact_solver *m, const double *v, double *r);

/// Solves with the statuses of the records; where they are nested until they agree with their own
/// answer.
stc_error stc_penalty_solve(stc_contact_solver *m, const stc_condensed *set, double *rw);

/// Largest |g| / limit of the contacts that press.
double stc_penalty_worst(const stc_contact_solver *m);

/// Slip of contact k that is not taken by friction: (lam_t - t_t) / eps_t.
double stc_penalty_reversible(const stc_contact_solver *m, int k);

#endif
