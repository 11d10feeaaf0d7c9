// Accelerated projected gradients with the De Saxcé term following along   [Nesterov 1983; for
// contact Mazhar, Heyn, Negrut and Tasora 2015]:
//   y = r + beta (r - r'),   r'' = P_K(y - (W y + q + s e_N) / (L k)),
// with steps and projection P_K in the metric of k, the diagonal of W by contact (normal and mean
// tangential): a ball gives way 3.5 times as far along its surface as into it, and a step in one
// unit for both creeps where load is handed on. One product with W per iteration and no
// factorisation. The shift is 0 until its convex problem is nearly solved, so that it does not
// chase transients; from then on it follows every few iterations, at the contacts that do not
// stick, and the momentum is kept.
#include "lag.h"
#include "method.h"
#include "parts/region.h"

#include <math.h>
#include <string.h>

// Iterations between two judgements; the shift is renewed as often.
enum { BATCH = 10 };
// Without a gain of GAIN in so many iterations the method is stuck. Piles pause for up to 2000.
enum { PATIENCE = 10000 };
static const double GAIN = 0.9;
// The shift waits no longer than this, for its first convex problem may have no solution (bodies
// that are driven apart along one another). Piles of 30000 contacts waited for 1400 iterations.
enum { WAIT = 3000 };
// A step whose curvature exceeds L is taken back, and L becomes this much more than the curvature.
static const double MARGIN = 1.02;
// Flutter: the shift is no gradient, and momentum and shift can drive one another for ever. Without
// a merit below NEW_LOW of the least for FLUTTER iterations, and above STIRRED times the least by
// now, Nesterov's sequence is bounded by BRAKE of its value. A ball of a pile at rest that starts
// to slide stirs it too, but for less than 1000 iterations.
enum { FLUTTER = 1500 };
static const double NEW_LOW = 0.97, STIRRED = 1.5, BRAKE = 0.25, LEAST_BOUND = 20;
// Below this merit a start knows its sliding contacts, and the shift need not wait.
static const double WARM = 0.01;

// What is left of a large pile in the end sits at a few balls that slide. Where the best merit has
// not halved in a while, the region that holds most of it is solved by itself; where that gains
// little, the next look comes after twice as long.
static const stc_region REGION = {.share = 0.99, .most = 0.15, .rings = 2};
static const double HALF = 0.5, MENDED = 0.7;
enum { WORTH_MENDING = 1000, FIRST_LOOK = 1000, REGION_ITERATIONS = 200 };

typedef struct apgd {
  double *old;         // [size] the iterate before r
  double *y, *next;    // [size] extrapolated point, new iterate
  double *Wr, *Wold;   // [size] W times r and old
  double *Wy, *Wnext;  // [size]
  double *s;           // [contacts] the De Saxcé term
  double *k;           // [size] the metric
  double *stretch;     // [contacts] sqrt(k_T / k_N): the cone is round where r_T is so much longer
  double L;            // largest curvature seen, in units of k
  double t;            // Nesterov's sequence; 1: no momentum
  double bound;        // of t
  double peak;         // largest t since the bound last fell
  double low;          // least merit since then
  long low_at;         // the iteration it was found in
  bool following;      // s is renewed with every batch
  long since_gain;     // iterations since the best merit last fell by GAIN
  double gain_merit;
  long look_at, look_after;  // the iteration of the last look at the progress, and from there on
  double look_merit;         // what was best then
} apgd;

static stc_error setup(stc_solver *s, void **state) {
  apgd *a = *state = STC_TAKE(s->arena, apgd, 1);
  STC_TRY(stc_arena_check(s->arena));
  double **vectors[] = {&a->old, &a->y, &a->next, &a->Wr, &a->Wold, &a->Wy, &a->Wnext, &a->k};
  STC_TAKE_VECTORS(s->arena, s->problem->size, vectors);
  a->s = STC_TAKE_RAW(s->arena, double, s->problem->contacts);
  a->stretch = STC_TAKE_RAW(s->arena, double, s->problem->contacts);
  return stc_arena_check(s->arena);
}

// ---- the metric ----

// Laws with spin or rolling keep one unit for all of their components.
static void set_metric(const stc_reduced *p, apgd *a) {
  int d = p->dim;
  for (int c = 0; c < p->contacts; c++) {
    const double *W = p->diagonal + (ptrdiff_t)c * d * d;
    double N = W[0], T = 0;
    for (int k = 1; k < d; k++) T += W[k * (d + 1)] / (d - 1);
    bool round = p->turning || !(N > 0) || !(T > 0);
    for (int k = 0; k < d; k++) a->k[c * d + k] = round ? p->kappa[c] : k == 0 ? N : T;
    a->stretch[c] = round ? 1 : sqrt(T / N);
  }
}

// y = P_K(x) in the metric; x is overwritten.
static void project(const stc_reduced *p, const apgd *a, int c, double *x, double *y) {
  stc_law law = p->law[c];
  double stretch = a->stretch[c];
  law.mu[0] *= stretch;
  law.mu[1] *= stretch;
  for (int k = 1; k < p->dim; k++) x[k] *= stretch;
  stc_law_project(&law, x, y);
  for (int k = 1; k < p->dim; k++) y[k] /= stretch;
}

// ---- the shift ----

// x = r - (u + s e_N) / kappa lies in the cone: the contact sticks as far as r and u tell.
static bool sticks(const stc_reduced *p, const apgd *a, int c, const double *r, const double *u) {
  double x[STC_MAX_DIM], image[STC_MAX_DIM];
  for (int k = 0; k < p->dim; k++) x[k] = r[k] - (u[k] + (k == 0 ? a->s[c] : 0)) / p->kappa[c];
  stc_law_project(&p->law[c], x, image);
  return memcmp(x, image, (size_t)p->dim * sizeof *x) == 0;
}

static void renew_shift(const stc_reduced *p, apgd *a, const double *r, const double *u) {
  for (int c = 0; c < p->contacts; c++) {
    const double *rc = r + c * p->dim, *uc = u + c * p->dim;
    a->s[c] = sticks(p, a, c, rc, uc) ? 0 : stc_law_shift(&p->law[c], uc);
  }
}

// u = W r + q is made from the product at hand.
static void follow(stc_solver *s, apgd *a) {
  const stc_reduced *p = s->problem;
  for (int k = 0; k < p->size; k++) s->u[k] = a->Wr[k] + p->q[k];
  a->following = a->following || s->iterations >= WAIT ||
                 stc_lag_share(p, a->s, s->r, s->u) <= s->settings.apgd.lag;
  if (a->following) renew_shift(p, a, s->r, s->u);
}

// ---- iterations ----

// The iterates begin at r.
static void begin(stc_solver *s, apgd *a) {
  size_t bytes = (size_t)s->problem->size * sizeof(double);
  stc_reduced_multiply(s->problem, s->r, s->work, a->Wr);
  memcpy(a->old, s->r, bytes);
  memcpy(a->Wold, a->Wr, bytes);
  a->t = a->peak = 1;
  a->bound = a->low = INFINITY;
  a->low_at = s->iterations;
}

static void start(stc_solver *s, void *state) {
  apgd *a = state;
  const stc_reduced *p = s->problem;
  set_metric(p, a);
  begin(s, a);
  for (int c = 0; c < p->contacts; c++)
    a->s[c] = p->immovable[c] ? stc_law_shift(&p->law[c], p->q + c * p->dim) : 0;
  a->following = s->merit < WARM;
  if (a->following) follow(s, a);
  a->L = 1;
  a->since_gain = 0;
  a->gain_merit = a->look_merit = s->merit;
  a->look_at = 0;
  a->look_after = FIRST_LOOK;
}

// next = P_K(y - (W y + q + s e_N) / (L k)) for y = r + beta (r - old); returns
// sum k (y - next).(next - r), which is positive where the momentum points uphill.
static double project_step(const stc_reduced *p, apgd *a, const double *r, double beta) {
  int d = p->dim;
  double uphill = 0;
  for (int c = 0; c < p->contacts; c++) {
    double x[STC_MAX_DIM];
    for (int k = 0; k < d; k++) {
      int at = c * d + k;
      a->y[at] = r[at] + beta * (r[at] - a->old[at]);
      a->Wy[at] = a->Wr[at] + beta * (a->Wr[at] - a->Wold[at]);
      x[k] = a->y[at] - (a->Wy[at] + p->q[at] + (k == 0 ? a->s[c] : 0)) / (a->L * a->k[at]);
    }
    project(p, a, c, x, a->next + c * d);
    for (int k = c * d; k < (c + 1) * d; k++)
      uphill += a->k[k] * (a->y[k] - a->next[k]) * (a->next[k] - r[k]);
  }
  return uphill;
}

// d.W d / d.K d for d = next - y; 0 where nothing moved.
static double curvature(const stc_reduced *p, const apgd *a) {
  double dWd = 0, dKd = 0;
  for (int k = 0; k < p->size; k++) {
    double d = a->next[k] - a->y[k];
    dWd += d * (a->Wnext[k] - a->Wy[k]);
    dKd += d * d * a->k[k];
  }
  return dKd > 0 ? dWd / dKd : 0;
}

static void swap(double **x, double **y) {
  double *z = *x;
  *x = *y;
  *y = z;
}

// old <- r <- next, with their products.
static void advance(apgd *a, double *r, int size) {
  memcpy(a->old, r, (size_t)size * sizeof *r);
  memcpy(r, a->next, (size_t)size * sizeof *r);
  swap(&a->Wold, &a->Wr);
  swap(&a->Wr, &a->Wnext);
}

static void step(stc_solver *s, apgd *a) {
  const stc_reduced *p = s->problem;
  double t = 0.5 * (1 + sqrt(1 + 4 * a->t * a->t));
  double uphill = project_step(p, a, s->r, (a->t - 1) / t);
  if (uphill > 0 && a->t > 1) {
    a->t = 1;
    project_step(p, a, s->r, 0);
  }
  stc_reduced_multiply(p, a->next, s->work, a->Wnext);
  double seen = curvature(p, a);
  if (seen > a->L) {  // too long a step: again from r, without momentum
    a->L = MARGIN * seen;
    a->t = 1;
    return;
  }
  a->t = fmin(a->bound, 0.5 * (1 + sqrt(1 + 4 * a->t * a->t)));
  advance(a, s->r, p->size);
}

static void damp_flutter(const stc_solver *s, apgd *a) {
  if (!a->following || s->merit < NEW_LOW * a->low) {
    a->low = s->merit;
    a->low_at = s->iterations;
  }
  a->peak = fmax(a->peak, a->t);
  if (s->iterations - a->low_at < FLUTTER || s->merit < STIRRED * a->low) return;
  a->bound = fmax(LEAST_BOUND, BRAKE * a->peak);
  a->t = a->peak = fmin(a->t, a->bound);
  a->low = s->merit;
  a->low_at = s->iterations;
}

// Solves the region of the best iterate by itself; true if that is better by MENDED, and in r then.
static bool mend_region(stc_solver *s) {
  double before = s->best_merit;
  int contacts = 0;
  memcpy(s->r, s->best, (size_t)s->problem->size * sizeof *s->r);
  stc_solver_judge(s);
  if (stc_region_solve(s, &REGION, REGION_ITERATIONS, &contacts) || contacts == 0) return false;
  stc_solver_judge(s);
  return s->merit < MENDED * before;
}

static void mend(stc_solver *s, apgd *a) {
  if (!s->settings.regions || !a->following || s->problem->contacts < WORTH_MENDING) return;
  if (s->iterations - a->look_at < a->look_after) return;
  bool slow = s->best_merit > HALF * a->look_merit;
  if (slow) {
    memcpy(a->next, s->r, (size_t)s->problem->size * sizeof *s->r);
    bool mended = mend_region(s);
    a->look_after = mended ? FIRST_LOOK : 2 * a->look_after;
    if (mended)
      begin(s, a);
    else
      memcpy(s->r, a->next, (size_t)s->problem->size * sizeof *s->r);
  }
  a->look_at = s->iterations;
  a->look_merit = s->best_merit;
}

static bool stuck(const stc_solver *s, apgd *a) {
  a->since_gain += s->done;
  if (s->best_merit < GAIN * a->gain_merit) {
    a->gain_merit = s->best_merit;
    a->since_gain = 0;
  }
  return a->since_gain > PATIENCE;
}

static stc_step iterate(stc_solver *s, void *state) {
  apgd *a = state;
  bool over = stuck(s, a);
  damp_flutter(s, a);
  if (!over) mend(s, a);
  long batch = BATCH < stc_solver_left(s) ? BATCH : stc_solver_left(s);
  for (s->done = 0; !over && s->done < batch; s->done++) step(s, a);
  if (!over) follow(s, a);
  return over ? STC_STEP_STALLED : STC_STEP_ON;
}

const stc_method stc_method_apgd = {
    .name = "apgd",
    .summary = "accelerated projected gradients, no factorisation; large piles at rest",
    .setup = setup,
    .start = start,
    .iterate = iterate,
    .any_law = true,
};
