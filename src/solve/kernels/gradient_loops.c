// The hot loops of projected gradients over rigid bodies, compiled for the processor at hand: four
// contacts side by side, and the rows of G four entries at a time.
#include "gradient_loops.h"

#include "../../law/project_lanes.h"

#include <math.h>
#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

typedef double vec __attribute__((vector_size(32)));  // four doubles

enum { LANES = STC_VISIT_PAD };

// ---- four contacts side by side; vectors go by address, as their way by value is not settled ----

#define SHUFFLE __builtin_shufflevector

// One component of four contacts in each vector.
typedef struct batch {
  vec x[3];
} batch;

ALWAYS void load(vec *v, const double *x) { memcpy(v, x, sizeof *v); }

ALWAYS void store(const vec *v, double *x) { memcpy(x, v, sizeof *v); }

ALWAYS void load_lanes(batch *q, int d, const double *x) {
  vec a, b, c;
  load(&a, x);
  load(&b, x + LANES);
  if (d == 2) {
    q->x[0] = SHUFFLE(a, b, 0, 2, 4, 6);
    q->x[1] = SHUFFLE(a, b, 1, 3, 5, 7);
    return;
  }
  load(&c, x + 2 * LANES);
  vec A = SHUFFLE(a, b, 0, 3, 6, 6), B = SHUFFLE(a, b, 1, 4, 7, 7), C = SHUFFLE(a, b, 2, 5, 5, 5);
  q->x[0] = SHUFFLE(A, c, 0, 1, 2, 5);
  q->x[1] = SHUFFLE(B, c, 0, 1, 2, 6);
  q->x[2] = SHUFFLE(C, c, 0, 1, 4, 7);
}

ALWAYS void store_lanes(const batch *q, int d, double *x) {
  const vec N = q->x[0], T = q->x[1];
  if (d == 2) {
    vec a = SHUFFLE(N, T, 0, 4, 1, 5), b = SHUFFLE(N, T, 2, 6, 3, 7);
    store(&a, x);
    store(&b, x + LANES);
    return;
  }
  const vec S = q->x[2];
  vec A = SHUFFLE(N, T, 0, 4, 1, 1), B = SHUFFLE(N, T, 5, 5, 2, 6), C = SHUFFLE(N, T, 3, 3, 7, 7);
  vec a = SHUFFLE(A, S, 0, 1, 4, 2), b = SHUFFLE(B, S, 0, 5, 2, 3), c = SHUFFLE(C, S, 6, 0, 2, 7);
  store(&a, x);
  store(&b, x + LANES);
  store(&c, x + 2 * LANES);
}

// The sums over the lanes of a, b, c and e.
ALWAYS void sum_lanes(vec *sum, const vec *a, const vec *b, const vec *c, const vec *e) {
  vec ab = SHUFFLE(*a, *b, 0, 4, 2, 6) + SHUFFLE(*a, *b, 1, 5, 3, 7);
  vec ce = SHUFFLE(*c, *e, 0, 4, 2, 6) + SHUFFLE(*c, *e, 1, 5, 3, 7);
  *sum = SHUFFLE(ab, ce, 0, 1, 4, 5) + SHUFFLE(ab, ce, 2, 3, 6, 7);
}

// y = x + beta (x - old)
ALWAYS void extrapolate(batch *y, int d, const batch *x, const batch *old, double beta) {
  for (int k = 0; k < d; k++) y->x[k] = x->x[k] + beta * (x->x[k] - old->x[k]);
}

// ---- contacts ----

ALWAYS int width_of(int d) { return d == 3 ? STC_SPACE_WIDTH : STC_PLANE_WIDTH; }

ALWAYS int stride_of(int d) { return d == 3 ? STC_SPACE_STRIDE : STC_PLANE_STRIDE; }

// The sum of G p over the bodies of contact c, each component spread over the lanes of u. What
// follows a row meets zeros.
ALWAYS void sum_motion(batch *u, const stc_visit *v, int c, int d) {
  const stc_bodies *b = &v->problem->bodies;
  const int width = width_of(d), stride = stride_of(d);
  batch sum = {{{0}, {0}, {0}}};
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
    const double *row = v->a->rigid.row + (ptrdiff_t)t * width * d;
    const double *motion = v->a->rigid.motion + (ptrdiff_t)b->touch_body[t] * stride;
    for (int i = 0; i < stride; i += LANES) {
      vec part, entries;
      load(&part, motion + i);
      for (int k = 0; k < d; k++) {
        load(&entries, row + k * width + i);
        sum.x[k] += entries * part;
      }
    }
  }
  *u = sum;
}

// p += G^T r over the bodies of contact c; the zeros after a body's numbers stay zeros.
ALWAYS void add_impulse(const stc_visit *v, double *impulse, int c, int d, const double *r) {
  const stc_bodies *b = &v->problem->bodies;
  const int width = width_of(d), stride = stride_of(d);
  const vec all = {1, 1, 1, 1}, last = {1, 1, d == 3 ? 0 : 1, 0};
  const double x[3] = {r[0], r[1], d == 3 ? r[2] : 0};
  for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
    const double *row = v->a->rigid.row + (ptrdiff_t)t * width * d;
    double *p = impulse + (ptrdiff_t)b->touch_body[t] * stride;
    for (int i = 0; i < stride; i += LANES) {
      vec part, entries;
      load(&part, p + i);
      for (int k = 0; k < d; k++) {
        load(&entries, row + k * width + i);
        part += entries * ((i + LANES > width ? last : all) * x[k]);
      }
      store(&part, p + i);
    }
  }
}

// Where four contacts stand: in the iterates, or in a copy of the last ones filled up with zeros.
typedef struct place {
  const double *r, *old, *Wr, *Wold, *next, *q, *s, *mu, *k_N, *k_T;
  double *product, *ahead;  // W next, and the step after next
} place;

// Sums by lanes.
typedef struct lanes {
  vec uphill, dWd, dKd;
} lanes;

typedef struct state {
  batch r, old, Wr, Wold;
  vec k[2];
} state;

// The curvature of the last step; then next is r.
ALWAYS void measure(const stc_visit *v, const place *at, int c, int count, int d, state *x,
                    lanes *sum) {
  batch motion[LANES], u, next, y, Wy;
  for (int l = 0; l < count; l++) sum_motion(&motion[l], v, c + l, d);
  for (int l = count; l < LANES; l++) memset(&motion[l], 0, sizeof motion[l]);
  for (int k = 0; k < d; k++)
    sum_lanes(&u.x[k], &motion[0].x[k], &motion[1].x[k], &motion[2].x[k], &motion[3].x[k]);
  load_lanes(&next, d, at->next);
  extrapolate(&y, d, &x->r, &x->old, v->beta);
  extrapolate(&Wy, d, &x->Wr, &x->Wold, v->beta);
  for (int k = 0; k < d; k++) {
    vec step = next.x[k] - y.x[k];
    sum->dWd += step * (u.x[k] - Wy.x[k]);
    sum->dKd += step * step * x->k[k > 0];
  }
  store_lanes(&u, d, at->product);
  x->old = x->r;
  x->r = next;
  x->Wold = x->Wr;
  x->Wr = u;
}

ALWAYS void project(const stc_visit *v, const place *at, int c, int count, int d, const state *x,
                    double *impulse, lanes *sum) {
  batch y, Wy, q, z;
  vec s, mu, length[2] = {v->length / x->k[0], v->length / x->k[1]};
  load_lanes(&q, d, at->q);
  load(&s, at->s);
  load(&mu, at->mu);
  extrapolate(&y, d, &x->r, &x->old, v->ahead);
  extrapolate(&Wy, d, &x->Wr, &x->Wold, v->ahead);
  q.x[0] += s;
  for (int k = 0; k < d; k++) z.x[k] = y.x[k] - (Wy.x[k] + q.x[k]) * length[k > 0];
  const vec stretch = x->k[1] / x->k[0];
  stc_law_project_lanes(d, &mu, &stretch, z.x);
  for (int k = 0; k < d; k++) sum->uphill += x->k[k > 0] * (y.x[k] - z.x[k]) * (z.x[k] - x->r.x[k]);
  store_lanes(&z, d, at->ahead);
  for (int l = 0; l < count; l++) add_impulse(v, impulse, c + l, d, at->ahead + l * d);
}

ALWAYS void visit_four(const stc_visit *v, const place *at, int c, int count, int d,
                       double *impulse, bool measured, bool projected, lanes *sum) {
  state x;
  load_lanes(&x.r, d, at->r);
  load_lanes(&x.old, d, at->old);
  load_lanes(&x.Wr, d, at->Wr);
  load_lanes(&x.Wold, d, at->Wold);
  load(&x.k[0], at->k_N);
  load(&x.k[1], at->k_T);
  if (measured) measure(v, at, c, count, d, &x, sum);
  if (projected) project(v, at, c, count, d, &x, impulse, sum);
}

ALWAYS place place_of(const stc_visit *v, int c, int d, bool measured) {
  const stc_apgd *a = v->a;
  const ptrdiff_t at = (ptrdiff_t)c * d;
  return (place){.r = v->r + at,
                 .old = a->old + at,
                 .Wr = a->Wr + at,
                 .Wold = a->Wold + at,
                 .next = a->next + at,
                 .q = v->problem->q + at,
                 .s = a->s + c,
                 .mu = a->rigid.mu + c,
                 .k_N = a->rigid.k_N + c,
                 .k_T = a->rigid.k_T + c,
                 .product = a->Wold + at,
                 .ahead = (measured ? a->old : a->next) + at};
}

// The last contacts of a run, fewer than four. The others are at rest with r = q = s = 0, and add
// nothing to any sum.
ALWAYS void visit_rest(const stc_visit *v, int c, int count, int d, double *impulse, bool measured,
                       bool projected, lanes *sum) {
  enum { VECTORS = 6, NUMBERS = 4, SIZE = 3 * LANES };  // [size]
  place from = place_of(v, c, d, measured), to = from;
  const size_t bytes = (size_t)(count * d) * sizeof(double);
  const double **const vector[VECTORS] = {&to.r, &to.old, &to.Wr, &to.Wold, &to.next, &to.q};
  const double **const number[NUMBERS] = {&to.s, &to.mu, &to.k_N, &to.k_T};
  double vectors[VECTORS][SIZE] = {{0}}, result[2][SIZE];
  double numbers[NUMBERS][LANES] = {{0}, {0}, {1, 1, 1, 1}, {1, 1, 1, 1}};
  for (int k = 0; k < VECTORS; k++) {
    memcpy(vectors[k], *vector[k], bytes);
    *vector[k] = vectors[k];
  }
  for (int k = 0; k < NUMBERS; k++) {
    memcpy(numbers[k], *number[k], (size_t)count * sizeof(double));
    *number[k] = numbers[k];
  }
  to.product = result[0];
  to.ahead = result[1];
  visit_four(v, &to, c, count, d, impulse, measured, projected, sum);
  if (measured) memcpy(from.product, to.product, bytes);
  if (projected) memcpy(from.ahead, to.ahead, bytes);
}

ALWAYS double total(const vec *x) { return ((*x)[0] + (*x)[1]) + ((*x)[2] + (*x)[3]); }

ALWAYS stc_sums visit_contacts(const stc_visit *v, int run, int d, bool measured, bool projected) {
  const stc_rigid *g = &v->a->rigid;
  const int stride = stride_of(d), n = v->problem->contacts;
  const int end = stc_run_first(n, g->runs, run + 1);
  double *impulse = g->impulse + (ptrdiff_t)run * v->problem->bodies.count * stride;
  lanes sum = {{0}, {0}, {0}};
  int c = stc_run_first(n, g->runs, run);
  for (int b = g->first[run] * stride; projected && b < g->end[run] * stride; b++) impulse[b] = 0;
  for (; c + LANES <= end; c += LANES) {
    place at = place_of(v, c, d, measured);
    visit_four(v, &at, c, LANES, d, impulse, measured, projected, &sum);
  }
  if (c < end) visit_rest(v, c, end - c, d, impulse, measured, projected, &sum);
  return (stc_sums){.uphill = total(&sum.uphill), .dWd = total(&sum.dWd), .dKd = total(&sum.dKd)};
}

#define VISITS(suffix, target)                                                                     \
  target static stc_sums visit_##suffix(const stc_visit *v, int run) {                             \
    bool space = v->problem->dim == 3;                                                             \
    if (space && v->measure && v->project) return visit_contacts(v, run, 3, true, true);           \
    if (space && v->project) return visit_contacts(v, run, 3, false, true);                        \
    if (space) return visit_contacts(v, run, 3, true, false);                                      \
    if (v->measure && v->project) return visit_contacts(v, run, 2, true, true);                    \
    return v->project ? visit_contacts(v, run, 2, false, true)                                     \
                      : visit_contacts(v, run, 2, true, false);                                    \
  }

VISITS(plain, )
#if defined(__x86_64__)
VISITS(avx2, __attribute__((target("avx2,fma"))))
#endif

stc_sums stc_visit_contacts(const stc_visit *v, int run) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return visit_avx2(v, run);
#endif
  return visit_plain(v, run);
}
