// The problem a method works on: u = W r + q over contacts, joints eliminated, scaled by powers of
// two.
//   r = scale_r r',  u = scale_u u',  q = scale_u q',  W = (scale_u / scale_r) W'
// so that max |q'| and max kappa' lie in [1, 2) (1 where they vanish); the scaling is exact.
// Rotations are measured by the lengths of their laws: r = scale_r length r', u = scale_u u' /
// length.
// Every array here is in scaled units.
#ifndef STC_PROBLEM_REDUCED_H
#define STC_PROBLEM_REDUCED_H

#include "problem_data.h"

#include "../base/team.h"
#include "../linalg/bsr.h"

/// What residuals are measured against: sum |q|^2 / kappa and sum |q|^2, in scaled units.
typedef struct stc_magnitude {
  double energy, square;
} stc_magnitude;

typedef struct stc_reduced {
  stc_arena arena;
  const stc_problem *problem;  ///< the caller's, or `own`
  stc_problem *own;            ///< copy measured by `length`; NULL without spin and rolling
  bool any_law;                ///< some law is not round in any scaling
  bool among_rest;             ///< a part whose bodies move among others at rest
  int dim;
  int contacts;
  int size;
  double scale_r, scale_u;
  stc_magnitude least;  ///< a part is measured against no less than this; 0 in a whole problem
  double *length;       ///< [size] powers of two; NULL: all are 1
  double *stretched;    ///< [size] work space; NULL with length
  stc_law *law;         ///< [contacts] own copy, changed by update
  double *q;            ///< [size] joints eliminated
  double *kappa;        ///< [contacts] tr(W_ii)/dim; the largest of all where W_ii = 0
  double *diagonal;     ///< [contacts*dim*dim] W_ii by columns; STC_BSR_PAD zeros past the end
  bool *immovable;      ///< [contacts] row i of W is exactly zero
  size_t blocks;        ///< of W, see stc_reduced_blocks
  bool has_W;           ///< W below is there
  stc_bsr W;
  stc_bodies bodies;  ///< those of the problem, or of a part its own; count 0: none, or joints are
                      ///< there
  int scratch;        ///< doubles of work space the functions below ask for
  struct stc_elimination *elimination;  ///< factors of M and of the joints; NULL where not needed
  stc_team *team;  ///< shares products, judgements and sweeps; NULL: the caller alone
} stc_reduced;

/// Contacts of rigid bodies as whoever steps these has them, without joints. The laws are cones of
/// forces alone; every contact touches a body that moves.
typedef struct stc_reduced_rows {
  stc_body_matrix H;  ///< two sides each
  double *block;      ///< its blocks, with STC_BSR_PAD zeros past the end
  int bodies;
  const double *M, *inverse;  ///< [bodies*width*width] symmetric bit for bit
  stc_law *law;               ///< [contacts]
  const double *free;         ///< [bodies*width] velocities where no contact acts
  const double *q;            ///< [size] what they make of u
  stc_team *team;
} stc_reduced_rows;

/// Makes *reduced of rows, unchecked: H and the laws are lent, the rest comes out of `room`, which
/// has the bytes that are asked for. Zero-initialise *reduced before the first time; its arena has
/// what is made of it later. `problem` is NULL. Physical units are those of the rows.
size_t stc_reduced_rows_bytes(const stc_reduced_rows *rows);
stc_error stc_reduced_take_rows(stc_arena *room, const stc_reduced_rows *rows,
                                stc_reduced *reduced);
/// Other velocities, the same rows.
void stc_reduced_follow_rows(stc_reduced *reduced, const double *free, const double *q);
/// Of such a problem blocks are counted at demand.
stc_error stc_reduced_count_blocks(stc_reduced *reduced);

stc_error stc_reduced_create(const stc_problem *problem, stc_reduced **reduced);

/// The same with a team, which shares the work from the start on and outlives the reduced problem.
stc_error stc_reduced_create_shared(const stc_problem *problem, stc_team *team,
                                    stc_reduced **reduced);
void stc_reduced_free(stc_reduced **reduced);

/// From physical to scaled units and back, [size]; in place is allowed.
void stc_reduced_scale_r(const stc_reduced *reduced, const double *r, double *scaled);
void stc_reduced_scale_u(const stc_reduced *reduced, const double *u, double *scaled);
void stc_reduced_unscale_r(const stc_reduced *reduced, const double *scaled, double *r);
void stc_reduced_unscale_u(const stc_reduced *reduced, const double *scaled, double *u);

/// Makes W where only the bodies are there; symmetric bit for bit if M is symmetric.
stc_error stc_reduced_assemble(stc_reduced *reduced);

/// Blocks W has or would have, to choose between the two; an upper bound where counting would take
/// longer than a tenth of a second.
size_t stc_reduced_blocks(const stc_reduced *reduced);

/// Whether many contacts share the load of few bodies: walls and stacks more than packings.
bool stc_reduced_redundant(const stc_reduced *reduced);

/// New numbers, same structure; what is refused changes nothing. The unit of kappa stays, and with
/// it W and the bodies; scale_u and scale_r follow the new q together, so a scaled r kept from
/// before is to be converted. An elliptic law keeps the ratio it has in the problem. Allocates only
/// inside the factor of M where there are no bodies.
stc_error stc_reduced_update(stc_reduced *reduced, const stc_update *update);

/// u = W r + q. work: [scratch]. Uses the bodies where they are there, W otherwise.
void stc_reduced_velocity(const stc_reduced *reduced, const double *r, double *work, double *u);

/// y = W x, the same way.
void stc_reduced_multiply(const stc_reduced *reduced, const double *x, double *work, double *y);

/// x [dofs of the bodies, in their order] = velocities that r gives them; bodies must be there.
void stc_reduced_respond(const stc_reduced *reduced, const double *r, double *x);

/// The judge's core: fills u [size] and every field of `residual` that r determines, in physical
/// units; dynamics, equality and kinematics are left 0. work: [scratch].
void stc_reduced_residual(const stc_reduced *reduced, const double *r, double *work, double *u,
                          stc_residual *residual);

/// The terms of eta per contact [contacts] (already over the denominator, times sqrt(contacts)).
void stc_reduced_terms(const stc_reduced *reduced, const double *r, const double *u, double *term);

/// v [dofs] and l [equalities] that belong to the physical r [size]; either may be NULL. May
/// allocate where M is not block-diagonal or joints are there.
stc_error stc_reduced_recover(const stc_reduced *reduced, const double *r, double *v, double *l);

/// component [contacts] = number of the set of contacts that move one another; returns how many.
int stc_reduced_components(const stc_reduced *reduced, int *component);

/// The problem of some contacts in increasing order, in the units of the whole. Where they are not
/// whole components, the impulses of the others are those of its q.
/// place: [contacts, or bodies if that is more] of the whole, all -1 before and after. Without
/// numbers until stc_reduced_follow.
stc_error stc_reduced_cut(const stc_reduced *whole, const int *contact, int contacts, int *place,
                          stc_reduced **part);

/// The problem of the bodies that move, all others at rest, with its numbers. contact: those that
/// touch a body that moves, in increasing order. The whole is to have bodies with their free
/// velocities.
stc_error stc_reduced_cut_moving(const stc_reduced *whole, const bool *moves, const int *contact,
                                 int contacts, int *place, stc_magnitude of_whole,
                                 stc_reduced **part);

/// Copies q, free velocities, laws and units of the whole again. A part is measured against its own
/// velocities or its share of the whole's, whichever is more: where every part has eta <= tol /
/// sqrt(3), the whole has eta <= tol, for sum max(a_i, b_i, share_i c) <= a + b + c; with
/// fclib_error likewise.
void stc_reduced_follow(stc_reduced *part, const stc_reduced *whole, const int *contact,
                        stc_magnitude of_whole);
stc_magnitude stc_reduced_magnitude(const stc_reduced *reduced);

#endif
