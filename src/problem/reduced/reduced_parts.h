// What the files of the reduced problem share: bodies, elimination, the judge's core.
#ifndef STC_PROBLEM_REDUCED_PARTS_H
#define STC_PROBLEM_REDUCED_PARTS_H

#include "../../linalg/condense.h"
#include "../reduced.h"
#include "reduced_joints.h"

/// The current numbers of the problem in physical units, and the factors that carry r to v and l.
struct stc_elimination {
  double *f, *w;      ///< [dofs], [size] of the global and bodies form
  double *free;       ///< [dofs] v for r = 0, joints held; not where bodies are all there is
  double *impulse;    ///< [dofs] work space, likewise
  double *trial;      ///< [dofs] work space, likewise
  double *root;       ///< [dofs] sqrt(M_ii), likewise
  double *before;     ///< [dofs] work space: energies of the velocities before the joints hold them
  stc_blocks *M;      ///< factors; NULL with bodies and in the local form
  stc_joints joints;  ///< count 0: none
  double *b;          ///< [equalities] b; s of the local form
  double *drift;      ///< [equalities] work space: G v + b, or V^T r + s
  double *l;          ///< [equalities] work space
  double *lift;       ///< [size] V l for r = 0: what the joints add to q in the local form
};

/// From m/s to the unit of q, given the unit of kappa; q and the free velocity are physical before.
void stc_reduced_scale_velocities(stc_reduced *reduced, double kappa_unit);

/// For a problem with spin or rolling: length, and `problem` replaced by a copy measured by it.
stc_error stc_lengths_create(stc_reduced *reduced);

/// q or w, and r, of the caller as `problem` has them; the same array where there are no lengths,
/// else work space that the next call overwrites. u may be NULL.
const double *stc_lengths_velocity(const stc_reduced *reduced, const double *u);
const double *stc_lengths_impulse(const stc_reduced *reduced, const double *r);

/// u = u + H x; x [dofs] ordered by body.
void stc_bodies_add_velocity(const stc_reduced *reduced, const double *x, double *u);

/// x = M^-1 H^T r; x [dofs] ordered by body.
void stc_bodies_respond(const stc_reduced *reduced, const double *r, double *x);

/// v = M^-1 (H^T r - f) of the physical r and f; v [dofs] as in the problem.
void stc_bodies_recover(const stc_reduced *reduced, const double *f, const double *r, double *v);

/// The numbers of the problem and, in the global form, the factor of M. Nothing for a local form
/// without joints.
stc_error stc_elimination_start(stc_reduced *reduced);

/// W with the joints eliminated and q, for any problem that is not made of bodies.
stc_error stc_elimination_condense(stc_reduced *reduced);
void stc_elimination_free(struct stc_elimination *elimination);

/// q [size] for new numbers (NULL: the old ones), in physical units; keeps the numbers if they are
/// accepted.
stc_error stc_elimination_update(stc_reduced *reduced, const stc_update *update, double *q);

/// V and R of joints on the bodies of the problem, in physical units.
stc_error stc_joints_condense(stc_arena *arena, const stc_problem *problem, stc_csr *V, stc_csr *R);

/// whole->W = H M^-1 H^T in physical units, in the arena of `whole`.
stc_error stc_bodies_matrix(const stc_problem *problem, stc_reduced *whole);

stc_error stc_elimination_recover(const stc_reduced *reduced, const double *r, double *v,
                                  double *l);

/// Every field of `residual` that the pair (r, u) determines, both in scaled units. term
/// [contacts] receives kappa_i |F_i|^2.
void stc_reduced_measure(const stc_reduced *reduced, const double *r, const double *u, double *term,
                         stc_residual *residual);

/// What each contact does within `tol` times the denominator of eta; r and u in scaled units, term
/// [contacts] work space.
void stc_reduced_classify(const stc_reduced *reduced, const double *r, const double *u, double tol,
                          double *term, stc_contact_state *state);

/// Distance of u to the velocity `other` in the norm of eta's denominator, over that denominator;
/// both in scaled units.
double stc_reduced_distance(const stc_reduced *reduced, const double *u, const double *other);

#endif
