// Accelerated projected gradients in the metric of kinetic energy, with the De Saxcé term following
// along   [Nesterov 1983; for contact Mazhar, Heyn, Negrut and Tasora 2015]:
//   y = r + beta (r - r'),   r'' = P_K(y - (W y + q + s e_N) / (L kappa)).
// One product with W per iteration and no factorisation. The shift is 0 until its convex problem is
// nearly solved, so that it does not chase transients; from then on it follows every few
// iterations, at the contacts that do not stick, and the momentum is kept.
#include "lag.h"
#include "method.h"

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

typedef struct apgd {
  double *old;         // [size] the iterate before r
  double *y, *next;    // [size] extrapolated point, new iterate
  double *Wr, *Wold;   // [size] W times r and old
  double *Wy, *Wnext;  // [size]
  double *s;           // [contacts] the De Saxcé term
  double L;            // largest curvature seen, in units of kappa
  double t;            // Nesterov's sequence; 1: no momentum
  double bound;        // of t
  double peak;         // largest t since the bound last fell
  double low;          // least merit since then
  long low_at;         // the iteration it was found in
  bool following;      // s is renewed with every batch
  long since_gain;     // iterations since the best merit last fell by GAIN
  double gain_merit;
} apgd;

static stc_error setup(stc_solver *s, void **state) {
  apgd *a = *state = STC_TAKE(s->arena, apgd, 1);
  STC_TRY(stc_arena_check(s->arena));
  double **vectors[] = {&a->old, &a->y, &a->next, &a->Wr, &a->Wold, &a->Wy, &a->Wnext};
  STC_TAKE_VECTORS(s->arena, s->problem->size, vectors);
  a->s = STC_TAKE_RAW(s->arena, double, s->problem->contacts);
  return stc_arena_check(s->arena);
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

static void start(stc_solver *s, void *state) {
  apgd *a = state;
  const stc_reduced *p = s->problem;
  size_t bytes = (size_t)p->size * sizeof(double);
  stc_reduced_multiply(p, s->r, s->work, a->Wr);
  memcpy(a->old, s->r, bytes);
  memcpy(a->Wold, a->Wr, bytes);
  for (int c = 0; c < p->contacts; c++)
    a->s[c] = p->immovable[c] ? stc_law_shift(&p->law[c], p->q + c * p->dim) : 0;
  a->following = s->merit < WARM;
  if (a->following) follow(s, a);
  a->L = a->t = 1;
  a->bound = a->low = INFINITY;
  a->peak = 1;
  a->low_at = 0;
  a->since_gain = 0;
  a->gain_merit = s->merit;
}

// next = P_K(y - (W y + q + s e_N) / (L kappa)) for y = r + beta (r - old); returns
// sum kappa (y - next).(next - r), which is positive where the momentum points uphill.
static double project_step(const stc_reduced *p, apgd *a, const double *r, double beta) {
  int d = p->dim;
  double uphill = 0;
  for (int c = 0; c < p->contacts; c++) {
    double step = 1 / (a->L * p->kappa[c]), x[STC_MAX_DIM], sum = 0;
    for (int k = 0; k < d; k++) {
      int at = c * d + k;
      a->y[at] = r[at] + beta * (r[at] - a->old[at]);
      a->Wy[at] = a->Wr[at] + beta * (a->Wr[at] - a->Wold[at]);
      x[k] = a->y[at] - step * (a->Wy[at] + p->q[at] + (k == 0 ? a->s[c] : 0));
    }
    stc_law_project(&p->law[c], x, a->next + c * d);
    for (int k = c * d; k < (c + 1) * d; k++) sum += (a->y[k] - a->next[k]) * (a->next[k] - r[k]);
    uphill += p->kappa[c] * sum;
  }
  return uphill;
}

// d.W d / d.K d for d = next - y; 0 where nothing moved.
static double curvature(const stc_reduced *p, const apgd *a) {
  double dWd = 0, dKd = 0;
  for (int k = 0; k < p->size; k++) {
    double d = a->next[k] - a->y[k];
    dWd += d * (a->Wnext[k] - a->Wy[k]);
    dKd += d * d * p->kappa[k / p->dim];
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
