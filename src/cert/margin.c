// The proof of existence is one evaluation: u_N - t >= |D u_T| at every contact, u_N - t >= -p.u_T
// for every ray (1, p) of a polygonal cone, with bounds on the rounding errors or exactly.
#include "criterion.h"

#include <float.h>
#include <math.h>

// --- With rounding bounds ---

/// Row i of u = A x + a and a bound on its rounding error.
static double row_value(const stc_csr *A, const double *a, const double *x, int i, double *error) {
  double sum = a[i], size = fabs(a[i]);
  for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
    double term = A->val[k] * x[A->col[k]];
    sum += term;
    size += fabs(term);
  }
  // Products and sums have an error of DBL_EPSILON / 2 each, or of DBL_MIN where they underflow;
  // twice that covers the roundings of `size` itself.
  double operations = 2.0 * (A->ptr[i + 1] - A->ptr[i]) + 1;
  *error = operations * (DBL_EPSILON * size + 2 * DBL_MIN);
  return sum;
}

/// An upper bound of s(u) = mu max { -p . u_T } for a section, and what its terms are made of.
static double section_shift(const stc_law *law, const double *u, const double *error,
                            double *size) {
  double p[2 * STC_POLYGON_CORNERS], most = 0;
  int corners = stc_cone_section_corners(law->section, p);
  for (int k = 0; k < corners; k++) {
    double along = 0;
    for (int l = 0; l < law->dim - 1; l++) {
      double x = law->mu[0] * p[2 * k + l];
      along += fabs(x) * error[l] - x * u[l];
      *size = fmax(*size, fabs(x) * (fabs(u[l]) + error[l]));
    }
    most = fmax(most, along);
  }
  return most;
}

static double contact_margin(const stc_problem *p, const double *x, int c) {
  const stc_csr *A = stc_exact_rows(p);
  const double *a = p->form == STC_FORM_LOCAL ? p->q : p->w;
  double error, tail = 0, normal = row_value(A, a, x, c * p->dim, &error) - error;
  double u[2] = {0}, off[2] = {0}, size = 0;
  for (int k = 1; k < p->dim; k++) {
    u[k - 1] = row_value(A, a, x, c * p->dim + k, &off[k - 1]);
    if (p->law[c].kind != STC_LAW_SECTION)
      tail = hypot(tail, stc_exact_D(p, c, k) * (fabs(u[k - 1]) + off[k - 1]));
  }
  if (p->law[c].kind == STC_LAW_SECTION) tail = section_shift(&p->law[c], u, off, &size);
  // A handful of roundings remain, each below DBL_EPSILON of the numbers at hand.
  return normal - tail - 16 * DBL_EPSILON * (fabs(normal) + error + tail + size) - DBL_MIN;
}

double stc_margin_lower(const stc_problem *p, const double *point, const bool *wanted) {
  double least = INFINITY;
  for (int c = 0; c < p->contacts; c++) {
    double margin = wanted[c] ? contact_margin(p, point, c) : INFINITY;
    if (isnan(margin)) return -INFINITY;  // beyond the greatest double nothing is known
    least = fmin(least, margin);
  }
  return least;
}

// --- Exactly ---

/// sum += row i of A times x.
static void add_row(stc_q sum, const stc_csr *A, int i, const stc_rationals *x) {
  for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
    stc_rational_fma_d(sum, A->val[k], x->at[A->col[k]]);
}

/// Component k of u at contact c.
static void velocity(const stc_problem *p, const stc_rationals *point, const stc_rationals *l,
                     int c, int k, stc_q u) {
  int i = c * p->dim + k;
  stc_q_set_d(u, p->form == STC_FORM_LOCAL ? p->q[i] : p->w[i]);
  add_row(u, stc_exact_rows(p), i, point);
  if (p->form == STC_FORM_LOCAL && p->equalities) add_row(u, &p->V, i, l);
}

/// normal >= -p.u_T for every ray (1, p) of a section.
static bool section_holds(const stc_law *law, stc_q_srcptr normal, stc_q_srcptr const u[2]) {
  double p[2 * STC_POLYGON_CORNERS];
  int corners = stc_cone_section_corners(law->section, p);
  STC_Q mu = {0}, x = {0}, sum = {0};
  stc_q_set_d(mu, law->mu[0]);
  for (int k = 0; k < corners; k++) {
    stc_q_set(sum, normal);
    for (int l = 0; l < law->dim - 1; l++) {
      stc_q_set_d(x, p[2 * k + l]);
      stc_q_mul(x, x, mu);
      stc_rational_fma(sum, x, u[l]);
    }
    if (stc_q_sgn(sum) < 0) return false;
  }
  return true;
}

/// normal >= |D u_T|.
static bool round_holds(const stc_problem *p, int c, stc_q_srcptr normal, stc_q_srcptr const u[2]) {
  STC_Q square = {0}, tail = {0};
  for (int k = 1; k < p->dim; k++) {
    STC_Q scaled = {0};
    stc_rational_fma_d(scaled, stc_exact_D(p, c, k), u[k - 1]);
    stc_rational_fma(tail, scaled, scaled);
  }
  stc_q_mul(square, normal, normal);
  return stc_q_sgn(normal) >= 0 && stc_q_cmp(square, tail) >= 0;
}

static bool contact_holds(const stc_problem *p, const stc_rationals *point, const stc_rationals *l,
                          int c, double t) {
  const stc_law *law = &p->law[c];
  STC_Q normal = {0}, margin = {0}, first = {0}, second = {0};
  stc_q_ptr u[2] = {first, second};
  velocity(p, point, l, c, 0, normal);
  stc_q_set_d(margin, t);
  stc_q_sub(normal, normal, margin);
  for (int k = 1; k < p->dim; k++) velocity(p, point, l, c, k, u[k - 1]);
  stc_q_srcptr const tangent[2] = {first, second};
  return law->kind == STC_LAW_SECTION ? section_holds(law, normal, tangent)
                                      : round_holds(p, c, normal, tangent);
}

bool stc_margin_holds(const stc_problem *p, const stc_rationals *point, const stc_rationals *l,
                      const bool *wanted, double t) {
  for (int c = 0; c < p->contacts; c++)
    if (wanted[c] && !contact_holds(p, point, l, c, t)) return false;
  return true;
}

// --- Joints ---

// Equations that are solved exactly, densely.
enum { MAX_JOINTS = 100 };

/// The local form: R l = -(V^T r + s).
static void local_joints(const stc_problem *p, const stc_rationals *r, stc_rationals *K,
                         stc_rationals *B) {
  int n = p->equalities;
  for (int i = 0; i < n; i++) {
    stc_q_set_d(B->at[i], -p->s[i]);
    for (int k = p->R.ptr[i]; k < p->R.ptr[i + 1]; k++)
      stc_q_set_d(K->at[(ptrdiff_t)i * n + p->R.col[k]], p->R.val[k]);
  }
  for (int i = 0; i < p->size; i++)
    for (int k = p->V.ptr[i]; k < p->V.ptr[i + 1]; k++)
      stc_rational_fma_d(B->at[p->V.col[k]], -p->V.val[k], r->at[i]);
}

/// Row i of G times row j of G.
static void dot_rows(const stc_csr *G, int i, int j, stc_q sum) {
  STC_Q value = {0};
  for (int k = G->ptr[i]; k < G->ptr[i + 1]; k++) {
    stc_q_set_d(value, stc_csr_entry(G, j, G->col[k]));
    stc_rational_fma_d(sum, G->val[k], value);
  }
}

/// The global form: G G^T y = -(G v + b).
static void global_joints(const stc_problem *p, const stc_rationals *v, stc_rationals *K,
                          stc_rationals *B) {
  int n = p->equalities;
  for (int i = 0; i < n; i++) {
    stc_q_set_d(B->at[i], p->b[i]);
    add_row(B->at[i], &p->G, i, v);
    stc_q_neg(B->at[i], B->at[i]);
    for (int j = 0; j < n; j++) dot_rows(&p->G, i, j, K->at[(ptrdiff_t)i * n + j]);
  }
}

stc_error stc_margin_meet_joints(const stc_problem *p, stc_rationals *point, stc_rationals *l,
                                 bool *met) {
  int n = p->equalities;
  bool local = p->form == STC_FORM_LOCAL;
  STC_RATIONALS K = {0}, B = {0};
  *met = n == 0;
  STC_TRY(stc_rationals_create(l, (size_t)n));
  if (n == 0 || n > MAX_JOINTS) return STC_OK;
  STC_TRY(stc_rationals_create(&K, (size_t)n * (size_t)n));
  STC_TRY(stc_rationals_create(&B, (size_t)n));
  (local ? local_joints : global_joints)(p, point, &K, &B);
  *met = stc_rational_eliminate(&K, n, n, &B, 1, NULL) == n;
  for (int k = 0; *met && local && k < n; k++) stc_q_set(l->at[k], B.at[k]);
  if (*met && !local) {
    // v += G^T y.
    for (int i = 0; i < p->equalities; i++)
      for (int k = p->G.ptr[i]; k < p->G.ptr[i + 1]; k++)
        stc_rational_fma_d(point->at[p->G.col[k]], p->G.val[k], B.at[i]);
  }
  return STC_OK;
}
