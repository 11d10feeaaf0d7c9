// The contact surface of one step, everything else condensed into W:
//   v = v_free + W f,   xi = -(height + lever v_N),   w = tau - v_T,
//   f_N = a J_N(xi),   f_T = f_N mu(|w|) Dir_T(w)   at every node, a its area.
// Components of a node: N (up, into the body), then the tangents.
#ifndef STC_FEM_INTERFACE_H
#define STC_FEM_INTERFACE_H

#include "../../../base/memory.h"
#include "../../../linalg/bsr.h"
#include "../../../linalg/sparse_solver.h"

#include <math.h>

#include <stiction/elastodynamic_strip.h>

enum { STC_INTERFACE_MAX = 3 };  // components of a node

/// Contact and friction, the same for all nodes.
typedef struct stc_interface_law {
  stc_rate_law rate;
  const stc_rate_curve *curve;  ///< instead; NULL: none
  double flat;                  ///< part in which mu is still mu(0), 0: it falls as it should
  stc_root_rule rule;
  double eta_n, eta_t;
  double cap;    ///< greatest p; infinite: none
  double lever;  ///< displacement of the middle per velocity: dt/2, or 1 at rest
} stc_interface_law;

/// mu, its derivative, max |mu'| and max mu; a slip rate over which mu changes.
double stc_interface_mu(const stc_interface_law *law, double w);
double stc_interface_slope(const stc_interface_law *law, double w);
double stc_interface_steepest(const stc_interface_law *law);
double stc_interface_greatest(const stc_interface_law *law);
double stc_interface_falling(const stc_interface_law *law);  ///< max(-mu')
double stc_interface_speed(const stc_interface_law *law);

/// How steeply mu falls from the slip rate w, where the friction is D times the pressure (less than
/// mu(w) where it sticks), to any other: sup of -(m(r) - D)/(r - w), m(r) = mu(r) min(1, r/eta_t).
double stc_interface_secant(const stc_interface_law *law, double w, double D);

stc_error stc_rate_curve_check(const stc_rate_curve *curve, double eta_t);

/// All w with w + load mu(w) min(1, w/eta_t) = z of a law with a curve, rising, `most` at most; how
/// many. Of a function those that 256 places between 0 and z tell apart.
int stc_rate_curve_roots(const stc_interface_law *law, double load, double z, int most,
                         double *root);

typedef enum stc_interface_status {
  STC_INTERFACE_OPEN,
  STC_INTERFACE_STUCK,
  STC_INTERFACE_SLIDING
} stc_interface_status;

typedef struct stc_interface {
  stc_arena arena;
  int nodes, dim, size;  ///< size = nodes*dim
  stc_interface_law law;
  double *area;  ///< [nodes]
  bool *held;    ///< [size] components that no force moves
  stc_bsr W;     ///< what is below rounding is left out; col and val on the heap
  double *r_n;   ///< [nodes] force per displacement, of the size of the body's
  double *r_t;   ///< [nodes] force per velocity; b_i = 1/r_t is the greatest eigenvalue of W_TT
  double b;      ///< greatest eigenvalue of sqrt(a) W_TT sqrt(a)

  // The part of W that Newton's matrix takes: what is left out of a row is small beside W_ii.
  int *near_ptr;              ///< [nodes+1]
  int *near_entry;            ///< [near_ptr[nodes]] blocks of W
  stc_csr newton;             ///< size x size
  stc_sparse_solver *solver;  ///< of newton

  // One problem.
  double *tau;              ///< [nodes*(dim-1)] velocity of the support
  double *height;           ///< [nodes] of the surface at the beginning
  double *v_free, *f, *v;   ///< [size]
  double *w_before;         ///< [nodes*(dim-1)] slip of the step before, for the rule of delay
  double *g, *best, *kept;  ///< [size]
  double *Jf, *Jv;          ///< [nodes*dim*dim] of a node's law
} stc_interface;

/// Arrays for `nodes` nodes; area, held and W are the caller's to fill.
stc_error stc_interface_create(int nodes, int dim, const stc_interface_law *law,
                               stc_interface *surface);
void stc_interface_free(stc_interface *surface);

/// After W is there: scales, b, the near part and its factors.
stc_error stc_interface_prepare(stc_interface *surface);

/// W_ii, by columns.
static inline const double *stc_interface_block(const stc_interface *s, int i) {
  return s->W.val + (size_t)s->W.diag[i] * (size_t)(s->dim * s->dim);
}

/// v = v_free + W f.
void stc_interface_move(stc_interface *surface);

/// What a node's law says: residual g [dim] in units of force and, where not NULL, dg/df and dg/dv
/// by rows.
stc_interface_status stc_interface_node(const stc_interface *surface, int node, double *g,
                                        double *Jf, double *Jv);

/// Largest |g|, over the largest force there is.
double stc_interface_residual(const stc_interface *surface);

/// Newton's method from f, whole steps or damped ones; the residual reached. True where it is at
/// most tol.
bool stc_interface_newton(stc_interface *surface, double tol, int limit, bool damped,
                          int *iterations, double *residual);

/// Gauss-Seidel from f: at every node all answers are found and the rule takes one.
bool stc_interface_sweep(stc_interface *surface, double tol, int limit, int *sweeps,
                         double *residual);

/// Answers w that node i has while the others keep their forces.
int stc_interface_roots(const stc_interface *surface, int node);

/// Every node that has several answers has the one that the rule takes.
bool stc_interface_is_ruled(const stc_interface *surface);

/// b_i p_i max|mu'| of the node where it is greatest: from 1 on one node may have several answers.
double stc_interface_steepness(const stc_interface *surface);

/// Greatest eigenvalue of sqrt(weight) W_TT sqrt(weight), weight [nodes]; g and best are work
/// space.
double stc_interface_greatest_eigenvalue(stc_interface *surface, const double *weight);

/// The greatest pressure.
double stc_interface_pressure(const stc_interface *surface);

/// tau - v of a node's tangents [dim-1].
static inline void stc_interface_slip(const stc_interface *s, int node, double *w) {
  for (int k = 1; k < s->dim; k++)
    w[k - 1] = s->tau[node * (s->dim - 1) + k - 1] - s->v[node * s->dim + k];
}

static inline double stc_interface_norm(int count, const double *x) {
  double sum = 0;
  for (int k = 0; k < count; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

#endif
