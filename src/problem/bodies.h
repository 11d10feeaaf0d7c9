// Bodies: a block-diagonal M and the rows of H per contact, as every method below takes them.
//   W_ij = sum over shared bodies b of H_ib Y_jb,   Y_jb = M_b^-1 H_jb^T
#ifndef STC_PROBLEM_BODIES_H
#define STC_PROBLEM_BODIES_H

#include "../linalg/csr.h"
#include "body_rows.h"

#include <stiction/problem.h>

/// Made once per problem; what reduced problems share is not written to. M is in units of 1 / unit,
/// its inverse, Y, diagonal and kappa in units of `unit`, a power of two near the largest kappa.
/// Velocities are ordered by body: position k of v is degree of freedom dof[k].
typedef struct stc_bodies {
  int count;  ///< 0: the problem is not made of bodies
  int dim, contacts, dofs;
  int *ptr;            ///< [count+1] positions of body b: ptr[b] .. ptr[b+1]
  int *dof;            ///< [dofs]
  size_t *inv_ptr;     ///< [count+1] into M and inverse
  double *M;           ///< M_b, n_b x n_b by columns
  double *inverse;     ///< M_b^-1, n_b x n_b by columns
  bool symmetric;      ///< every inverse is, bit for bit, hence W too
  int *origin;         ///< [count] of a part: the number of each body in the whole; else NULL
  double *free;        ///< [dofs] free velocity v_f = -M^-1 f, ordered by body; NULL: impulses of
                       ///< others are in q. The reduced problem's own
  int *touch_ptr;      ///< [contacts+1] bodies of each contact
  int *touch_body;     ///< [touches]
  int *touch_contact;  ///< [touches] contact of each touch
  size_t *val_ptr;     ///< [touches] into H and Y, in which there may be gaps
  size_t entries;      ///< of H and Y, gaps included
  double *H;           ///< H_cb, dim x n_b by columns; STC_BSR_PAD zeros past the end
  double *Y;           ///< M_b^-1 H_cb^T, n_b x dim by columns
  int *on_ptr;         ///< [count+1] touches of each body
  int *on_touch;       ///< [touches] touch numbers, by body, increasing
  double unit;         ///< of kappa, 1/kg
  double *kappa;       ///< [contacts] tr(W_ii)/dim; the largest of all where W_ii = 0
  double *diagonal;    ///< [contacts*dim*dim] W_ii by columns; STC_BSR_PAD zeros past the end
  bool *immovable;     ///< [contacts] row i of W is exactly zero
  size_t blocks;       ///< of W, or an upper bound where counting takes longer than 0.1 s
} stc_bodies;

static inline int stc_body_size(const stc_bodies *bodies, int b) {
  return bodies->ptr[b + 1] - bodies->ptr[b];
}

static inline int stc_bodies_touches(const stc_bodies *bodies) {
  return bodies->touch_ptr[bodies->contacts];
}

/// The bodies of a global problem: the blocks of M, those of one sphere joined. count stays 0 where
/// M has a large block, or one that is not positive definite.
stc_error stc_bodies_find(stc_arena *arena, const stc_csr *M, const stc_csr *H, int dim,
                          stc_bodies *bodies);

/// What follows from M, H and the touches: inverses, Y, W_ii, the unit. *singular is the first body
/// whose M_b is not positive definite, and row the position in it; -1: none.
stc_error stc_bodies_finish(stc_arena *arena, stc_bodies *bodies, int *singular, int *row);

/// The two halves of it, where the inverses come from elsewhere: room for what follows, and all
/// that follows from M, its inverse, H and the touches but the number of blocks of W.
stc_error stc_bodies_take(stc_arena *arena, stc_bodies *bodies);
void stc_bodies_complete(stc_bodies *bodies);

/// Lists the touches by body: on_ptr, which is zero before, and on_touch.
void stc_bodies_sort(stc_bodies *bodies);

/// block [dim*dim] += H_ib M_b^-1 H_jb^T, by columns; both touches are on the same body b.
void stc_bodies_add_block(const stc_bodies *bodies, int touch_i, int touch_j, double *block);

/// W_cc, kappa and immovable of contact c.
void stc_bodies_measure(stc_bodies *bodies, int c);

/// The power of two with x in [unit, 2 unit), within bounds; 1 for x = 0.
double stc_unit_of(double x);

/// kappa of contacts that nothing moves: the largest of all, 1 if there is none.
void stc_fill_kappa(int contacts, double *kappa);

/// u [dim] += sign H_t v of the body of touch t; v [dofs].
void stc_bodies_add_motion(const stc_bodies *bodies, int touch, const double *v, double sign,
                           double *u);

/// x = -M^-1 f; f [dofs] as in the problem, x [dofs] ordered by body.
void stc_bodies_settle(const stc_bodies *bodies, const double *f, double *x);

/// Fills blocks.
stc_error stc_bodies_count_blocks(stc_bodies *bodies);

/// The contacts j > i coupled to i, each once, in `list`; seen[j] = i marks them. Returns how many.
int stc_bodies_partners(const stc_bodies *bodies, int i, int *seen, int *list);

/// Position in on_touch from which the contacts of body b are at least those of touch t.
int stc_bodies_first_from(const stc_bodies *bodies, int b, int t);

#endif
