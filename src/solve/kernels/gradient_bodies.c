// The steps of accelerated projected gradients for rigid bodies with round cones. With M^-1 = C C^T
// and the rows G = H C, W is G G^T: impulses and velocities of the bodies are the same numbers p.
// Contacts are visited once per iteration: what the last step gave the bodies makes the product
// W next of a contact, with it the next step of that contact is known, and goes to the bodies
//   u = sum G p,   next = P_K(y - (W y + q + s e_N) / (L k)),   p' += G^T next.
// Whether the last step was good is known only after all contacts; if it was not, the work ahead is
// thrown away, which is rare.
#include "../methods/root.h"
#include "gradient_loops.h"

#include <math.h>
#include <string.h>

// A run of fewer contacts is not worth another thread's while.
enum { LEAST_RUN = 2500 };  // [machine]

static int width_of(const stc_reduced *p) {
  return p->dim == 3 ? STC_SPACE_WIDTH : STC_PLANE_WIDTH;
}

static int stride_of(const stc_reduced *p) {
  return p->dim == 3 ? STC_SPACE_STRIDE : STC_PLANE_STRIDE;
}

// ---- setup ----

static bool all_rigid(const stc_reduced *p) {
  const stc_bodies *b = &p->bodies;
  if (b->count == 0 || p->any_law) return false;
  for (int k = 0; k < b->count; k++)
    if (b->ptr[k + 1] - b->ptr[k] != width_of(p)) return false;
  return true;
}

static size_t entries_of(const stc_reduced *p) {
  return (size_t)stc_bodies_touches(&p->bodies) * (size_t)(width_of(p) * p->dim);
}

stc_error stc_rigid_take(stc_solver *s, stc_rigid *g) {
  const stc_reduced *p = s->problem;
  g->bodies = all_rigid(p);
  if (!g->bodies) return STC_OK;
  size_t room = (size_t)p->bodies.count * (size_t)stride_of(p);
  int runs = p->contacts / LEAST_RUN;
  g->runs = runs < 1 ? 1 : runs > STC_RUNS ? STC_RUNS : runs;
  double **vectors[] = {&g->mu, &g->k_N, &g->k_T};
  STC_TAKE_VECTORS(s->arena, p->contacts, vectors);
  g->row = STC_TAKE_RAW(s->arena, double, entries_of(p) + STC_VISIT_PAD);
  g->motion = STC_TAKE_RAW(s->arena, double, room);
  g->impulse = STC_TAKE_RAW(s->arena, double, room *(size_t)g->runs);
  STC_TRY(stc_arena_check(s->arena));
  for (int run = 0; run < g->runs; run++) {
    // The bodies that contacts of the run touch lie between these.
    const stc_bodies *b = &p->bodies;
    int from = b->touch_ptr[stc_run_first(p->contacts, g->runs, run)];
    int to = b->touch_ptr[stc_run_first(p->contacts, g->runs, run + 1)];
    g->first[run] = b->count;
    g->end[run] = 0;
    for (int t = from; t < to; t++) {
      int body = b->touch_body[t];
      if (body < g->first[run]) g->first[run] = body;
      if (body >= g->end[run]) g->end[run] = body + 1;
    }
  }
  return s->settings.threads > 1 && g->runs > 1 ? stc_solver_share_team(s, &g->team) : STC_OK;
}

// ---- the numbers of the problem ----

// False where some M_b^-1 has no C.
static bool make_rows(const stc_reduced *p, stc_rigid *g) {
  const stc_bodies *bodies = &p->bodies;
  for (int b = 0; b < bodies->count; b++) {
    double C[STC_SPACE_WIDTH * STC_SPACE_WIDTH];
    if (!stc_root_factorise(width_of(p), bodies->inverse + bodies->inv_ptr[b], C)) return false;
    for (int k = bodies->on_ptr[b]; k < bodies->on_ptr[b + 1]; k++) {
      int t = bodies->on_touch[k];
      const double *H = bodies->H + bodies->val_ptr[t];
      double *row = g->row + (ptrdiff_t)t * width_of(p) * p->dim;
      STC_WITH_SIZES(stc_root_rows, p->dim, width_of(p), H, C, row);
    }
  }
  memset(g->row + entries_of(p), 0, STC_VISIT_PAD * sizeof *g->row);
  return true;
}

void stc_rigid_start(const stc_reduced *p, const double *k, stc_rigid *g) {
  g->usable = g->bodies;
  for (int c = 0; g->usable && c < p->contacts; c++, k += p->dim) {
    const stc_law *law = &p->law[c];
    g->usable = law->kind != STC_LAW_ELLIPTIC;
    g->mu[c] = law->kind == STC_LAW_FRICTIONLESS ? 0 : law->mu[0];
    g->k_N[c] = k[0];
    g->k_T[c] = k[1];
  }
  g->usable = g->usable && make_rows(p, g);
}

// ---- visits ----

static void contacts_of_run(void *argument, int run) {
  stc_visit *v = argument;
  v->run[run] = stc_visit_contacts(v, run);
}

static stc_sums visit_contacts(stc_visit *v) {
  const stc_rigid *g = &v->a->rigid;
  stc_sums total = {0};
  stc_team_run(g->team, contacts_of_run, v, g->runs);
  for (int k = 0; k < g->runs; k++) {
    total.uphill += v->run[k].uphill;
    total.dWd += v->run[k].dWd;
    total.dKd += v->run[k].dKd;
  }
  return total;
}

// The sum of the impulses over the runs, in their order.
static void bodies_of_run(void *argument, int run) {
  const stc_visit *v = argument;
  const stc_rigid *g = &v->a->rigid;
  const int stride = stride_of(v->problem), count = v->problem->bodies.count;
  const int begin = stc_run_first(count, g->runs, run),
            end = stc_run_first(count, g->runs, run + 1);
  memset(g->motion + (ptrdiff_t)begin * stride, 0,
         (size_t)(end - begin) * (size_t)stride * sizeof *g->motion);
  for (int k = 0; k < g->runs; k++) {
    const double *part = g->impulse + (ptrdiff_t)k * count * stride;
    int first = g->first[k] > begin ? g->first[k] : begin, last = g->end[k] < end ? g->end[k] : end;
    for (int i = first * stride; i < last * stride; i++) g->motion[i] += part[i];
  }
}

static void visit_bodies(stc_visit *v) {
  stc_rigid *g = &v->a->rigid;
  if (g->runs > 1) {
    stc_team_run(g->team, bodies_of_run, v, g->runs);
    return;
  }
  double *motion = g->motion;
  g->motion = g->impulse;
  g->impulse = motion;
}

// ---- steps ----

// next from r with momentum or, where that points uphill, without; returns the momentum.
static double aim(const stc_solver *s, stc_apgd *a) {
  stc_visit v = {.problem = s->problem, .a = a, .r = s->r, .project = true, .length = 1 / a->L};
  v.ahead = (a->t - 1) / stc_apgd_grow(a->t);
  if (!(visit_contacts(&v).uphill > 0) || !(a->t > 1)) return v.ahead;
  a->t = 1;
  v.ahead = 0;
  visit_contacts(&v);
  return 0;
}

// Takes the step to next, which was made with momentum beta, and unless it is the last makes the
// one after it; returns that one's momentum.
static double step(stc_solver *s, stc_apgd *a, double beta, bool last) {
  stc_visit v = {.problem = s->problem, .a = a, .r = s->r, .measure = true, .project = !last};
  double t = fmin(a->bound, stc_apgd_grow(a->t));
  v.beta = beta;
  v.length = 1 / a->L;
  v.ahead = (t - 1) / stc_apgd_grow(t);
  visit_bodies(&v);
  stc_sums sum = visit_contacts(&v);
  double seen = sum.dKd > 0 ? sum.dWd / sum.dKd : 0;
  bool steep = seen > a->L;  // too long a step: again from r, without momentum
  if (steep) a->L = s->settings.apgd.margin * seen;
  if (!steep) {
    // old <- r <- next and Wold <- Wr <- the product that stands in Wold.
    double *product = a->Wold;
    stc_apgd_rotate(s, a);
    a->Wold = a->Wr;
    a->Wr = product;
  }
  a->t = steep || (!last && sum.uphill > 0) ? 1 : t;
  return !last && a->t == 1 ? aim(s, a) : v.ahead;
}

void stc_rigid_advance(stc_solver *s, stc_apgd *a, long count) {
  double beta = aim(s, a);
  for (long k = 0; k < count && !stc_solver_due(s); k++) beta = step(s, a, beta, k + 1 == count);
}
