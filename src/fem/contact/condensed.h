// A linear step seen from the contacts that may close: the bodies are eliminated,
//   v = q + W (r - r0),   W = H K^-1 H^T
// with the same iterates as the step over all unknowns.
#ifndef STC_FEM_CONDENSED_H
#define STC_FEM_CONDENSED_H

#include <stiction/fem.h>

#include "../../linalg/sparse_solver.h"

// One linear step with contact, over the free unknowns: K du = b + H^T r,   v = g + H du,   (v, r)
// obey the law of every candidate v = gap at the end of the step, then slip since its beginning; r
// in newtons, N, T1[, T2].

typedef struct stc_linear_step {
  int dim;                        ///< rows per candidate
  int count;                      ///< candidates
  const stc_csr *K;               ///< [free x free], both triangles
  stc_sparse_solver *spd;         ///< K is factorised in it, or its hierarchy is made
  const stc_csr *H;               ///< [count*dim x free]
  const double *b;                ///< [free] what drives the bodies besides contact
  const double *g;                ///< [count*dim] gap and slip at du = 0
  const double *mu;               ///< [count]
  const double *area;             ///< [count] tributary; 0: has nothing opposite, never closes
  const int *slave;               ///< [count] mesh node of each candidate
  const stc_sparse_hints *hints;  ///< those of spd
  double tol;                     ///< relative residual of the linear solves
  bool (*progress)(void *user, const char *stage, double done);
  void *progress_user;
} stc_linear_step;

typedef struct stc_condensed {
  int contacts;
  int *candidate;  ///< [contacts] numbers among the candidates of the step
  int *offset;     ///< [contacts+1] first row; N, then the tangents that can move; none if mu = 0
  int *row;        ///< [offset[contacts]] numbers among the rows of H
  int ld;          ///< leading dimension of W
  double *W;       ///< [ld*ld] by columns, symmetric
  double *q;       ///< [rows] v at r0
  double *r0;      ///< [rows]
  const double *mu, *area;  ///< [candidates of the step]
} stc_condensed;

static inline int stc_condensed_rows(const stc_condensed *c) { return c->offset[c->contacts]; }

/// v [rows] = q + W (r - r0).
void stc_condensed_apply(const stc_condensed *c, const double *r, double *v);

/// Keeps W between steps with the same K and H; grows with the contacts that are asked for.
typedef struct stc_condenser stc_condenser;

stc_error stc_condenser_create(int dim, int count, stc_condenser **condenser);
void stc_condenser_free(stc_condenser **condenser);

/// Forgets W: K or H is another one.
void stc_condenser_reset(stc_condenser *condenser);

/// Starts a step at the reactions r [count*dim]: solves for the bodies with r given, and sees to it
/// that all contacts that press or would penetrate are in the set.
stc_error stc_condenser_begin(stc_condenser *condenser, const stc_linear_step *step,
                              const double *r);

/// The set as it stands.
const stc_condensed *stc_condenser_set(const stc_condenser *condenser);

/// Ends with the reactions rw [rows of the set]: writes r [count*dim], du [free], v [count*dim];
/// where `grow`, contacts outside that would penetrate deeper than `tol` join the set and `added`
/// tells how many: the set is to be solved again.
stc_error stc_condenser_end(stc_condenser *condenser, const stc_linear_step *step, const double *rw,
                            bool grow, double tol, double *r, double *du, double *v, int *added);

#endif
