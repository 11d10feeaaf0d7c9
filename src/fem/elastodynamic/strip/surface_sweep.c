// Gauss-Seidel for the surface: node by node the law is solved exactly while the others keep their
// forces, and all answers are known. With b the greatest eigenvalue of W_TT of the node,
//   z = w + b f_T,   |w| + b f_N mu(|w|) Dir_T(|w|) = |z|,   f_T = (z - w)/b,
// the curve of the column, with the impedance 1/b and the load f_N.
#include "interface.h"

#include <string.h>

enum { HALVINGS = 200 };  // of an interval of doubles: ends long before
enum { ROOTS = 16 };      // of a node at most; STC_CURVE_ROOTS where mu falls exponentially

/// Slip rates this close to each other are one answer.
static const double SAME = 1e-6;

/// The scalar problem of a node.
typedef struct stc_node_curve {
  const stc_interface_law *law;
  stc_curve curve;
  double eta;
  double z;
} stc_node_curve;

// Below eta: the w with w (1 + b f_N mu(w)/eta) = z; it rises wherever eta max|mu'| < mu.
static double rounded_root(const stc_node_curve *c) {
  double low = 0, high = c->eta;
  for (int k = 0; k < HALVINGS; k++) {
    double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    double mu = stc_rate_mu(&c->curve.law, middle);
    double value = middle * (1 + c->curve.load * mu / (c->eta * c->curve.impedance));
    if (value > c->z)
      high = middle;
    else
      low = middle;
  }
  return low + (high - low) / 2;
}

// All |w| that answer z, rising. Above eta the roots are those of the law itself.
static int all_roots(const stc_node_curve *c, double root[ROOTS]) {
  if (c->law->curve)
    return stc_rate_curve_roots(c->law, c->curve.load / c->curve.impedance, c->z, ROOTS, root);
  double exact[STC_CURVE_ROOTS], q = c->z * c->curve.impedance;
  if (c->eta == 0) return stc_curve_roots(&c->curve, q, root);
  int count = 0, all = stc_curve_roots(&c->curve, q, exact);
  double top = c->eta + c->curve.load * stc_rate_mu(&c->curve.law, c->eta) / c->curve.impedance;
  if (c->z <= top) root[count++] = rounded_root(c);
  for (int k = 0; k < all; k++)
    if (exact[k] > c->eta) root[count++] = exact[k];
  if (count == 0) root[count++] = c->eta;  // z at the corner, within rounding
  return count;
}

static double nearest(const double *root, int count, double before) {
  int best = 0;
  for (int k = 1; k < count; k++)
    if (fabs(root[k] - before) < fabs(root[best] - before)) best = k;
  return root[best];
}

// `before` is the slip of the step before, 0 if it stuck or slid the other way.
static double choose_root(const stc_node_curve *c, stc_root_rule rule, double before) {
  double root[ROOTS], w_fold, q_fold;
  int count = all_roots(c, root);
  if (rule == STC_ROOT_MIN || count == 1) return root[0];
  if (rule == STC_ROOT_MAX) return root[count - 1];
  if (before <= c->eta) return root[0];
  if (c->law->curve) return nearest(root, count, before);
  stc_curve_fold(&c->curve, &w_fold, &q_fold);
  if (before >= w_fold) return root[count - 1] >= w_fold ? root[count - 1] : root[0];
  return count == STC_CURVE_ROOTS ? root[1] : root[0];
}

static stc_node_curve curve_of(const stc_interface *s, int i, double z) {
  return (stc_node_curve){
      .law = &s->law,
      .curve = {.impedance = s->r_t[i], .load = fmax(s->f[i * s->dim], 0), .law = s->law.rate},
      .eta = s->law.eta_t,
      .z = z};
}

// z of a node from what it has; its length.
static double pull(const stc_interface *s, int i, double z[2]) {
  stc_interface_slip(s, i, z);
  for (int k = 0; k < s->dim - 1; k++) z[k] += s->f[i * s->dim + 1 + k] / s->r_t[i];
  return stc_interface_norm(s->dim - 1, z);
}

int stc_interface_roots(const stc_interface *s, int node) {
  double z[2], root[ROOTS];
  if (s->dim == 1 || !(s->f[node * s->dim] > 0)) return 1;
  stc_node_curve c = curve_of(s, node, pull(s, node, z));
  return all_roots(&c, root);
}

// |w| of node i that the rule takes, for z.
static double ruled_slip(const stc_interface *s, int i, const double *z, double length) {
  stc_node_curve c = curve_of(s, i, length);
  const double *before = s->w_before + i * (s->dim - 1);
  double ahead = 0;
  for (int k = 0; k < s->dim - 1; k++) ahead += before[k] * z[k];
  return choose_root(&c, s->law.rule, ahead > 0 ? stc_interface_norm(s->dim - 1, before) : 0);
}

bool stc_interface_is_ruled(const stc_interface *s) {
  double z[2] = {0}, w[2] = {0};
  for (int i = 0; i < s->nodes; i++) {
    if (stc_interface_roots(s, i) == 1) continue;
    double wanted = ruled_slip(s, i, z, pull(s, i, z));
    stc_interface_slip(s, i, w);
    double found = stc_interface_norm(s->dim - 1, w);
    if (fabs(found - wanted) > SAME * (found + wanted + stc_interface_speed(&s->law))) return false;
  }
  return true;
}

// --- Sweeps ---

// Adds the change df of node j to v everywhere; W is symmetric.
static void spread_force(stc_interface *s, int j, const double *df) {
  int d = s->dim;
  for (int e = s->W.ptr[j]; e < s->W.ptr[j + 1]; e++) {
    const double *block = s->W.val + (size_t)e * (size_t)(d * d);
    double *v = s->v + s->W.col[e] * d;
    for (int k = 0; k < d; k++)
      for (int l = 0; l < d; l++) v[l] += block[l * d + k] * df[k];
  }
}

static double next_normal(const stc_interface *s, int i) {
  const stc_interface_law *law = &s->law;
  double a = s->area[i], W = *stc_interface_block(s, i);
  double f = s->f[i * s->dim], others = s->v[i * s->dim] - W * f;
  double give = law->eta_n + a * law->lever * W;
  if (!(give > 0)) return 0;
  return fmin(fmax(-a * (s->height[i] + law->lever * others) / give, 0), a * law->cap);
}

static void relax_node(stc_interface *s, int i) {
  double *f = s->f + i * s->dim, df[STC_INTERFACE_MAX] = {0}, next[2];
  df[0] = next_normal(s, i) - f[0];
  f[0] += df[0];
  if (df[0] != 0) spread_force(s, i, df);
  if (s->dim == 1) return;
  double z[2] = {0}, length = pull(s, i, z), w = ruled_slip(s, i, z, length);
  for (int k = 0; k < s->dim - 1; k++) {
    bool still = s->held[i * s->dim + 1 + k] && !(w > s->law.eta_t);
    next[k] = length > 0 && !still ? z[k] * (1 - w / length) * s->r_t[i] : 0;
  }
  df[0] = 0;
  bool moved = false;
  for (int k = 1; k < s->dim; k++) {
    df[k] = next[k - 1] - f[k];
    f[k] = next[k - 1];
    moved = moved || df[k] != 0;
  }
  if (moved) spread_force(s, i, df);
}

bool stc_interface_sweep(stc_interface *s, double tol, int limit, int *sweeps, double *residual) {
  stc_interface_move(s);
  *residual = stc_interface_residual(s);
  for (int k = 0; k < limit && (k == 0 || *residual > tol); k++) {
    for (int i = 0; i < s->nodes; i++) relax_node(s, i);
    stc_interface_move(s);
    *residual = stc_interface_residual(s);
    ++*sweeps;
  }
  return *residual <= tol;
}
