// Newton's method over temperatures, potentials, displacements and reactions at once, from a good
// start. The rows of a contact are those of its status,
//   A v + B r = c,   v = gap and slip   (semismooth Newton [Hueber and Wohlmuth 2009]).
#include "../base/fail.h"
#include "contact/layer.h"
#include "fem_data.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 40 };

// Gaps and slips end where rounding of all unknowns leaves them: this many times what one contact
// problem leaves.
#define CONTACT_SLACK 100

typedef struct joint_step {
  stc_fem *f;
  stc_span span;
  stc_equations e;
  int *node;     // [count] mesh node of each unknown
  double worst;  // of equilibrium, relative
  double error;  // of the contact conditions, over what rounding leaves
} joint_step;

// --- Unknowns ---

static stc_error create_joint(joint_step *s) {
  stc_fem *f = s->f;
  stc_unknowns n = {f->mesh->nodes, f->size, f->contacts * f->dim};
  int count = 2 * n.nodes + n.size + n.rows;
  s->node = stc_calloc((size_t)count, sizeof *s->node);
  if (!s->node) return stc_fail(STC_ERR_MEMORY, "out of memory for %d unknowns", count);
  for (int a = 0; a < n.nodes; a++) s->node[a] = s->node[stc_at_potential(&n, a)] = a;
  for (int i = 0; i < n.size; i++) s->node[stc_at_displacement(&n, i)] = i / f->dim;
  for (int j = 0; j < n.rows; j++) s->node[stc_at_reaction(&n, j)] = f->slave[j / f->dim];
  return stc_equations_create(&s->e, &n, count, s->node);
}

static double scale_of(const stc_fem *f, int k) { return f->method->stiffness[k] * f->area[k]; }

// Displacements that are supported, and reactions that do nothing.
static stc_error mark_given(joint_step *s) {
  stc_fem *f = s->f;
  STC_TRY(stc_thermal_given(f->thermal, s->span, &s->e));
  for (int i = 0; i < f->size; i++) s->e.given[stc_at_displacement(&s->e.n, i)] = f->fixed[i];
  for (int j = 0; j < f->contacts * f->dim; j++) {
    int k = j / f->dim, at = stc_at_reaction(&s->e.n, j);
    bool tangential = j % f->dim > 0;
    s->e.given[at] = !(f->area[k] > 0) || !f->moves[j] || (tangential && !(f->mu[k] > 0));
    s->e.unit[at] = f->area[k] > 0 ? sqrt(scale_of(f, k)) : 1;
  }
  return STC_OK;
}

// --- Bodies ---

static void add_expansion(joint_step *s) {
  stc_fem *f = s->f;
  double B[STC_CELL_MAX_DOFS * STC_CELL_MAX_NODES];
  for (int c = 0; c < f->mesh->cells; c++) {
    const int *node;
    int nodes;
    if (!stc_solid_expansion(f->solid, c, f->u, B, &node, &nodes)) continue;
    for (int a = 0; a < nodes * f->dim; a++)
      for (int b = 0; b < nodes; b++)
        stc_equations_entry(&s->e,
                            stc_at_displacement(&s->e.n, node[a / f->dim] * f->dim + a % f->dim),
                            node[b], B[a * STC_CELL_MAX_NODES + b]);
  }
}

static void add_bodies(joint_step *s) {
  stc_fem *f = s->f;
  const stc_csr *K = stc_solid_pattern(f->solid), *H = stc_surface_rows(f->surface);
  double F = 0, load = 0, contact = 0, left = 0;
  stc_csr_multiply_transposed(H, f->r, 0, f->full);
  for (int i = 0; i < f->size; i++) {
    int row = stc_at_displacement(&s->e.n, i);
    double R = f->F[i] - f->load[i] - f->full[i];
    stc_equations_add(&s->e, row, R);
    F = hypot(F, f->F[i]), load = hypot(load, f->load[i]), contact = hypot(contact, f->full[i]);
    if (!f->fixed[i]) left = hypot(left, R);
    for (int e = K->ptr[i]; e < K->ptr[i + 1]; e++)
      stc_equations_entry(&s->e, row, stc_at_displacement(&s->e.n, K->col[e]), f->tangent[e]);
  }
  double size = fmax(F, fmax(load, contact));
  s->worst = size > 0 ? left / size : left;
  for (int j = 0; j < H->rows; j++)
    for (int e = H->ptr[j]; e < H->ptr[j + 1]; e++)
      stc_equations_entry(&s->e, stc_at_displacement(&s->e.n, H->col[e]),
                          stc_at_reaction(&s->e.n, j), -H->val[e]);
  add_expansion(s);
}

// --- Contacts ---

// The condition of contact k at its iterate, in units of displacements.
static void condition_of(const stc_fem *f, int k, stc_condition *c) {
  int first = k * f->dim;
  double rho = scale_of(f, k), y[2] = {0}, size;
  const stc_layer *layer = f->method->layer[k];
  double p = f->r[first] / f->area[k], depth = 0, slope = 0;
  if (layer && !(p > 0)) p = stc_layer_pressure(layer, -f->v[first]);
  if (layer) depth = stc_layer_depth(layer, p, &slope);
  double y_N = f->r[first] - rho * (f->v[first] + depth);
  memset(c, 0, sizeof *c);
  c->open = !(y_N > 0);
  for (int a = 0; a < f->dim; a++) c->B[a][a] = 1 / rho;
  if (c->open) return;
  memset(c->B, 0, sizeof c->B);
  for (int a = 0; a < f->dim; a++) c->A[a][a] = 1;
  c->B[0][0] = slope / f->area[k];
  c->c[0] = slope * p - depth;
  for (int a = 1; a < f->dim; a++) y[a - 1] = f->r[first + a] - rho * f->v[first + a];
  size = hypot(y[0], y[1]);
  if (!(f->mu[k] > 0) || size < f->mu[k] * y_N) return;
  for (int a = 1; a < f->dim; a++) c->A[a][a] = 0;
  stc_condition_slip(c, f->dim, f->mu[k], y_N, y, rho, NULL);
  for (int a = 1; a < f->dim; a++)
    for (int b = 0; b < f->dim; b++) c->A[a][b] /= rho, c->B[a][b] /= rho;  // c is 0 there
}

static void add_contact_rows(joint_step *s, int k) {
  stc_fem *f = s->f;
  stc_condition c;
  const stc_csr *H = stc_surface_rows(f->surface);
  int first = k * f->dim;
  condition_of(f, k, &c);
  for (int a = 0; a < f->dim; a++) {
    int row = stc_at_reaction(&s->e.n, first + a);
    double R = -c.c[a];
    for (int b = 0; b < f->dim; b++) {
      R += c.A[a][b] * f->v[first + b] + c.B[a][b] * f->r[first + b];
      stc_equations_entry(&s->e, row, stc_at_reaction(&s->e.n, first + b), c.B[a][b]);
      for (int e = H->ptr[first + b]; c.A[a][b] != 0 && e < H->ptr[first + b + 1]; e++)
        stc_equations_entry(&s->e, row, stc_at_displacement(&s->e.n, H->col[e]),
                            c.A[a][b] * H->val[e]);
    }
    stc_equations_add(&s->e, row, R);
  }
}

// --- The loop ---

static stc_error assemble_joint(joint_step *s) {
  stc_fem *f = s->f;
  stc_heat_balance rate;
  stc_thermal_warm(f->thermal, f->thermal->T1);
  bool needed = !(f->elastic && f->has_tangent);
  STC_TRY(stc_solid_assemble(f->solid, f->u, f->F, needed ? f->tangent : NULL));
  f->has_tangent = true;
  if (needed) f->gathered = false;
  STC_TRY(stc_fem_look(f, s->span.t1, f->u, f->v));
  stc_fem_drag(f);
  stc_fem_meet(f, f->v, s->span.t1 - s->span.t0);
  STC_TRY(mark_given(s));
  stc_equations_clear(&s->e, true);
  const stc_coupled_rows rows = {stc_surface_rows(f->surface), f->v, f->r};
  STC_TRY(stc_thermal_assemble(f->thermal, f->surface, s->span, &rows, &s->e, &rate));
  add_bodies(s);
  for (int k = 0; k < f->contacts; k++)
    if (f->area[k] > 0) add_contact_rows(s, k);
  stc_method_active_set()->update(f->method, f->v, f->r, &s->error);
  return STC_OK;
}

static void take_joint_step(joint_step *s) {
  stc_fem *f = s->f;
  stc_thermal *h = f->thermal;
  const double *d = s->e.step;
  for (int a = 0; a < h->nodes; a++) {
    h->T1[a] += d[a];
    h->phi[a] += d[stc_at_potential(&s->e.n, a)];
  }
  for (int i = 0; i < f->size; i++) f->u[i] += d[stc_at_displacement(&s->e.n, i)];
  for (int j = 0; j < f->contacts * f->dim; j++) f->r[j] += d[stc_at_reaction(&s->e.n, j)];
}

static stc_error iterate_joint(joint_step *s, stc_fem_report *report) {
  stc_fem *f = s->f;
  double left = INFINITY, tol = f->settings.tol;
  bool again = true;  // one iteration more than the tolerance asks for: heat balances to rounding
  for (int i = 0; i <= MAX_ITERATIONS; i++) {
    STC_TRY(assemble_joint(s));
    left = stc_thermal_residual(f->thermal, &s->e);
    report->residual = s->worst;
    if (left <= f->thermal->tol && s->worst <= tol && s->error <= CONTACT_SLACK) {
      if (!again) return STC_OK;
      again = false;
    }
    if (!stc_fem_tell(f, "solving", s->worst))
      return stc_fail(STC_ERR_CALLBACK, "the progress callback stopped the run");
    STC_TRY(stc_equations_solve(&s->e, f->settings.memory));
    take_joint_step(s);
    report->iterations++;
    f->thermal->solves++;
  }
  return stc_fail(STC_ERR_NUMERIC,
                  "no equilibrium of all fields after %d iterations (residuals %.2g of forces, "
                  "%.2g of heat and current)",
                  MAX_ITERATIONS, s->worst, left);
}

stc_error stc_fem_monolithic(stc_fem *fem, stc_span span, stc_fem_report *report) {
  joint_step s = {.f = fem, .span = span};
  stc_error error = stc_solid_load(fem->solid, span.t1, fem->load);
  if (!error) error = stc_fem_look(fem, span.t1, fem->u, fem->v);
  if (!error) error = create_joint(&s);
  if (!error) error = iterate_joint(&s, report);
  stc_equations_free(&s.e);
  stc_release(&s.node);
  if (error) return error;
  stc_fem_take(fem, span.t1, report);
  report->eta = NAN;
  return STC_OK;
}
