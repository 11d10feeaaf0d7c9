// The hot loops of Gauss–Seidel, compiled for the processor at hand. A block of W times z_j is
// three vector multiply-adds over the block's columns; lanes past the dimension carry numbers
// nobody reads.
#include "sweep.h"

#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

typedef double vec __attribute__((vector_size(32)));  // four doubles

enum { CHAINS = 3 };  // sums kept side by side, so that additions do not wait for each other

// sum += a x over four doubles.
ALWAYS void add(vec *sum, double a, const double *x) {
  vec v;
  memcpy(&v, x, sizeof v);
  *sum += v * a;
}

// c = q + the sums.
ALWAYS void collect(const double *q, const vec *sum, double *c) {
  vec total;
  memcpy(&total, q, sizeof total);
  total += (sum[0] + sum[1]) + sum[2];
  memcpy(c, &total, sizeof total);
}

// The contact alone, given c = everything but W_ii z_i; z is replaced by the relaxed answer.
ALWAYS void settle(stc_sweep *s, int i, int d, const double *c, double *z) {
  double x[4];
  memcpy(x, z, (size_t)d * sizeof *x);
  bool found = d == 3 ? stc_cone3_solve(&s->cone3[i], c, x, &s->lambda[i])
                      : stc_cone2_solve(&s->cone2[i], c, x);
  if (!found) {
    memcpy(x, z, (size_t)d * sizeof *x);
    stc_cone_solve_robust(d, s->block + (ptrdiff_t)i * d * d, c, x);
  }
  if (s->omega == 1)
    for (int k = 0; k < d; k++) z[k] = x[k];
  else
    for (int k = 0; k < d; k++) z[k] += s->omega * (x[k] - z[k]);
}

ALWAYS void visit_assembled(stc_sweep *s, int i, int d) {
  vec sum[CHAINS];
  double c[4];
  memset(sum, 0, sizeof sum);
  for (int e = s->ptr[i], end = s->ptr[i + 1]; e < end; e++) {
    const double *block = s->off + (ptrdiff_t)e * d * d, *z = s->z + (ptrdiff_t)s->col[e] * d;
    for (int k = 0; k < d; k++) add(&sum[k], z[k], block + k * d);
  }
  collect(s->q + (ptrdiff_t)i * d, sum, c);
  settle(s, i, d, c, s->z + (ptrdiff_t)i * d);
}

// sum += H v of one body, and v += Y dz.
ALWAYS void read_body(const double *H, const double *v, int n, int d, vec *sum) {
  for (int k = 0; k < n; k++) add(&sum[k % CHAINS], v[k], H + k * d);
}

ALWAYS void push_body(const double *restrict Y, double *restrict v, int n, int d,
                      const double *restrict dz) {
  for (int k = 0; k < n; k++) {
    double sum = Y[k] * dz[0] + Y[k + n] * dz[1];
    v[k] += d == 3 ? sum + Y[k + 2 * n] * dz[2] : sum;
  }
}

// The degrees of freedom of touch t and the place of its H and Y. Where all bodies are rigid both
// are known without looking.
ALWAYS int touch_size(const stc_sweep *s, int t, int d, bool rigid, size_t *place) {
  const stc_bodies *b = &s->problem->bodies;
  const int full = d == 3 ? 6 : 3;
  *place = rigid ? (size_t)t * (size_t)(full * d) : b->val_ptr[t];
  return rigid ? full : b->ptr[b->touch_body[t] + 1] - b->ptr[b->touch_body[t]];
}

ALWAYS void visit_free(stc_sweep *s, int i, int d, bool rigid) {
  const int begin = s->problem->bodies.touch_ptr[i], end = s->problem->bodies.touch_ptr[i + 1];
  const double *D = s->D + (ptrdiff_t)i * d, *W = s->block + (ptrdiff_t)i * d * d;
  double *z = s->z + (ptrdiff_t)i * d, c[4], before[3], dz[3];
  size_t place;
  vec sum[CHAINS];
  memset(sum, 0, sizeof sum);
  for (int t = begin; t < end; t++) {
    int n = touch_size(s, t, d, rigid, &place);
    read_body(s->H + place, s->v + s->first[t], n, d, sum);
  }
  collect(s->q + (ptrdiff_t)i * d, sum, c);
  for (int k = 0; k < d; k++) {
    before[k] = z[k];
    c[k] += s->weight[i] * D[k] * D[k] * z[k];
    for (int l = 0; l < d; l++) c[k] -= W[k + l * d] * z[l];
  }
  settle(s, i, d, c, z);
  bool same = true;
  for (int k = 0; k < d; k++) {
    dz[k] = z[k] - before[k];
    same = same && dz[k] == 0;
  }
  for (int t = begin; t < end && !same; t++) {
    int n = touch_size(s, t, d, rigid, &place);
    push_body(s->Y + place, s->v + s->first[t], n, d, dz);
  }
}

enum form { ASSEMBLED, RIGID, GENERAL };

ALWAYS void pass(stc_sweep *s, int d, enum form form, bool forward) {
  int n = s->problem->contacts;
  for (int k = 0; k < n; k++) {
    int i = forward ? k : n - 1 - k;
    if (s->problem->immovable[i]) continue;
    if (form == ASSEMBLED)
      visit_assembled(s, i, d);
    else
      visit_free(s, i, d, form == RIGID);
  }
}

#define PASSES(suffix, target)                                                                     \
  target static void pass_##suffix(stc_sweep *s, bool forward) {                                   \
    bool solid = s->problem->dim == 3;                                                             \
    if (!s->matrix_free && solid)                                                                  \
      pass(s, 3, ASSEMBLED, forward);                                                              \
    else if (!s->matrix_free)                                                                      \
      pass(s, 2, ASSEMBLED, forward);                                                              \
    else if (s->rigid && solid)                                                                    \
      pass(s, 3, RIGID, forward);                                                                  \
    else if (s->rigid)                                                                             \
      pass(s, 2, RIGID, forward);                                                                  \
    else if (solid)                                                                                \
      pass(s, 3, GENERAL, forward);                                                                \
    else                                                                                           \
      pass(s, 2, GENERAL, forward);                                                                \
  }

PASSES(plain, )
#if defined(__x86_64__)
PASSES(avx2, __attribute__((target("avx2,fma"))))
#endif

static void sweep(stc_sweep *s, bool forward) {
  if (s->problem->turning) {
    stc_sweep_turning(s, forward);
    return;
  }
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    pass_avx2(s, forward);
    return;
  }
#endif
  pass_plain(s, forward);
}

void stc_sweep_forward(stc_sweep *s) { sweep(s, true); }
void stc_sweep_backward(stc_sweep *s) { sweep(s, false); }
