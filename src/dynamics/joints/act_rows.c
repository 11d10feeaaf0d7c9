// The rows of what acts along coordinates in the problem of a step, and their slack bodies; those
// of contacts that yield, too.
#include "../soft/soft_contacts.h"
#include "joint_acts.h"

/// The problem as it grows.
typedef struct extension {
  stc_world *world;
  stc_bodies_data *data;
  int *H_body, *G_body;
  double *H, *G, *M, *f, *w, *b;
  stc_law *law;
  int slack;  ///< bodies so far
} extension;

enum { SIDES = 3 };  // [size] two bodies and a slack one

static bool is_bounded(const stc_act *a) { return a->contact >= 0 && a->kind < STC_ACT_LEAST; }

static int count_slack(const stc_world *world) {
  int count = world->soft;
  for (int k = 0; k < world->acts.count; k++) count += is_bounded(STC_ACT(world, k));
  for (int k = 0; k < world->acts.ties; k++)
    count += ((const stc_tie *)world->acts.tie.data)[k].compliance > 0;
  return count;
}

double stc_acts_kappa(const stc_world *world) {
  double kappa = 0;
  for (int k = 0; k < world->acts.count; k++) {
    const stc_act *a = STC_ACT(world, k);
    if (a->contact >= 0) kappa += a->scale * a->scale * a->mobility;
  }
  return kappa;
}

// --- Room ---

static stc_error make_extension(extension *e) {
  stc_acts *acts = &e->world->acts;
  const stc_bodies_data *d = e->data;
  size_t contacts = (size_t)d->contacts + (size_t)acts->pressed,
         rows = (size_t)d->equalities + (size_t)acts->ties, width = (size_t)d->width,
         dim = (size_t)d->dim, bodies = (size_t)d->bodies + (size_t)count_slack(e->world);
  STC_TRY(stc_pool_grow(&acts->H.body, SIDES * contacts, sizeof(int), 0));
  STC_TRY(stc_pool_grow(&acts->H.block, SIDES * contacts * dim * width, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&acts->G.body, SIDES * rows, sizeof(int), 0));
  STC_TRY(stc_pool_grow(&acts->G.block, SIDES * rows * width, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&acts->M, bodies * width * width, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&acts->f, bodies * width, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&acts->w, contacts * dim, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&acts->b, rows, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&acts->law, contacts, sizeof(stc_law), 0));
  memset(acts->H.block.data, 0, SIDES * contacts * dim * width * sizeof(double));
  memset(acts->G.block.data, 0, SIDES * rows * width * sizeof(double));
  e->H_body = acts->H.body.data, e->G_body = acts->G.body.data;
  e->H = acts->H.block.data, e->G = acts->G.block.data;
  e->M = acts->M.data, e->f = acts->f.data, e->w = acts->w.data, e->b = acts->b.data;
  e->law = acts->law.data;
  return STC_OK;
}

static void copy_doubles(double *to, const double *from, size_t count) {
  if (count) memcpy(to, from, count * sizeof *to);
}

/// Rows on two bodies become rows on two bodies and none.
static void widen(const stc_body_rows *from, int count, size_t area, int *body, double *block) {
  for (int g = 0; g < count; g++) {
    for (int s = 0; s < SIDES; s++) body[SIDES * g + s] = s < 2 ? from->body[2 * g + s] : -1;
    for (size_t s = 0; s < 2; s++)
      if (from->body[2 * (size_t)g + s] >= 0)
        memcpy(block + (SIDES * (size_t)g + s) * area, from->block + (2 * (size_t)g + s) * area,
               area * sizeof *block);
  }
}

static void copy_problem_data(const extension *e) {
  const stc_bodies_data *d = e->data;
  size_t width = (size_t)d->width, bodies = (size_t)d->bodies,
         size = (size_t)d->contacts * (size_t)d->dim;
  widen(&d->H, d->contacts, width * (size_t)d->dim, e->H_body, e->H);
  widen(&d->G, d->equalities, width, e->G_body, e->G);
  copy_doubles(e->M, d->M, bodies * width * width);
  copy_doubles(e->f, d->f, bodies * width);
  copy_doubles(e->w, d->w, size);
  copy_doubles(e->b, d->b, (size_t)d->equalities);
  if (d->contacts) memcpy(e->law, d->law, (size_t)d->contacts * sizeof *e->law);
}

// --- Rows ---

/// Row k of what acts, times `factor`, as component `row` of group g.
static void put_act_row(const extension *e, bool joint, int g, int row, int k, double factor) {
  const stc_body_matrix *D = &e->world->acts.D.view;
  int dim = joint ? 1 : e->data->dim, width = e->data->width;
  int *body = (joint ? e->G_body : e->H_body) + SIDES * (ptrdiff_t)g;
  double *block = (joint ? e->G : e->H) + SIDES * (ptrdiff_t)g * dim * width;
  for (int s = 0; s < 2; s++) {
    body[s] = stc_body_pair(D, k)[s];
    for (int l = 0; l < width && body[s] >= 0; l++)
      block[(s * width + l) * dim + row] = factor * stc_body_block(D, k, s)[l];
  }
  body[2] = -1;
}

/// A slack body of the group, whose velocity `column` is component `row`.
static void put_slack(const extension *e, bool joint, int g, int row, int column) {
  int dim = joint ? 1 : e->data->dim, width = e->data->width;
  double *block = (joint ? e->G : e->H) + SIDES * (ptrdiff_t)g * dim * width;
  (joint ? e->G_body : e->H_body)[SIDES * g + 2] = e->data->bodies + e->slack;
  block[(2 * width + column) * dim + row] = 1;
}

/// Its masses: the first two, and what presses it.
static void add_slack(extension *e, double first, double second, double pressed) {
  int width = e->data->width;
  double unit = e->world->unit;
  double *M = e->M + (ptrdiff_t)(e->data->bodies + e->slack) * width * width;
  double *f = e->f + (ptrdiff_t)(e->data->bodies + e->slack) * width;
  memset(M, 0, (size_t)(width * width) * sizeof *M);
  memset(f, 0, (size_t)width * sizeof *f);
  for (int i = 0; i < width; i++) M[i * width + i] = (i == 1 ? second : first) / unit;
  f[0] = pressed / unit;
  e->slack++;
}

// The speed that the pressed velocity is measured by is at least this part of the one that the
// bound can give: smaller ones would leave nothing that the bound is told from.
static const double LEAST_SPEED = 1e-6;  // [rounding]

/// It must not hide those of the joint, however large the bound.
static double slack_speed(const stc_world *world, const stc_act *a, double bias) {
  double speed = fmax(a->scale * fabs(a->free + bias), stc_world_slow(world));
  return fmax(speed, LEAST_SPEED * a->bound * a->scale * a->mobility);
}

static void add_bounded(extension *e, int k) {
  const stc_act *a = STC_ACT(e->world, k);
  int c = e->data->contacts + a->contact;
  double slope = a->elastic[1] + a->viscous[1], force = a->elastic[0] + a->viscous[0];
  double bias = slope > 0 ? force / slope : a->rigid, bound = a->bound / a->scale;
  double mass = bound / slack_speed(e->world, a, bias);
  put_act_row(e, false, c, 1, k, a->scale);
  put_slack(e, false, c, 0, 0);
  if (slope > 0) put_slack(e, false, c, 1, 1);
  add_slack(e, mass, slope > 0 ? slope / (a->scale * a->scale) : mass, bound);
  e->w[c * e->data->dim + 1] = a->scale * (bias + a->driven);
}

static void add_limit(const extension *e, int k) {
  const stc_act *a = STC_ACT(e->world, k);
  int c = e->data->contacts + a->contact;
  put_act_row(e, false, c, 0, k, a->scale * a->sign);
  e->w[c * e->data->dim] = a->scale * (a->w + a->sign * a->driven);
}

static void add_contact(extension *e, int k) {
  const stc_act *a = STC_ACT(e->world, k);
  bool limit = a->kind >= STC_ACT_LEAST;
  if (a->contact < 0) return;
  int c = e->data->contacts + a->contact, dim = e->data->dim;
  memset(e->w + (ptrdiff_t)c * dim, 0, (size_t)dim * sizeof *e->w);
  stc_surface_pair pair = {.mu = limit ? 0 : 1};
  e->law[c] = stc_world_law_of(e->world, &pair);
  if (e->law[c].kind == STC_LAW_COULOMB && limit) e->law[c] = stc_law_frictionless(dim);
  if (e->law[c].kind == STC_LAW_COULOMB && dim == 3) e->law[c] = stc_law_elliptic(1, 0);
  if (limit)
    add_limit(e, k);
  else
    add_bounded(e, k);
}

static void add_tie(extension *e, int k) {
  const stc_tie *tie = (const stc_tie *)e->world->acts.tie.data + k;
  const stc_act *a = STC_ACT(e->world, tie->act);
  int g = e->data->equalities + k;
  put_act_row(e, true, g, 0, tie->act, a->scale);
  e->b[g] = a->scale * (tie->bias + a->driven);
  if (tie->compliance == 0) return;
  double mass = 1 / (tie->compliance * a->scale * a->scale);
  put_slack(e, true, g, 0, 0);
  add_slack(e, mass, mass, 0);
}

/// What contact c of the bodies yields is the velocity of a slack body.
static void add_yield(extension *e, int c) {
  const stc_contact_pair *m = &STC_CONTACT_PAIRS(e->world)[c];
  if (!stc_contact_yields(m)) return;
  put_slack(e, false, c, 0, 0);
  add_slack(e, 1 / m->soft.yield, 1 / m->soft.yield, 0);
}

stc_error stc_acts_extend(stc_world *world, stc_bodies_data *data) {
  stc_acts *acts = &world->acts;
  extension e = {.world = world, .data = data};
  if (acts->pressed + acts->ties + world->soft == 0) return STC_OK;
  STC_TRY(make_extension(&e));
  copy_problem_data(&e);
  for (int c = 0; c < world->count && world->soft > 0; c++) add_yield(&e, c);
  for (int k = 0; k < acts->count; k++) add_contact(&e, k);
  for (int k = 0; k < acts->ties; k++) add_tie(&e, k);
  data->contacts += acts->pressed;
  data->equalities += acts->ties;
  data->bodies += e.slack;
  data->M = e.M, data->f = e.f, data->w = e.w, data->b = e.b, data->law = e.law;
  data->H = (stc_body_rows){e.H_body, e.H, SIDES};
  data->G = (stc_body_rows){e.G_body, e.G, SIDES};
  return STC_OK;
}
