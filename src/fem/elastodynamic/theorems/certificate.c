// How many answers a step has. Of two, with the differences df, dv = W df and dw = -dv_T,
//   df.W df <= sum_i [ f_N L |dw|^2 + M |df_N| |dw| - (eta/(a lever)) df_N^2 ],
// M = max mu, f_N of the first, from whose slip and friction the law falls at most by L per slip,
// to any other slip: L <= max(-mu'). Contact is monotone, and more so where it is rounded. What is
// left is a quadratic form of dw, or of df.
#include "../strip/strip_data.h"

#include <string.h>

#include "../../../base/fail.h"
#include "../../../linalg/small.h"

/// A matrix is positive definite beyond rounding where every pivot is above this part of its scale.
static const double CERTAIN = 1e-10;

/// Slip rates this close to each other are one answer.
static const double SAME = 1e-6;

/// Rows of a dense matrix at most: 128 MB.
enum { MOST_ROWS = 4000 };

/// Parts of W_NN that are tried against the coupling of contact and friction.
static const double parts[] = {0.3, 0.1, 0.03};
enum { PARTS = sizeof parts / sizeof *parts };

const char *stc_strip_answers_name(stc_strip_answers answers) {
  static const char *const names[] = {"undecided", "one", "several"};
  return (unsigned)answers <= STC_ANSWERS_SEVERAL ? names[answers] : "?";
}

// How steeply friction of node i falls from what it is to any other, over the pressure; at most L.
static double steepness_at(const stc_interface *f, int i) {
  const double *force = f->f + i * f->dim;
  double w[2] = {0}, friction = stc_interface_norm(f->dim - 1, force + 1);
  if (!(force[0] > 0)) return 0;
  stc_interface_slip(f, i, w);
  double speed =
      stc_interface_norm(f->dim - 1, f->law.eta_t > 0 ? w : f->w_before + i * (f->dim - 1));
  return stc_interface_secant(&f->law, speed, friction / force[0]);
}

// What is multiplied by |dw|^2 at node i of steepness L, theta W_NN of a law of contact that is not
// rounded.
static double weight_of(const stc_interface *f, int i, double L, double theta) {
  double falling = fmax(f->f[i * f->dim], 0) * L;
  double mu = stc_interface_greatest(&f->law), eta = f->law.eta_n;
  if (eta > 0) return falling + mu * mu * f->area[i] * f->law.lever / (4 * eta);
  double normal = theta * *stc_interface_block(f, i);
  return normal > 0 ? falling + mu * mu / (4 * normal) : falling;
}

// --- Contact that is rounded: I - sqrt(D) W_TT sqrt(D) ---

static void fill_scaled(const stc_interface *f, const double *weight, double *A) {
  int d = f->dim, t = d - 1, n = f->nodes * t;
  for (int i = 0; i < n; i++) A[i * n + i] = 1;
  for (int i = 0; i < f->nodes; i++)
    for (int e = f->W.ptr[i]; e < f->W.ptr[i + 1]; e++) {
      const double *block = f->W.val + (size_t)e * (size_t)(d * d);
      int j = f->W.col[e];
      double scale = sqrt(weight[i]) * sqrt(weight[j]);
      for (int k = 0; k < t; k++)
        for (int l = 0; l < t; l++)
          A[(i * t + k) * n + j * t + l] -= scale * block[(l + 1) * d + k + 1];
    }
}

static stc_error is_small(const stc_interface *f, const double *weight, bool *one) {
  int n = f->nodes * (f->dim - 1);
  STC_ARENA work = {0};
  if (n > MOST_ROWS) return STC_OK;
  double *A = STC_TAKE(&work, double, (size_t)n *(size_t)n);
  STC_TRY(stc_arena_check(&work));
  fill_scaled(f, weight, A);
  *one = stc_small_cholesky(n, A, CERTAIN) < 0;
  return STC_OK;
}

// --- Contact that is not: W - theta W_NN - W_T^T D W_T ---

// Row `row` of W [size].
static void row_of(const stc_interface *f, int row, double *x) {
  int d = f->dim, i = row / d;
  memset(x, 0, (size_t)f->size * sizeof *x);
  for (int e = f->W.ptr[i]; e < f->W.ptr[i + 1]; e++)
    for (int l = 0; l < d; l++)
      x[f->W.col[e] * d + l] = f->W.val[(size_t)e * (size_t)(d * d) + (size_t)(l * d + row % d)];
}

static void fill_form(const stc_interface *f, const double *weight, double theta, double *x,
                      double *A) {
  int d = f->dim, n = f->size;
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  for (int row = 0; row < n; row++) {
    row_of(f, row, x);
    for (int j = 0; j < n; j++) A[row * n + j] += x[j];
    if (row % d == 0) A[row * n + row] -= theta * x[row];
    for (int i = 0; i < n && row % d > 0; i++)
      for (int j = 0; j < n && x[i] != 0; j++) A[i * n + j] -= weight[row / d] * x[i] * x[j];
  }
  // What no force moves has no force of its own.
  for (int row = 0; row < n; row++)
    for (int j = 0; j < n; j++)
      if (f->held[row] || f->held[j]) A[row * n + j] = row == j ? *stc_interface_block(f, 0) : 0;
}

static stc_error is_definite(const stc_interface *f, double *weight, bool *one) {
  size_t n = (size_t)f->size;
  STC_ARENA work = {0};
  if (n > MOST_ROWS) return STC_OK;
  double *A = STC_TAKE_RAW(&work, double, n *n), *x = STC_TAKE_RAW(&work, double, n), scale = 0;
  STC_TRY(stc_arena_check(&work));
  for (int i = 0; i < f->nodes; i++) scale = fmax(scale, *stc_interface_block(f, i));
  for (int k = 0; k < PARTS && !*one; k++) {
    for (int i = 0; i < f->nodes; i++) weight[i] = weight_of(f, i, steepness_at(f, i), parts[k]);
    fill_form(f, weight, parts[k], x, A);
    *one = stc_small_cholesky(f->size, A, CERTAIN * scale) < 0;
  }
  return STC_OK;
}

// --- Another answer ---

static double apart_from(const stc_interface *f, bool *differs) {
  double most = 0;
  for (int i = 0; i < f->nodes; i++) {
    const double *before = f->w_before + i * (f->dim - 1);
    double w[2] = {0}, d[2] = {0};
    stc_interface_slip(f, i, w);
    for (int k = 0; k < f->dim - 1; k++) d[k] = w[k] - before[k];
    double apart = stc_interface_norm(f->dim - 1, d);
    double scale = stc_interface_norm(f->dim - 1, w) + stc_interface_norm(f->dim - 1, before);
    *differs = *differs || apart > SAME * (scale + stc_interface_speed(&f->law));
    most = fmax(most, apart);
  }
  return most;
}

// The same step by other rules, from the forces it has.
static void look_for_another(stc_strip *s, stc_strip_certificate *c) {
  stc_interface *f = &s->surface;
  const stc_strip_settings *set = &s->settings;
  size_t bytes = (size_t)f->size * sizeof *f->f;
  stc_root_rule rule = f->law.rule;
  memcpy(f->kept, f->f, bytes);
  for (stc_root_rule other = STC_ROOT_MIN; other <= STC_ROOT_MAX; other++) {
    int count = 0;
    double residual;
    bool differs = false;
    f->law.rule = other;
    stc_interface_sweep(f, set->tol, set->max_sweeps, &count, &residual);
    bool found = stc_interface_newton(f, set->tol, set->max_iterations, false, &count, &residual);
    double apart = apart_from(f, &differs);
    if (found && differs) {
      c->answers = STC_ANSWERS_SEVERAL;
      c->apart = fmax(c->apart, apart);
    }
    memcpy(f->f, f->kept, bytes);
  }
  f->law.rule = rule;
  stc_interface_move(f);
}

stc_error stc_strip_certify(stc_strip *strip, stc_strip_certificate *c) {
  if (!strip || !c)
    return stc_fail(STC_ERR_ARGUMENT, "stc_strip_certify needs a strip and a certificate");
  *c = (stc_strip_certificate){.answers = STC_ANSWERS_UNDECIDED};
  if (!strip->stepped) return stc_fail(STC_ERR_ARGUMENT, "stc_strip_certify needs a step first");
  stc_interface *f = &strip->surface;
  bool rounded = f->law.eta_n > 0, one = false;
  STC_ARENA work = {0};
  double *weight = STC_TAKE(&work, double, f->nodes);
  STC_TRY(stc_arena_check(&work));
  for (int i = 0; i < f->nodes; i++) {
    double most = weight_of(f, i, stc_interface_falling(&f->law), parts[0]);
    weight[i] = weight_of(f, i, steepness_at(f, i), parts[0]);
    c->coarse = fmax(c->coarse, f->b * most / f->area[i]);
  }
  c->sharp = stc_interface_greatest_eigenvalue(f, weight);
  if (stc_interface_residual(f) > strip->settings.tol) return STC_OK;
  if (rounded && c->sharp < 1) STC_TRY(is_small(f, weight, &one));
  if (!rounded) STC_TRY(is_definite(f, weight, &one));
  if (one)
    c->answers = STC_ANSWERS_ONE;
  else
    look_for_another(strip, c);
  return STC_OK;
}
