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
#include "lag.h"

#include <math.h>
#include <string.h>

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
  a->flowing = !stc_active_choose(p, &a->active, s->r, residual, s->settings.part.rest,
                                  s->settings.part.noise);
  if (a->flowing) {
    follow_velocities(p, a, s->r, s->u);
  } else if (stc_active_solve(s, &a->active, a->s)) {
    a->held = true;
    begin_apgd(s, a);
  } else {
    stc_active_sweep(p, &a->active, s->r, s->u, residual, s->settings.rule.inner, a->s);
  }
}

// u = W r + q from the product at hand.
static void load_velocities(stc_solver *s, const apgd *a) {
  for (int k = 0; k < s->problem->size; k++) s->u[k] = a->Wr[k] + s->problem->q[k];
}

// The shift waits for its convex problem, but not without end: the first one may have no solution
// (bodies that are driven apart along one another; piles of 30000 contacts waited for 1400
// iterations). That of bodies solved by themselves stays until then, when others move too; where
// the merit has no new low meanwhile they are not solved by themselves again.
static void follow(stc_solver *s, apgd *a) {
  const stc_reduced *p = s->problem;
  load_velocities(s, a);
  bool ready = a->following && !a->held;
  if (!ready) {
    double share = stc_lag_share(p, a->s, s->r, s->u);
    long wait = s->settings.apgd.flutter;
    bool late = s->iterations >= (a->held ? a->low_at + wait / 5 : 2 * wait);
    a->active.flows |= a->held && late;
    ready = late || share <= (a->held ? s->settings.part.hold : s->settings.rule.lag);
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
  a->following = s->merit < s->settings.rule.near;  // it knows its sliding contacts
  if (a->following) follow(s, a);
  a->L = 1;
  a->watch = (stc_watch){.least = s->merit};
}

// Flutter: the shift is not a gradient, and momentum and shift can drive one another without end.
// Without a new low for long, and at twice the last one by now, Nesterov's sequence is bounded by a
// quarter of its value. A ball of a pile at rest that starts to slide stirs it too, but for less
// than 1000 iterations.
static void damp_flutter(const stc_solver *s, apgd *a) {
  if (!a->following || s->merit < a->low) {
    a->low = s->merit;
    a->low_at = s->iterations;
  }
  a->peak = fmax(a->peak, a->t);
  if (s->iterations - a->low_at < s->settings.apgd.flutter || s->merit < 2 * a->low) return;
  a->bound = fmax(s->settings.rule.judge, a->peak / 4);
  a->t = a->peak = fmin(a->t, a->bound);
  a->low = s->merit;
  a->low_at = s->iterations;
}

// Iterations until the next judgement. Where all velocities make the shift its delay feeds the
// flutter: it is renewed between.
static void advance(stc_solver *s, apgd *a, long batch) {
  const long renewal = s->settings.rule.judge;
  for (; a->flowing && batch > renewal && !stc_solver_due(s); batch -= renewal) {
    stc_apgd_advance(s, a, renewal);
    load_velocities(s, a);
    follow_velocities(s->problem, a, s->r, s->u);
  }
  stc_apgd_advance(s, a, batch);
  if (!stc_stop_due(0)) follow(s, a);
}

static stc_step iterate_apgd(stc_solver *s, void *state) {
  apgd *a = state;
  long left = stc_solver_left(s), batch = 2 * s->settings.rule.judge;
  bool over = stc_watch_look(&a->watch, s, s->best_merit, s->done) > s->settings.rule.sweeps;
  damp_flutter(s, a);
  s->done = over ? 0 : batch < left ? batch : left;
  if (over) return STC_STEP_STALLED;
  advance(s, a, s->done);
  return STC_STEP_ON;
}

STC_METHOD_IS(apgd, .name = "apgd",
              .summary = "accelerated projected gradients, no factorisation; large piles at rest",
              .setup = setup_apgd, .start = start_apgd, .iterate = iterate_apgd, .any_law = true);
