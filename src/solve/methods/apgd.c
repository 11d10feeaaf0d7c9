// Accelerated projected gradients with the De Saxcé term following along   [Nesterov 1983; for
// contact Mazhar, Heyn, Negrut and Tasora 2015]:
//   y = r + beta (r - r'),   r'' = P_K(y - (W y + q + s e_N) / (L k)),
// with steps and projection P_K in the metric of k, the diagonal of W by contact (normal and mean
// tangential): a ball gives way 3.5 times as far along its surface as into it, and a step in one
// unit for both creeps where load is handed on. One product with W per iteration and no
// factorisation. The shift is 0 until its convex problem is nearly solved, so that it does not
// chase transients; from then on it follows every few iterations, at the contacts that do not
// stick, and the momentum is kept.
#include "../kernels/gradient.h"
#include "../method.h"
#include "../subproblem/region.h"
#include "lag.h"

#include <math.h>
#include <string.h>

// Iterations between two judgements, and between two renewals of the shift where all velocities
// make it: there its delay feeds the flutter.
enum { BATCH = 20, RENEWAL = 10 };
// Without a gain of GAIN in so many iterations the method is stuck. Piles pause for up to 2000.
enum { PATIENCE = 10000 };
static const double GAIN = 0.9;
// The shift waits no longer than this, for its first convex problem may have no solution (bodies
// that are driven apart along one another). Piles of 30000 contacts waited for 1400 iterations.
enum { WAIT = 3000 };
// Flutter: the shift is no gradient, and momentum and shift can drive one another for ever. Without
// a merit below NEW_LOW of the least for FLUTTER iterations, and above STIRRED times the least by
// now, Nesterov's sequence is bounded by BRAKE of its value. A ball of a pile at rest that starts
// to slide stirs it too, but for less than 1000 iterations.
enum { FLUTTER = 1500 };
static const double NEW_LOW = 0.97, STIRRED = 1.5, BRAKE = 0.25, LEAST_BOUND = 20;
// The shift of bodies solved by themselves stays until its convex problem is solved to this share:
// then others move too. After so many iterations without a new low it stays no longer, nor are they
// solved by themselves again.
static const double HOLD = 0.3;
enum { IDLE = 300 };
// Below this merit a start knows its sliding contacts, and the shift need not wait.
static const double WARM = 0.01;

// What is left of a large pile in the end sits at a few balls that slide. Where the best merit has
// not halved in a while, the region that holds most of it is solved by itself; where that gains
// little, the next look comes after twice as long.
static const stc_region REGION = {.share = 0.99, .most = 0.15, .rings = 2};
static const double HALF = 0.5, MENDED = 0.7;
enum { WORTH_MENDING = 1000, FIRST_LOOK = 1000, REGION_ITERATIONS = 200 };

typedef stc_apgd apgd;

static stc_error setup_apgd(stc_solver *s, void **state) {
  apgd *a = *state = STC_TAKE(s->arena, apgd, 1);
  STC_TRY(stc_arena_check(s->arena));
  return stc_apgd_take(s, a);
}

// ---- the shift ----

// The iterates begin at r.
static void begin_apgd(stc_solver *s, apgd *a) {
  size_t bytes = (size_t)s->problem->size * sizeof(double);
  stc_reduced_multiply(s->problem, s->r, s->work, a->Wr);
  memcpy(a->old, s->r, bytes);
  memcpy(a->Wold, a->Wr, bytes);
  a->t = a->peak = 1;
  a->bound = a->low = INFINITY;
  a->low_at = s->iterations;
}

// x = r - (u + s e_N) / kappa lies in the cone: the contact sticks as far as r and u tell.
static bool sticks(const stc_reduced *p, const apgd *a, int c, const double *r, const double *u) {
  double x[STC_MAX_DIM], image[STC_MAX_DIM];
  for (int k = 0; k < p->dim; k++) x[k] = r[k] - (u[k] + (k == 0 ? a->s[c] : 0)) / p->kappa[c];
  stc_law_project(&p->law[c], x, image);
  return memcmp(x, image, (size_t)p->dim * sizeof *x) == 0;
}

// That of the velocities at hand.
static void follow_velocities(const stc_reduced *p, apgd *a, const double *r, const double *u) {
  for (int c = 0; c < p->contacts; c++) {
    const double *rc = r + c * p->dim, *uc = u + c * p->dim;
    a->s[c] = sticks(p, a, c, rc, uc) ? 0 : stc_law_shift(&p->law[c], uc);
  }
}

// In a pile at rest the shift of the few bodies that move, else that of the velocities at hand.
static void renew_shift(stc_solver *s, apgd *a) {
  const stc_reduced *p = s->problem;
  double residual = a->active.usable ? stc_lag_square(p, a->s, s->r, s->u) : 0;
  a->held = false;
  a->flowing = !stc_active_choose(p, &a->active, s->r, residual);
  if (a->flowing) {
    follow_velocities(p, a, s->r, s->u);
  } else if (stc_active_solve(s, &a->active, a->s)) {
    a->held = true;
    begin_apgd(s, a);
  } else {
    stc_active_sweep(p, &a->active, s->r, s->u, residual, a->s);
  }
}

// u = W r + q from the product at hand.
static void load_velocities(stc_solver *s, const apgd *a) {
  for (int k = 0; k < s->problem->size; k++) s->u[k] = a->Wr[k] + s->problem->q[k];
}

static void follow(stc_solver *s, apgd *a) {
  const stc_reduced *p = s->problem;
  load_velocities(s, a);
  bool ready = a->following && !a->held;
  if (!ready) {
    double share = stc_lag_share(p, a->s, s->r, s->u);
    bool late = s->iterations >= (a->held ? a->low_at + IDLE : WAIT);
    a->active.flows |= a->held && late;
    ready = late || share <= (a->held ? HOLD : s->settings.apgd.lag);
  }
  a->following = a->following || ready;
  if (ready) renew_shift(s, a);
}

// ---- iterations ----

static void start_apgd(stc_solver *s, void *state) {
  apgd *a = state;
  const stc_reduced *p = s->problem;
  stc_apgd_set_metric(p, a);
  stc_active_start(p, &a->active);
  begin_apgd(s, a);
  for (int c = 0; c < p->contacts; c++)
    a->s[c] = p->immovable[c] ? stc_law_shift(&p->law[c], p->q + c * p->dim) : 0;
  a->held = a->flowing = false;
  a->following = s->merit < WARM;
  if (a->following) follow(s, a);
  a->L = 1;
  a->since_gain = 0;
  a->gain_merit = a->look_merit = s->merit;
  a->look_at = 0;
  a->look_after = FIRST_LOOK;
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
      begin_apgd(s, a);
    else
      memcpy(s->r, a->next, (size_t)s->problem->size * sizeof *s->r);
  }
  a->look_at = s->iterations;
  a->look_merit = s->best_merit;
}

static bool stuck_apgd(const stc_solver *s, apgd *a) {
  a->since_gain += s->done;
  if (s->best_merit < GAIN * a->gain_merit) {
    a->gain_merit = s->best_merit;
    a->since_gain = 0;
  }
  return a->since_gain > PATIENCE;
}

// Iterations until the next judgement.
static void advance(stc_solver *s, apgd *a, long batch) {
  for (; a->flowing && batch > RENEWAL && !stc_solver_due(s); batch -= RENEWAL) {
    stc_apgd_advance(s, a, RENEWAL);
    load_velocities(s, a);
    follow_velocities(s->problem, a, s->r, s->u);
  }
  stc_apgd_advance(s, a, batch);
  if (!stc_stop_due(0)) follow(s, a);
}

static stc_step iterate_apgd(stc_solver *s, void *state) {
  apgd *a = state;
  bool over = stuck_apgd(s, a);
  damp_flutter(s, a);
  if (!over) mend(s, a);
  long batch = BATCH < stc_solver_left(s) ? BATCH : stc_solver_left(s);
  s->done = over ? 0 : batch;
  if (over) return STC_STEP_STALLED;
  advance(s, a, batch);
  return STC_STEP_ON;
}

const stc_method stc_method_apgd = {
    .name = "apgd",
    .summary = "accelerated projected gradients, no factorisation; large piles at rest",
    .setup = setup_apgd,
    .start = start_apgd,
    .iterate = iterate_apgd,
    .any_law = true,
};
