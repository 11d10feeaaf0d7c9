// Newton's method for the surface, in the forces: with g(f, v) the law of the nodes and
// v = v_free + W f,   (dg/df + dg/dv W) df = -g.
// The matrix takes the near part of W only, so that it stays sparse; g takes all of W, and what is
// left out costs a fixed factor per iteration.
#include "interface.h"

#include <string.h>

#include "../../../base/fail.h"

/// Entries left out of a row of Newton's matrix add up to at most this part of W_ii.
static const double NEAR = 1e-3;

/// A residual at this level is rounding: no further iteration is worth its price.
static const double ENOUGH = 1e-14;

/// The shortest part of the way that a damped iteration goes.
static const double LEAST_PART = 1. / 128;

/// Bytes the factors may take.
static const double MEMORY = 4e9;

/// The power method for b ends where a step changes it by less: digits that a warning needs.
enum { POWERS = 2000 };
static const double POWER_TOLERANCE = 1e-9;

// --- Scales ---

// Greatest eigenvalue of the tangential part of W_ii.
static double tangential(const stc_interface *s, int i) {
  const double *W = stc_interface_block(s, i);
  if (s->dim == 1) return 0;
  if (s->dim == 2) return W[3];
  double mean = (W[4] + W[8]) / 2, half = (W[4] - W[8]) / 2, off = (W[5] + W[7]) / 2;
  return mean + hypot(half, off);
}

// y = sqrt(weight) W_TT sqrt(weight) x.
static void multiply_scaled(const stc_interface *s, const double *weight, const double *x,
                            double *y) {
  int d = s->dim;
  for (int i = 0; i < s->nodes; i++) {
    double sum[STC_INTERFACE_MAX] = {0};
    for (int e = s->W.ptr[i]; e < s->W.ptr[i + 1]; e++) {
      const double *block = s->W.val + (size_t)e * (size_t)(d * d);
      int j = s->W.col[e];
      double root = sqrt(weight[j]);
      for (int k = 1; k < d; k++)
        for (int l = 1; l < d; l++) sum[k] += block[l * d + k] * root * x[j * d + l];
    }
    for (int k = 0; k < d; k++) y[i * d + k] = sqrt(weight[i]) * sum[k];
  }
}

// The power method from a vector that no mode is orthogonal to but by accident.
double stc_interface_greatest_eigenvalue(stc_interface *s, const double *weight) {
  double value = 0, *x = s->g, *y = s->best;
  for (int i = 0; i < s->size; i++) x[i] = 1 + 0.5 * sin(1.7 * i * i);
  for (int k = 0; k < POWERS; k++) {
    double length = stc_interface_norm(s->size, x), before = value;
    if (!(length > 0)) return 0;
    for (int i = 0; i < s->size; i++) x[i] /= length;
    multiply_scaled(s, weight, x, y);
    value = stc_interface_norm(s->size, y);
    double *swap = x;
    x = y, y = swap;
    if (fabs(value - before) <= POWER_TOLERANCE * value) break;
  }
  return value;
}

// --- The near part of W ---

static double largest_entry(const stc_interface *s, int e) {
  double most = 0;
  size_t block = (size_t)(s->dim * s->dim);
  for (size_t k = 0; k < block; k++) most = fmax(most, fabs(s->W.val[(size_t)e * block + k]));
  return most;
}

// The threshold below which entries of row i are left out: halved until their sum is small.
static double near_threshold(const stc_interface *s, int i) {
  double own = largest_entry(s, s->W.diag[i]), left = INFINITY, threshold;
  for (threshold = own; left > NEAR * own; threshold /= 2) {
    left = 0;
    for (int e = s->W.ptr[i]; e < s->W.ptr[i + 1]; e++) {
      double size = largest_entry(s, e);
      if (size < threshold / 2) left += size;
    }
  }
  return threshold;
}

// Marks the near entries and their mirrors, so that the pattern is symmetric; how many.
static int mark_near(const stc_interface *s, bool *near) {
  int count = 0;
  for (int i = 0; i < s->nodes; i++) {
    double threshold = near_threshold(s, i);
    for (int e = s->W.ptr[i]; e < s->W.ptr[i + 1]; e++) {
      int j = s->W.col[e], mirror = stc_csr_find(s->W.col, s->W.ptr[j], s->W.ptr[j + 1], i);
      if (mirror < 0 || (largest_entry(s, e) < threshold && j != i)) continue;
      near[e] = near[mirror] = true;
    }
  }
  for (int e = 0; e < s->W.ptr[s->nodes]; e++) count += near[e];
  return count;
}

static stc_error take_near(stc_interface *s, const bool *near, int count) {
  int d = s->dim;
  s->near_ptr = STC_TAKE(&s->arena, int, (size_t)s->nodes + 1);
  s->near_entry = STC_TAKE(&s->arena, int, count);
  STC_TRY(stc_csr_take(&s->arena, s->size, s->size, (size_t)count * (size_t)(d * d), &s->newton));
  for (int i = 0, at = 0; i < s->nodes; i++) {
    for (int e = s->W.ptr[i]; e < s->W.ptr[i + 1]; e++)
      if (near[e]) s->near_entry[at++] = e;
    s->near_ptr[i + 1] = at;
  }
  for (int row = 0, at = 0; row < s->size; row++) {
    for (int e = s->near_ptr[row / d]; e < s->near_ptr[row / d + 1]; e++)
      for (int l = 0; l < d; l++) s->newton.col[at++] = s->W.col[s->near_entry[e]] * d + l;
    s->newton.ptr[row + 1] = at;
  }
  return STC_OK;
}

static stc_error create_factors(stc_interface *s) {
  int *node = stc_calloc((size_t)s->size, sizeof *node);
  if (!node) return stc_fail(STC_ERR_MEMORY, "out of memory for %d contact nodes", s->nodes);
  for (int row = 0; row < s->size; row++) node[row] = row / s->dim;
  const stc_sparse_hints hints = {.kind = STC_SPARSE_LU, .node = node, .memory = MEMORY};
  stc_error error = stc_sparse_create(&s->newton, &hints, &s->solver);
  stc_release(&node);
  return error;
}

stc_error stc_interface_prepare(stc_interface *s) {
  // A node that cannot move takes the scale of the others.
  double most_n = 0, most_t = 0;
  for (int i = 0; i < s->nodes; i++) {
    double W_n = *stc_interface_block(s, i);
    s->r_n[i] = s->law.lever * W_n + s->law.eta_n / s->area[i];
    s->r_t[i] = tangential(s, i);
    most_n = fmax(most_n, s->r_n[i]);
    most_t = fmax(most_t, s->r_t[i]);
  }
  for (int i = 0; i < s->nodes; i++) {
    s->r_n[i] = 1 / (s->r_n[i] > 0 ? s->r_n[i] : most_n > 0 ? most_n : 1);
    s->r_t[i] = 1 / (s->r_t[i] > 0 ? s->r_t[i] : most_t > 0 ? most_t : 1);
  }
  s->b = stc_interface_greatest_eigenvalue(s, s->area);
  bool *near = stc_calloc((size_t)s->W.ptr[s->nodes], sizeof *near);
  if (!near) return stc_fail(STC_ERR_MEMORY, "out of memory for %d contact nodes", s->nodes);
  stc_error error = take_near(s, near, mark_near(s, near));
  stc_release(&near);
  return error ? error : create_factors(s);
}

// --- Newton's method ---

// C = dg/df (on the diagonal) + dg/dv W_ij.
static void fill_matrix(stc_interface *s) {
  int d = s->dim;
  size_t block = (size_t)(d * d);
  for (int i = 0; i < s->nodes; i++)
    for (int e = s->near_ptr[i]; e < s->near_ptr[i + 1]; e++) {
      const double *Jf = s->Jf + (size_t)i * block, *Jv = s->Jv + (size_t)i * block;
      const double *W = s->W.val + (size_t)s->near_entry[e] * block;
      bool own = s->near_entry[e] == s->W.diag[i];
      for (int k = 0; k < d; k++) {
        double *C = s->newton.val + s->newton.ptr[i * d + k] + (e - s->near_ptr[i]) * d;
        for (int l = 0; l < d; l++) {
          double sum = own ? Jf[k * d + l] : 0;
          for (int m = 0; m < d; m++) sum += Jv[k * d + m] * W[l * d + m];
          C[l] = sum;
        }
      }
    }
}

static void go(stc_interface *s, double part) {
  for (int i = 0; i < s->size; i++) s->f[i] -= part * s->g[i];
  stc_interface_move(s);
}

// The residual after the whole way or, where `damped`, the first part of it that lowers the
// residual; the least part if none does.
static double correct_forces(stc_interface *s, bool damped) {
  double before = stc_interface_residual(s), now, part = 1;
  // The direction to go, to s->g.
  size_t block = (size_t)(s->dim * s->dim);
  for (int i = 0; i < s->nodes; i++)
    stc_interface_node(s, i, s->g + i * s->dim, s->Jf + (size_t)i * block,
                       s->Jv + (size_t)i * block);
  fill_matrix(s);
  // LU fails where the scope of the caller ends: g is not a direction then, and the caller sees it
  if (!stc_sparse_factorise(s->solver, s->newton.val))
    stc_sparse_solve(s->solver, 1, s->g, s->g, INFINITY, NULL);
  go(s, part);
  now = stc_interface_residual(s);
  for (; damped && !(now < before) && part > LEAST_PART; part /= 2) {
    go(s, -part / 2);
    now = stc_interface_residual(s);
  }
  return now;
}

// Ends at rounding, or where the residual is small enough and falls no more.
bool stc_interface_newton(stc_interface *s, double tol, int limit, bool damped, int *iterations,
                          double *residual) {
  size_t bytes = (size_t)s->size * sizeof *s->f;
  stc_interface_move(s);
  double best = stc_interface_residual(s);
  memcpy(s->best, s->f, bytes);
  for (int k = 0; k < limit && best > ENOUGH; k++) {
    double now = correct_forces(s, damped);
    ++*iterations;
    bool idle = best <= tol && !(now < best / 2);
    if (now < best) memcpy(s->best, s->f, bytes), best = now;
    if (idle) break;
    if (!isfinite(now)) memcpy(s->f, s->best, bytes), stc_interface_move(s);
  }
  memcpy(s->f, s->best, bytes);
  stc_interface_move(s);
  *residual = best;
  return best <= tol;
}
