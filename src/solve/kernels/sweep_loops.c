// The hot loops of Gauss–Seidel, compiled for the processor at hand. A block of W times r_j is
// three vector multiply-adds over the block's columns; lanes past the dimension carry numbers
// that are not read. W, H and Y are those of the problem, and D is applied to the sums: no copy is
// made.
#include "sweep.h"

#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

typedef double vec __attribute__((vector_size(32)));  // four doubles

// Contacts whose numbers (0.9 KB each) stay in the cache of a core from one direction to the other,
// and batches (1.6 KB each).
enum { BLOCK = 1000, BATCH_BLOCK = 400 };  // [machine]

enum {
  CHAINS = 3
};  // sums kept side by side, so that additions do not wait for each other [machine]

// sum += a x over four doubles.
ALWAYS void add(vec *sum, double a, const double *x) {
  vec v;
  memcpy(&v, x, sizeof v);
  *sum += v * a;
}

// c = q + D times the sums.
ALWAYS void collect(const double *q, const double *D, const vec *sum, double *c) {
  vec total, scale;
  memcpy(&total, q, sizeof total);
  memcpy(&scale, D, sizeof scale);
  total += scale * ((sum[0] + sum[1]) + sum[2]);
  memcpy(c, &total, sizeof total);
}

typedef struct triple {
  double x[3];
} triple;

// Where the fast formulas have no answer. By value: what has an address is kept in memory, and
// there the fast path would wait for it.
static triple settle_robust(const stc_sweep *s, int i, int d, triple c, triple z) {
  double block[9];
  stc_sweep_block(s, i, d, block);
  stc_cone_solve_robust(d, block, c.x, z.x);
  return z;
}

ALWAYS triple load_triple(const double *x, int d) {
  return (triple){{x[0], x[1], d == 3 ? x[2] : 0}};
}

// The contact alone, given c = everything but W_ii z_i; returns the relaxed answer.
ALWAYS triple settle(stc_sweep *s, int i, int d, const double *c, triple z) {
  double x[3] = {0};
  bool found = d == 3 ? stc_cone3_solve(&s->cone3[i], c, x, &s->lambda[i])
                      : stc_cone2_solve(&s->cone2[i], c, x);
  triple y = found ? load_triple(x, d) : settle_robust(s, i, d, load_triple(c, d), z);
  if (s->omega != 1)
    for (int k = 0; k < d; k++) y.x[k] = z.x[k] + s->omega * (y.x[k] - z.x[k]);
  return y;
}

// The block after e in row i, without the diagonal one at `own`.
ALWAYS int next_block(int e, int own) { return e + 1 + (e + 1 == own); }

ALWAYS void visit_assembled(stc_sweep *s, int i, int d) {
  const stc_bsr *W = &s->problem->W;
  const double *D = s->D + (ptrdiff_t)i * d;
  double *z = s->z + (ptrdiff_t)i * d, *r = s->r + (ptrdiff_t)i * d, c[4];
  vec sum[CHAINS];
  memset(sum, 0, sizeof sum);
  for (int own = W->diag[i], e = next_block(W->ptr[i] - 1, own); e < W->ptr[i + 1];
       e = next_block(e, own)) {
    const double *block = W->val + (ptrdiff_t)e * d * d, *x = s->r + (ptrdiff_t)W->col[e] * d;
    for (int k = 0; k < d; k++) add(&sum[k], x[k], block + k * d);
  }
  collect(s->q + (ptrdiff_t)i * d, D, sum, c);
  triple y = settle(s, i, d, c, load_triple(z, d));
  for (int k = 0; k < d; k++) {
    z[k] = y.x[k];
    r[k] = D[k] * y.x[k];
  }
}

// sum += H v of one body, and v += Y dr.
ALWAYS void read_body(const double *H, const double *v, int n, int d, vec *sum) {
  for (int k = 0; k < n; k++) add(&sum[k % CHAINS], v[k], H + k * d);
}

ALWAYS void push_body(const double *restrict Y, double *restrict v, int n, int d,
                      const double *restrict dr) {
  for (int k = 0; k < n; k++) {
    double sum = Y[k] * dr[0] + Y[k + n] * dr[1];
    v[k] += d == 3 ? sum + Y[k + 2 * n] * dr[2] : sum;
  }
}

// The degrees of freedom of touch t: where all bodies are rigid, known without looking.
ALWAYS int touch_size(const stc_sweep *s, int t, int d, bool rigid) {
  const stc_bodies *b = &s->problem->bodies;
  return rigid ? (d == 3 ? 6 : 3) : stc_body_size(b, b->touch_body[t]);
}

ALWAYS void visit_free(stc_sweep *s, int i, int d, bool rigid) {
  const stc_bodies *b = &s->problem->bodies;
  const int begin = b->touch_ptr[i], end = b->touch_ptr[i + 1];
  const double *D = s->D + (ptrdiff_t)i * d, *W = s->problem->diagonal + (ptrdiff_t)i * d * d;
  double *z = s->z + (ptrdiff_t)i * d, c[4], dr[3];
  vec sum[CHAINS];
  memset(sum, 0, sizeof sum);
  for (int t = begin; t < end; t++) {
    int n = touch_size(s, t, d, rigid);
    read_body(b->H + b->val_ptr[t], s->v + s->first[t], n, d, sum);
  }
  triple before = load_triple(z, d);
  for (int k = 0; k < d; k++)  // without W_ii r_i, which is in the velocities
    add(&sum[k], -D[k] * before.x[k], W + k * d);
  collect(s->q + (ptrdiff_t)i * d, D, sum, c);
  triple y = settle(s, i, d, c, before);
  bool same = true;
  for (int k = 0; k < d; k++) {
    z[k] = y.x[k];
    dr[k] = D[k] * (y.x[k] - before.x[k]);
    same = same && dr[k] == 0;
  }
  for (int t = begin; t < end && !same; t++) {
    int n = touch_size(s, t, d, rigid);
    push_body(b->Y + b->val_ptr[t], s->v + s->first[t], n, d, dr);
  }
}

enum form { ASSEMBLED, RIGID, GENERAL };

ALWAYS void pass(stc_sweep *s, int d, enum form form, stc_range over) {
  for (int k = over.first; k < over.end; k++) {
    int i = over.forward ? k : over.first + over.end - 1 - k;
    if (s->problem->immovable[i]) continue;
    if (form == ASSEMBLED)
      visit_assembled(s, i, d);
    else
      visit_free(s, i, d, form == RIGID);
  }
}

#define PASSES(suffix, target)                                                                     \
  target static void pass_##suffix(stc_sweep *s, stc_range over) {                                 \
    bool solid = s->problem->dim == 3;                                                             \
    if (!s->matrix_free && solid)                                                                  \
      pass(s, 3, ASSEMBLED, over);                                                                 \
    else if (!s->matrix_free)                                                                      \
      pass(s, 2, ASSEMBLED, over);                                                                 \
    else if (s->rigid && solid)                                                                    \
      pass(s, 3, RIGID, over);                                                                     \
    else if (s->rigid)                                                                             \
      pass(s, 2, RIGID, over);                                                                     \
    else if (solid)                                                                                \
      pass(s, 3, GENERAL, over);                                                                   \
    else                                                                                           \
      pass(s, 2, GENERAL, over);                                                                   \
  }

PASSES(plain, )
#if defined(__x86_64__)
PASSES(avx2, __attribute__((target("avx2,fma"))))
#endif

static void sweep(stc_sweep *s, stc_range over) {
  if (s->problem->any_law) {
    stc_sweep_any_law(s, over);
    return;
  }
  if (s->in_batches) {
    stc_sweep_lanes4(s, over);
    return;
  }
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    pass_avx2(s, over);
    return;
  }
#endif
  pass_plain(s, over);
}

// ---- passes over everything ----

enum course { FORWARD, BACKWARD, BOTH };

static void sweep_range(stc_sweep *s, int first, int end, enum course course) {
  int block = course != BOTH ? end - first : s->in_batches ? BATCH_BLOCK : BLOCK;
  for (; first < end; first += block) {
    int last = end - first > block ? first + block : end;
    if (course != BACKWARD) sweep(s, (stc_range){first, last, true});
    if (course != FORWARD) sweep(s, (stc_range){first, last, false});
  }
}

typedef struct sweep_job {
  stc_sweep *sweep;
  enum course course;
} sweep_job;

static void sweep_slice(void *argument, int slice) {
  const sweep_job *j = argument;
  const int *first = j->sweep->batches.first;
  sweep_range(j->sweep, first[slice], first[slice + 1], j->course);
}

static void sweep_all(stc_sweep *s, enum course course) {
  sweep_job job = {s, course};
  if (s->in_batches)
    stc_lanes4_run(&s->batches, sweep_slice, &job, course != BACKWARD);
  else
    sweep_range(s, 0, s->problem->contacts, course);
}

void stc_sweep_forward(stc_sweep *s) { sweep_all(s, FORWARD); }
void stc_sweep_backward(stc_sweep *s) { sweep_all(s, BACKWARD); }
void stc_sweep_both(stc_sweep *s) { sweep_all(s, BOTH); }
