// What the files of accelerated projected gradients share: the iterates, and the steps they take.
#ifndef STC_SOLVE_GRADIENT_H
#define STC_SOLVE_GRADIENT_H

#include "../method.h"

#include <math.h>

/// Contacts are cut into at most this many runs of neighbours, by their number alone: each run sums
/// by itself, so that the bits do not depend on who works on it.
enum { STC_RUNS = 4 };  // [machine]

/// The fast steps, for rigid bodies with round cones: see rigid.c.
typedef struct stc_rigid {
  bool bodies;  ///< all bodies are rigid
  bool usable;  ///< and symmetric, and all cones are round
  int runs;
  int first[STC_RUNS], end[STC_RUNS];  ///< bodies that each run touches
  double *mu, *k_N, *k_T;              ///< [contacts] the metric along normals and tangents
  double *row;                         ///< G_cb by rows, in the order of touches
  double *motion;                      ///< [bodies] padded with zeros: the sum of G^T next
  double *impulse;                     ///< [runs][bodies] the same: its parts
  stc_team *team;                      ///< NULL: the caller alone
} stc_rigid;

/// The bodies that move most, and their contacts: see active_bodies.c.
typedef struct stc_active_bodies {
  bool usable;
  int parts;               ///< times that they were solved by themselves
  bool flows;              ///< they could not be solved by themselves, or it did not serve
  int most;                ///< bodies in the list at most, without those around them
  int count;               ///< bodies in it
  int *body;               ///< [bodies] a heap while it is filled
  bool *moves;             ///< [bodies] is in the list
  bool *kept;              ///< [bodies] was in it when they were last solved by themselves
  double *v;               ///< [dofs] velocities
  double *energy;          ///< [bodies] v.M v
  double *idle;            ///< [contacts] the shift where no body moves: that of obstacles that do
  int contacts;            ///< of these bodies
  int *contact;            ///< [contacts of the problem]
  struct stc_cone3 *cone;  ///< [most * STC_MOVER_TOUCHES] of each, in 3D
  double *lambda;          ///< multiplier of its slip
  bool *listed;            ///< [contacts of the problem] is among them
  double *r, *rest,
      *W;  ///< of these contacts: reaction, velocity where nothing moves, W_cc of active bodies
} stc_active_bodies;

typedef struct stc_apgd {
  double *old;         ///< [size] the iterate before r; where t = 1, with Wold, any numbers
  double *y, *next;    ///< [size] extrapolated point, new iterate
  double *Wr, *Wold;   ///< [size] W times r and old
  double *Wy, *Wnext;  ///< [size]
  double *s;           ///< [contacts] the De Saxcé term
  double *k;           ///< [size] the metric
  double *stretch;  ///< [contacts] sqrt(k_T / k_N): the cone is round where r_T is so much longer
  double L;         ///< largest curvature seen, in units of k
  double t;         ///< Nesterov's sequence; 1: no momentum
  double bound;     ///< of t
  double peak;      ///< largest t since the bound last fell
  double low;       ///< least merit since then
  long low_at;      ///< the iteration it was found in
  bool following;   ///< s is renewed with every batch
  bool flowing;     ///< from the velocities of all contacts
  bool held;        ///< but not yet: it is that of bodies solved by themselves
  stc_watch watch;
  stc_rigid rigid;
  stc_active_bodies active;
} stc_apgd;

/// Takes the arrays from the arena.
stc_error stc_apgd_take(stc_solver *solver, stc_apgd *apgd);

/// k, stretch and what the fast steps make of the laws.
void stc_apgd_set_metric(const stc_reduced *problem, stc_apgd *apgd);

/// `count` iterations from r and old, whose products are Wr and Wold. The arrays change places,
/// solver->r among them.
void stc_apgd_advance(stc_solver *solver, stc_apgd *apgd, long count);

/// old <- r <- next; next is free then.
static inline void stc_apgd_rotate(stc_solver *solver, stc_apgd *apgd) {
  double *free = apgd->old;
  apgd->old = solver->r;
  solver->r = apgd->next;
  apgd->next = free;
}

/// Nesterov's next t.
static inline double stc_apgd_grow(double t) { return 0.5 * (1 + sqrt(1 + 4 * t * t)); }

// ---- the bodies that move ----

/// Bodies with more contacts than this are none of the few that move.
enum { STC_MOVER_TOUCHES = 32 };  // [size]

stc_error stc_active_take(stc_solver *solver, stc_active_bodies *active);
/// Takes the numbers of the problem.
void stc_active_start(const stc_reduced *problem, stc_active_bodies *active);
/// Lists the bodies that move most at r, given the square of the residual that the problem with the
/// shift at hand has, until the others move by no more than `noise` times that. False where no few
/// bodies do: the others move by more than `rest` times that.
bool stc_active_choose(const stc_reduced *problem, stc_active_bodies *active, const double *r,
                       double residual, double rest, double noise);
/// shift[c] at the contacts of these bodies, from a few sweeps that begin at (r, u) and end where
/// they change less than a part `inner` of the residual; that of bodies at rest elsewhere.
void stc_active_sweep(const stc_reduced *problem, stc_active_bodies *active, const double *r,
                      const double *u, double residual, double inner, double *shift);
/// The same of these bodies and those around them, solved to the end; writes their reactions to
/// solver->r. False, and nothing, where that is not allowed or not possible. Allocates.
bool stc_active_solve(stc_solver *solver, stc_active_bodies *active, double *shift);

/// The shift of a contact that ends with (r, u): 0 where it sticks.
double stc_active_shift(const stc_law *law, const double *r, const double *u);
/// In hat variables r = D r' the cone is |r'_T| <= r'_N.
void stc_active_scales(const stc_law *law, double *D);

// ---- the fast steps ----

stc_error stc_rigid_take(stc_solver *solver, stc_rigid *rigid);
/// Takes the numbers of the problem, in the metric k.
void stc_rigid_start(const stc_reduced *problem, const double *k, stc_rigid *rigid);
void stc_rigid_advance(stc_solver *solver, stc_apgd *apgd, long count);

#endif
