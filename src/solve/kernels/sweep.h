// Gauss–Seidel sweeps over the contacts: each contact is solved exactly, the others being fixed.
// Works in hat variables z = D^-1 r, D = diag(1, mu1, mu2), in which every cone is the Lorentz
// cone. Problems with spin or rolling stay in their own variables, D = I.
#ifndef STC_SOLVE_SWEEP_H
#define STC_SOLVE_SWEEP_H

#include "../../law/cone_kernel.h"
#include "../../law/scale.h"
#include "../../problem/reduced.h"
#include "lanes4.h"

/// Doubles past the end of arrays that vector loads may touch.
enum { STC_SWEEP_PAD = 4 };  // [size]

typedef struct stc_sweep {
  const stc_reduced *problem;
  bool matrix_free;  ///< keeps body velocities instead of rows of W
  bool stale;        ///< the problem's numbers are yet to be taken
  double omega;      ///< relaxation factor
  double *D;         ///< [size] 1, mu1[, mu2] per contact
  double *z;         ///< [size] current reactions
  double *r;         ///< [size] D z; assembled only
  double *lambda;    ///< [contacts] slip multiplier, the next solve's start
  double *q;         ///< [size] D q, plus the proximal term's constant part
  stc_cone3 *cone3;  ///< [contacts] prepared one-contact problems, 3D; NULL with spin or rolling
  stc_cone2 *cone2;  ///< [contacts] the same, 2D
  double *weight;    ///< [contacts] alpha kappa of the proximal term
  double *v;         ///< [dofs] matrix-free: M^-1 H^T r, ordered by body
  int *first;        ///< [touches] matrix-free: place in v of each touched body
  bool rigid;        ///< matrix-free: every touched body has 6 degrees of freedom (3 in 2D)
  bool in_batches;   ///< the sweeps go over the batches below; v, q and the cones are not used then
  stc_lanes4 batches;
} stc_sweep;

/// matrix_free as in the settings: 1, 0, or -1 for the cheaper one. Assembles W if it needs it. The
/// numbers of the problem are taken at the first use.
stc_error stc_sweep_create(stc_arena *arena, stc_reduced *problem, int matrix_free,
                           stc_sweep *sweep);

/// Bytes that take what it asks for without W.
size_t stc_sweep_bytes(const stc_reduced *problem);

/// Forgets what earlier solves left behind: the proximal term and the slip multipliers.
void stc_sweep_reset(stc_sweep *sweep);

/// The numbers of the problem have changed: the next use copies them again, as after a reset.
void stc_sweep_refresh(stc_sweep *sweep);

/// Adds alpha kappa (r - centre) to u; alpha = 0 (centre NULL) takes the term away.
void stc_sweep_proximal(stc_sweep *sweep, double alpha, const double *centre);

/// Starts from r, or from the projection of x [size], hat variables, on the cones; gives the
/// current reactions.
void stc_sweep_load(stc_sweep *sweep, const double *r);
void stc_sweep_land(stc_sweep *sweep, const double *x);
void stc_sweep_store(const stc_sweep *sweep, double *r);

/// block [dim*dim] = D (W_ii + weight) D: the contact alone.
static inline void stc_sweep_block(const stc_sweep *s, int i, int dim, double *block) {
  const double *D = s->D + (ptrdiff_t)i * dim;
  const double *W = s->problem->diagonal + (ptrdiff_t)i * dim * dim;
  for (int l = 0; l < dim; l++)
    for (int k = 0; k < dim; k++)
      block[k + l * dim] = D[k] * (W[k + l * dim] + (k == l ? s->weight[i] : 0)) * D[l];
}

/// One pass over all contacts, in order or against it.
void stc_sweep_forward(stc_sweep *sweep);
void stc_sweep_backward(stc_sweep *sweep);

/// Both, for one block of contacts after another: of two passes over a large problem, which wait
/// for the memory, one is left.
void stc_sweep_both(stc_sweep *sweep);

/// d [dofs] = displacements of the bodies with n.d >= target [contacts] where impulses along the
/// normals push, by at most so many passes, or until one moves no row by more than `least`. The
/// reactions are lost. False: the contacts are not in batches.
bool stc_sweep_move_apart(stc_sweep *sweep, const double *target, int sweeps, double least,
                          double *d);

/// Contacts of a pass, in order or against it.
typedef struct stc_range {
  int first, end;
  bool forward;
} stc_range;

/// A pass over batches, of which `over` is a range.
void stc_sweep_lanes4(stc_sweep *sweep, stc_range over);

/// A pass for laws with spin or rolling.
void stc_sweep_any_law(stc_sweep *sweep, stc_range over);

#endif
