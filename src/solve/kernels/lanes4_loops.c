// The hot loops over batches, compiled for the processor at hand. What a branch decides for one
// contact a mask decides for four: the answers of open, stick and slip are made side by side.
#include "sweep.h"

#include <string.h>

#define ALWAYS  static inline __attribute__((always_inline))
#define SHUFFLE __builtin_shufflevector

// Loops of a few steps, written out: what has an index is kept in memory, and waits for it.
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

enum { LANES = STC_LANES4_LANES, BODIES = STC_LANES4_BODIES, WIDTH = STC_LANES4_WIDTH };

// Bytes of a cache line, and how many batches ahead the memory is asked for one where they are so
// many that no cache holds them.
enum { LINE = 64, AHEAD = 3, MANY = 4000 };  // [machine]

// Vectors go by address, as their way by value is not settled.
typedef double vec __attribute__((vector_size(32)));
typedef double half __attribute__((vector_size(16)));
typedef long long mask __attribute__((vector_size(32)));

typedef struct triple {
  vec x[3];
} triple;

// Four and two doubles wherever they stand.
typedef struct loose {
  vec x;
} __attribute__((packed, may_alias)) loose;
typedef struct loose_half {
  half x;
} __attribute__((packed, may_alias)) loose_half;

ALWAYS void load(vec *v, const double *x) { *v = ((const loose *)(const void *)x)->x; }
ALWAYS void store(const vec *v, double *x) { ((loose *)(void *)x)->x = *v; }

ALWAYS bool any(const mask *m) { return ((*m)[0] | (*m)[1] | (*m)[2] | (*m)[3]) != 0; }

// x where the mask says so, else y.
ALWAYS void choose(vec *z, const mask *first, const vec *x, const vec *y) {
  *z = (vec)((*first & (mask)*x) | (~*first & (mask)*y));
}

ALWAYS void root(vec *y, const vec *x) {
  UNROLL
  for (int l = 0; l < LANES; l++) (*y)[l] = sqrt((*x)[l]);
}

// ---- bodies ----

// Four vectors by lanes become four by components, and the other way round.
ALWAYS void transpose(const vec *a, vec *x) {
  vec ab0 = SHUFFLE(a[0], a[1], 0, 4, 2, 6), ab1 = SHUFFLE(a[0], a[1], 1, 5, 3, 7);
  vec ce0 = SHUFFLE(a[2], a[3], 0, 4, 2, 6), ce1 = SHUFFLE(a[2], a[3], 1, 5, 3, 7);
  x[0] = SHUFFLE(ab0, ce0, 0, 1, 4, 5);
  x[1] = SHUFFLE(ab1, ce1, 0, 1, 4, 5);
  x[2] = SHUFFLE(ab0, ce0, 2, 3, 6, 7);
  x[3] = SHUFFLE(ab1, ce1, 2, 3, 6, 7);
}

// Four pairs by lanes become two vectors by components.
ALWAYS void spread(const half *a, vec *x) {
  vec even = SHUFFLE(a[0], a[2], 0, 1, 2, 3), odd = SHUFFLE(a[1], a[3], 0, 1, 2, 3);
  x[0] = SHUFFLE(even, odd, 0, 4, 2, 6);
  x[1] = SHUFFLE(even, odd, 1, 5, 3, 7);
}

// x [6] = the numbers of four bodies.
ALWAYS void gather(const double *p, const int *at, vec *x) {
  vec row[LANES];
  half end[LANES];
  UNROLL
  for (int l = 0; l < LANES; l++) {
    load(&row[l], p + at[l]);
    end[l] = ((const loose_half *)(const void *)(p + at[l] + LANES))->x;
  }
  transpose(row, x);
  spread(end, x + LANES);
}

ALWAYS void scatter(const vec *x, double *p, const int *at) {
  vec row[LANES], even = SHUFFLE(x[4], x[5], 0, 4, 2, 6), odd = SHUFFLE(x[4], x[5], 1, 5, 3, 7);
  half end[LANES] = {SHUFFLE(even, even, 0, 1), SHUFFLE(odd, odd, 0, 1), SHUFFLE(even, even, 2, 3),
                     SHUFFLE(odd, odd, 2, 3)};
  transpose(x, row);
  UNROLL
  for (int l = 0; l < LANES; l++) {
    store(&row[l], p + at[l]);
    ((loose_half *)(void *)(p + at[l] + LANES))->x = end[l];
  }
}

// p += G^T z at one body of each contact, which has x.
ALWAYS void push(const stc_batch4 *batch, int k, const triple *z, vec *x) {
  UNROLL
  for (int m = 0; m < WIDTH; m++) UNROLL
  for (int i = 0; i < 3; i++) {
    vec G;
    load(&G, batch->G[k][i][m]);
    x[m] += G * z->x[i];
  }
}

// ---- contacts ----

// The contacts' own numbers, out of an array of triples and into it.
ALWAYS void read_contacts(const double *z, const int *contact, triple *y) {
  half pair[2][LANES];  // three numbers in two pairs: what follows may be another thread's
  UNROLL
  for (int l = 0; l < LANES; l++) UNROLL
  for (int k = 0; k < 2; k++) {
    const double *at = z + (ptrdiff_t)3 * contact[l] + k;
    pair[k][l] = ((const loose_half *)(const void *)at)->x;
  }
  spread(pair[0], y->x);
  spread(pair[1], y->x + 1);
}

ALWAYS void write_contacts(const triple *y, const int *contact, double *z) {
  UNROLL
  for (int l = 0; l < LANES; l++) UNROLL
  for (int k = 0; k < 3; k++) z[(ptrdiff_t)3 * contact[l] + k] = y->x[k][l];
}

// c = q + G p without what the contacts themselves do.
ALWAYS void collect(const stc_batch4 *batch, vec x[BODIES][WIDTH], const triple *z, triple *c) {
  vec a, g1, g2, T11, T21, T22, G;
  load(&a, batch->a);
  load(&g1, batch->g[0]);
  load(&g2, batch->g[1]);
  load(&T11, batch->T11);
  load(&T21, batch->T21);
  load(&T22, batch->T22);
  vec normal = a * (z->x[0] + g1 * z->x[1] + g2 * z->x[2]);
  vec own[3] = {normal, T11 * z->x[1] + T21 * z->x[2] + g1 * normal,
                T21 * z->x[1] + T22 * z->x[2] + g2 * normal};
  UNROLL
  for (int i = 0; i < 3; i++) {
    vec sum[BODIES] = {-own[i], {0}};
    load(&c->x[i], batch->q[i]);
    UNROLL
    for (int k = 0; k < BODIES; k++) UNROLL
    for (int m = 0; m < WIDTH; m++) {
      load(&G, batch->G[k][i][m]);
      sum[k] += G * x[k][m];
    }
    c->x[i] += sum[0] + sum[1];
  }
}

// What slip is solved with: see cone_kernel.h.
typedef struct slip {
  vec n, p1, p2, g1, g2;
  vec A1, A2, trace, det, a0, a1, a2, b0, b1;
} slip;

ALWAYS void prepare_slip(const stc_batch4 *batch, slip *s) {
  vec T11, T21, T22;
  load(&T11, batch->T11);
  load(&T21, batch->T21);
  load(&T22, batch->T22);
  s->A1 = T22 * s->p1 - T21 * s->p2;
  s->A2 = T11 * s->p2 - T21 * s->p1;
  s->trace = T11 + T22;
  s->det = T11 * T22 - T21 * T21;
  s->a0 = s->A1 * s->A1 + s->A2 * s->A2;
  s->a1 = 2 * (s->A1 * s->p1 + s->A2 * s->p2);
  s->a2 = s->p1 * s->p1 + s->p2 * s->p2;
  s->b0 = s->n * s->det + (s->g1 * s->A1 + s->g2 * s->A2);
  s->b1 = s->n * s->trace + (s->g1 * s->p1 + s->g2 * s->p2);
}

// Where there is no multiplier from before.
ALWAYS void start_slip(const slip *s, vec *x) {
  const vec none = {0}, least = 1e-3 * s->trace;
  vec start;
  root(&start, &s->a2);
  start = start / s->n - 0.5 * s->trace;
  mask above = start > least, there = *x > none;
  choose(&start, &above, &start, &least);
  choose(x, &there, x, &start);
}

// A point of the bracket: see stc_cone3_inside.
ALWAYS void go_inside(const vec *low, const vec *high, vec *x) {
  const vec none = {0}, most = none + INFINITY;
  vec middle = 0.5 * (*low + *high), beside = 0.0625 * *high, beyond = 16 * *low;
  mask lifted = *low > none, bounded = *high < most;
  choose(&middle, &lifted, &middle, &beside);
  choose(x, &bounded, &middle, &beyond);
}

// One step from x to next; settled: it is the last. See stc_cone3_slip.
ALWAYS void step_slip(const slip *s, const vec *x, vec *low, vec *high, vec *next, mask *settled) {
  vec alpha = (s->a2 * *x + s->a1) * *x + s->a0, dalpha = 2 * s->a2 * *x + s->a1;
  vec beta = (s->n * *x + s->b1) * *x + s->b0, dbeta = 2 * s->n * *x + s->b1;
  vec slope = alpha * dbeta - 0.5 * beta * dalpha, length;
  vec bend = 0.5 * dalpha * dbeta + 2 * s->n * alpha - s->a2 * beta;
  root(&length, &alpha);
  vec gap = length - beta, inverse = 1 / slope, over = gap * inverse, d = alpha * over;
  vec plain = *x + d, reach = STC_CONE_LAST_STEP * *x, inside;
  const vec none = {0};
  mask below = gap > none;
  *next = plain - d * over * (0.5 * bend * alpha * inverse - 0.75 * dalpha);
  *settled = (d <= reach) & (-d <= reach);
  choose(low, &below, x, low);
  choose(high, &below, high, x);
  mask good = (*next > *low) & (*next < *high), fair = (plain > *low) & (plain < *high);
  go_inside(low, high, &inside);
  choose(&inside, &fair, &plain, &inside);
  good |= *settled;
  choose(next, &good, next, &inside);
}

// The lanes of `slips` get z, or stay in it where nothing settles.
ALWAYS void solve_slip(stc_batch4 *batch, slip *s, mask *slips, triple *z) {
  const vec none = {0}, most = none + INFINITY;
  vec x, next, found = none, low = none, high = most;
  mask open = *slips, settled;
  prepare_slip(batch, s);
  load(&x, batch->lambda);
  start_slip(s, &x);
  for (int k = 0; k < STC_CONE_STEPS && any(&open); k++) {
    step_slip(s, &x, &low, &high, &next, &settled);
    settled &= open;
    choose(&found, &settled, &next, &found);
    open &= ~settled;
    x = next;
  }
  vec inverse = -1 / ((found + s->trace) * found + s->det);
  vec r1 = (s->A1 + found * s->p1) * inverse, r2 = (s->A2 + found * s->p2) * inverse;
  vec r0 = s->n - (s->g1 * r1 + s->g2 * r2), lambda;
  mask good = *slips & (found > none) & (r0 > none) & (r0 < most);
  load(&lambda, batch->lambda);
  choose(&lambda, &good, &found, &lambda);
  store(&lambda, batch->lambda);
  choose(&z->x[0], &good, &r0, &z->x[0]);
  choose(&z->x[1], &good, &r1, &z->x[1]);
  choose(&z->x[2], &good, &r2, &z->x[2]);
  *slips &= ~good;
}

// The contacts alone, given c; left: the lanes that found no answer.
ALWAYS void settle(stc_batch4 *batch, const triple *c, triple *z, mask *left) {
  const vec none = {0};
  slip s;
  vec inverse_a, inverse_T11, inverse_pivot, T21;
  load(&inverse_a, batch->inverse_a);
  load(&s.g1, batch->g[0]);
  load(&s.g2, batch->g[1]);
  load(&T21, batch->T21);
  load(&inverse_T11, batch->inverse_T11);
  load(&inverse_pivot, batch->inverse_pivot);
  s.n = -c->x[0] * inverse_a;
  s.p1 = c->x[1] - s.g1 * c->x[0];
  s.p2 = c->x[2] - s.g2 * c->x[0];
  vec lower = T21 * inverse_T11;
  vec r2 = (lower * s.p1 - s.p2) * inverse_pivot, r1 = -s.p1 * inverse_T11 - lower * r2;
  vec r0 = s.n - (s.g1 * r1 + s.g2 * r2);
  mask open = c->x[0] >= none, sticks = (r0 >= none) & (r1 * r1 + r2 * r2 <= r0 * r0);
  choose(&z->x[0], &open, &none, &r0);
  choose(&z->x[1], &open, &none, &r1);
  choose(&z->x[2], &open, &none, &r2);
  *left = ~(open | sticks);
  if (any(left)) solve_slip(batch, &s, left, z);
}

// ---- passes ----

// Where the fast formulas have no answer.
static void settle_robust(const stc_sweep *s, int contact, const double c[3], double z[3]) {
  double block[9];
  stc_sweep_block(s, contact, 3, block);
  stc_cone_solve_robust(3, block, c, z);
}

ALWAYS void settle_rest(const stc_sweep *s, const int *contact, const mask *left, const triple *c,
                        const triple *before, triple *z) {
  UNROLL
  for (int l = 0; l < LANES; l++) {
    if (!(*left)[l]) continue;
    double rest[3] = {c->x[0][l], c->x[1][l], c->x[2][l]};
    double y[3] = {before->x[0][l], before->x[1][l], before->x[2][l]};
    settle_robust(s, contact[l], rest, y);
    UNROLL
    for (int k = 0; k < 3; k++) z->x[k][l] = y[k];
  }
}

ALWAYS void visit(stc_sweep *s, int k) {
  stc_lanes4 *batches = &s->batches;
  stc_batch4 *batch = &batches->batch[k];
  const int *contact = batches->contact + (ptrdiff_t)k * LANES;
  const int *body = batches->body + (ptrdiff_t)k * LANES * BODIES;
  vec x[BODIES][WIDTH];
  triple before, c, z;
  mask left, moved = {0};
  UNROLL
  for (int b = 0; b < BODIES; b++) gather(batches->p, body + b * LANES, x[b]);
  read_contacts(s->z, contact, &before);
  collect(batch, x, &before, &c);
  settle(batch, &c, &z, &left);
  if (any(&left)) settle_rest(s, contact, &left, &c, &before, &z);
  UNROLL
  for (int i = 0; i < 3; i++) {
    z.x[i] = s->omega * (z.x[i] - before.x[i]);
    moved |= z.x[i] != 0;
    before.x[i] += z.x[i];
  }
  if (!any(&moved)) return;
  write_contacts(&before, contact, s->z);
  UNROLL
  for (int b = 0; b < BODIES; b++) {
    push(batch, b, &z, x[b]);
    scatter(x[b], batches->p, body + b * LANES);
  }
}

// Asks for a batch that comes soon.
ALWAYS void announce(const stc_lanes4 *batches, int k) {
  const char *batch = (const char *)&batches->batch[k];
  for (size_t at = 0; at < sizeof *batches->batch; at += LINE) __builtin_prefetch(batch + at);
}

ALWAYS void pass(stc_sweep *s, stc_range over) {
  const bool many = s->batches.count > MANY;
  for (int k = over.first; k < over.end; k++) {
    int at = over.forward ? k : over.first + over.end - 1 - k;
    if (many && k + AHEAD < over.end) announce(&s->batches, over.forward ? at + AHEAD : at - AHEAD);
    visit(s, at);
  }
}

// p += G^T z for the batches of a slice.
ALWAYS void push_slice(stc_lanes4 *batches, int slice, const double *z) {
  const int end = batches->first[slice + 1];
  for (int k = batches->first[slice]; k < end; k++) {
    if (batches->count > MANY && k + AHEAD < end) announce(batches, k + AHEAD);
    const int *body = batches->body + (ptrdiff_t)k * LANES * BODIES;
    triple y;
    read_contacts(z, batches->contact + (ptrdiff_t)k * LANES, &y);
    UNROLL
    for (int b = 0; b < BODIES; b++) {
      vec x[WIDTH];
      gather(batches->p, body + b * LANES, x);
      push(&batches->batch[k], b, &y, x);
      scatter(x, batches->p, body + b * LANES);
    }
  }
}

// ---- displacements ----

// d = n.p of both bodies, by lanes.
ALWAYS void move_along(const stc_batch4 *batch, vec x[BODIES][WIDTH], vec *d) {
  vec sum[BODIES] = {{0}, {0}}, G;
  UNROLL
  for (int k = 0; k < BODIES; k++) UNROLL
  for (int m = 0; m < WIDTH; m++) {
    load(&G, batch->G[k][0][m]);
    sum[k] += G * x[k][m];
  }
  *d = sum[0] + sum[1];
}

// What is missing of the targets moves the bodies; moved: how far the rows were.
ALWAYS void displace_batch(stc_lanes4 *batches, int k, vec *moved) {
  const stc_batch4 *batch = &batches->batch[k];
  stc_push4 *apart = &batches->apart[k];
  const int *body = batches->body + (ptrdiff_t)k * LANES * BODIES;
  const vec none = {0};
  vec x[BODIES][WIDTH], off, a, inverse_a, impulse, wanted, G;
  UNROLL
  for (int b = 0; b < BODIES; b++) gather(batches->p, body + b * LANES, x[b]);
  move_along(batch, x, &off);
  load(&a, apart->target);
  off = a - off;
  load(&inverse_a, batch->inverse_a);
  load(&impulse, apart->impulse);
  wanted = impulse + off * inverse_a;
  mask pushes = wanted > none;
  choose(&wanted, &pushes, &wanted, &none);
  vec change = wanted - impulse;
  mask changed = change != none;
  if (!any(&changed)) return;
  store(&wanted, apart->impulse);
  load(&a, batch->a);
  vec way = -change * a;  // a push that is taken back
  choose(&way, &pushes, &off, &way);
  mask back = way < none;
  vec length = -way;
  choose(&length, &back, &length, &way);
  mask more = length > *moved;
  choose(moved, &more, &length, moved);
  UNROLL
  for (int b = 0; b < BODIES; b++) {
    UNROLL
    for (int m = 0; m < WIDTH; m++) {
      load(&G, batch->G[b][0][m]);
      x[b][m] += G * change;
    }
    scatter(x[b], batches->p, body + b * LANES);
  }
}

ALWAYS double displace(stc_lanes4 *batches, int first, int end, bool forward) {
  vec moved = {0};
  double most = 0;
  for (int k = first; k < end; k++)
    displace_batch(batches, forward ? k : first + end - 1 - k, &moved);
  for (int l = 0; l < LANES; l++) most = moved[l] > most ? moved[l] : most;
  return most;
}

#define LOOPS(suffix, target)                                                                      \
  target static void pass_##suffix(stc_sweep *s, stc_range over) { pass(s, over); }                \
  target static void push_slice_##suffix(stc_lanes4 *q, int slice, const double *z) {              \
    push_slice(q, slice, z);                                                                       \
  }                                                                                                \
  target static double displace_##suffix(stc_lanes4 *q, int first, int end, bool forward) {        \
    return displace(q, first, end, forward);                                                       \
  }

LOOPS(plain, )
#if defined(__x86_64__)
LOOPS(avx2, __attribute__((target("avx2,fma"))))

static bool has_vectors(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

void stc_sweep_lanes4(stc_sweep *s, stc_range over) {
#if defined(__x86_64__)
  if (has_vectors()) {
    pass_avx2(s, over);
    return;
  }
#endif
  pass_plain(s, over);
}

void stc_lanes4_push(stc_lanes4 *batches, int slice, const double *z) {
#if defined(__x86_64__)
  if (has_vectors()) {
    push_slice_avx2(batches, slice, z);
    return;
  }
#endif
  push_slice_plain(batches, slice, z);
}

double stc_lanes4_displace(stc_lanes4 *batches, int first, int end, bool forward) {
#if defined(__x86_64__)
  if (has_vectors()) return displace_avx2(batches, first, end, forward);
#endif
  return displace_plain(batches, first, end, forward);
}
