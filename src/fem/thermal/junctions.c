// What contacts let through, and the heat they make, with w_n the weights of a slave node and A its
// area:
//   q = A h(p, g) sum w_n T_n,   i = A e(p, g) sum w_n phi_n,   heat made = i [phi] + friction
#include "../../base/fail.h"
#include "../mesh/mesh.h"
#include "../solid/solid.h"
#include "thermal_fields.h"

#include <float.h>
#include <math.h>

// --- Taking ---

static stc_error check_conductance(const stc_conductance *c, int k, const char *what) {
  const double number[] = {c->solid, c->pressure, c->exponent, c->gas, c->gap};
  static const char *const name[] = {"solid", "pressure", "exponent", "gas", "gap"};
  for (int i = 0; i < 5; i++)
    if (!(number[i] >= 0) || !isfinite(number[i]))
      return stc_fail(STC_ERR_VALUE, "junction %d: %s of %s is %g; give a number >= 0", k, name[i],
                      what, number[i]);
  if (c->gas > 0 && !(c->gap > 0))
    return stc_fail(STC_ERR_VALUE,
                    "junction %d: the gas of %s needs gap > 0, a distance that stays when the "
                    "contact closes",
                    k, what);
  return STC_OK;
}

static double effusivity(const stc_thermal *h, int cell) {
  const stc_conductor *c = &h->conductor[h->body[cell]];
  return sqrt(c->conductivity * c->capacity);
}

// The body cell behind the first surface cell of a group.
static stc_error body_behind(const stc_thermal *h, const stc_around *around, const char *group,
                             int *cell) {
  const stc_group *g;
  double sign;
  STC_TRY(stc_mesh_require(h->mesh, group, "contact", 0, &g));
  *cell = -1;
  return g->cells ? stc_mesh_side(h->mesh, around, g->cell[0], "a contact", cell, &sign) : STC_OK;
}

static stc_error choose_share(stc_thermal *h, const stc_around *around, const stc_pair *pair,
                              const stc_junction *j, double *share) {
  int slave, master;
  *share = pair->master ? 0.5 : 1;
  if (j->pair >= 0 && j->share >= 0) *share = j->share;
  if (j->pair < 0 || j->share >= 0 || !pair->master) return STC_OK;
  STC_TRY(body_behind(h, around, pair->slave, &slave));
  STC_TRY(body_behind(h, around, pair->master, &master));
  if (slave < 0 || master < 0) return STC_OK;
  double a = effusivity(h, slave), b = effusivity(h, master);
  if (a + b > 0) *share = a / (a + b);
  return STC_OK;
}

static stc_error mark_slave(stc_thermal *h, const char *group, bool *slave) {
  const stc_group *g;
  STC_TRY(stc_mesh_require(h->mesh, group, "contact", 0, &g));
  for (int k = 0; k < g->cells; k++)
    for (int a = h->mesh->ptr[g->cell[k]]; a < h->mesh->ptr[g->cell[k] + 1]; a++)
      slave[h->mesh->node[a]] = true;
  return STC_OK;
}

static stc_error take_list(stc_thermal *h, const stc_fem_description *d) {
  const stc_thermal_description *t = d->thermal;
  if (t->junctions < 0 || (t->junctions && !t->junction))
    return stc_fail(STC_ERR_ARGUMENT, "%d junctions, but their list is NULL", t->junctions);
  for (int p = 0; p < h->pairs; p++) h->junction[p].pair = -1;
  for (int k = 0; k < t->junctions; k++) {
    const stc_junction *j = &t->junction[k];
    if (j->pair < 0 || j->pair >= h->pairs)
      return stc_fail(STC_ERR_VALUE, "junction %d: there is no contact %d", k, j->pair);
    if (h->junction[j->pair].pair >= 0)
      return stc_fail(STC_ERR_VALUE, "contact %d has two junctions", j->pair);
    if (!(j->share <= 1))
      return stc_fail(STC_ERR_VALUE, "junction %d: share = %g; give a number from 0 to 1", k,
                      j->share);
    STC_TRY(check_conductance(&j->heat, k, "heat"));
    STC_TRY(check_conductance(&j->electric, k, "current"));
    h->junction[j->pair] = *j;
  }
  return STC_OK;
}

stc_error stc_thermal_take_junctions(stc_thermal *h, const stc_fem_description *d) {
  stc_around around;
  STC_ARENA work = {0};
  h->junction = STC_TAKE(&h->arena, stc_junction, h->pairs);
  h->share = STC_TAKE(&h->arena, double, h->pairs);
  h->slave = STC_TAKE(&h->arena, bool *, h->pairs);
  STC_TRY(stc_arena_check(&h->arena));
  STC_TRY(take_list(h, d));
  STC_TRY(stc_mesh_around(&work, h->mesh, h->dim, &around));
  for (int p = 0; p < h->pairs; p++) {
    h->slave[p] = STC_TAKE(&h->arena, bool, h->nodes);
    STC_TRY(stc_arena_check(&h->arena));
    STC_TRY(mark_slave(h, d->pair[p].slave, h->slave[p]));
    STC_TRY(choose_share(h, &around, &d->pair[p], &h->junction[p], &h->share[p]));
  }
  return STC_OK;
}

// --- Conductance ---

static stc_error call_conductance(const stc_conductance *c, double p, double g, double *value) {
  if (!c->function(c->user, p, g, value))
    return stc_fail(STC_ERR_CALLBACK, "the function of a conductance stopped at p = %g, g = %g", p,
                    g);
  if (*value >= 0 && isfinite(*value)) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "a conductance is %g at p = %g, g = %g; it must be >= 0", *value,
                  p, g);
}

// The conductance and its derivatives by p and g; those of a function are differences.
static stc_error conductance_at(const stc_conductance *c, const stc_meeting *m, double *value,
                                double d[2]) {
  double p = m->pressure, g = m->gap;
  d[0] = d[1] = *value = 0;
  if (c->function) {
    double dp = sqrt(DBL_EPSILON) * fmax(p, c->pressure), dg = sqrt(DBL_EPSILON) * g, near;
    STC_TRY(call_conductance(c, p, g, value));
    if (dp > 0) STC_TRY(call_conductance(c, p + dp, g, &near));
    if (dp > 0) d[0] = (near - *value) / dp;
    if (dg > 0) STC_TRY(call_conductance(c, p, g + dg, &near));
    if (dg > 0) d[1] = (near - *value) / dg;
    return STC_OK;
  }
  if (p > 0) {
    *value = c->solid * pow(p / (c->pressure > 0 ? c->pressure : 1), c->exponent);
    d[0] = c->exponent * *value / p;
  }
  if (c->gas > 0) {
    *value += c->gas / (c->gap + g);
    d[1] = -c->gas / ((c->gap + g) * (c->gap + g));
  }
  return STC_OK;
}

// --- One contact ---

typedef struct passing {
  stc_contact_flow flow;
  double heat_by[2], electric_by[2];  // derivatives of the conductances
  double area, share;
  bool against_obstacle;
  const bool *slave;
  stc_jump jump;
} passing;

static double jump_of(const stc_jump *jump, const double *field) {
  double sum = 0;
  for (int e = 0; e < jump->count; e++) sum += jump->weight[e] * field[jump->node[e]];
  return sum;
}

static stc_error obstacle_fields(const stc_thermal *h, const stc_junction *j, int node, double t,
                                 stc_contact_flow *flow) {
  const double *x = h->mesh->x + (ptrdiff_t)node * h->dim;
  double T, phi;
  STC_TRY(stc_given_value(&j->temperature, t, x, h->dim, "the temperature", "an obstacle", &T));
  STC_TRY(stc_given_value(&j->potential, t, x, h->dim, "the potential", "an obstacle", &phi));
  flow->jump -= T;
  flow->potential_jump -= phi;
  return STC_OK;
}

// T [nodes]: the temperatures that drive.
static stc_error pass_contact(const stc_thermal *h, const stc_surface *surface, double t, int k,
                              const stc_meeting *m, const double *T, passing *p) {
  const stc_candidate *c = &stc_surface_candidates(surface)[k];
  const stc_junction *j = &h->junction[c->pair];
  *p = (passing){.area = c->opposite ? c->area : 0,
                 .share = h->share[c->pair],
                 .slave = h->slave[c->pair],
                 .jump = stc_surface_jump(surface, k)};
  stc_contact_flow *f = &p->flow;
  double sum = 0;
  for (int e = 0; e < p->jump.count; e++) sum += p->jump.weight[e];
  p->against_obstacle = sum > 0.5;
  f->friction = m->friction;
  if (j->pair < 0 || !(p->area > 0)) return STC_OK;
  f->jump = jump_of(&p->jump, T);
  f->potential_jump = jump_of(&p->jump, h->phi);
  if (p->against_obstacle) STC_TRY(obstacle_fields(h, j, c->node, t, f));
  STC_TRY(conductance_at(&j->heat, m, &f->conductance, p->heat_by));
  STC_TRY(conductance_at(&j->electric, m, &f->electric, p->electric_by));
  f->heat = p->area * f->conductance * f->jump;
  f->current = p->area * f->electric * f->potential_jump;
  f->joule = f->current * f->potential_jump;
  return STC_OK;
}

// Weight of node e for the heat that is made in the contact: both sides sum to 1 together.
static double share_of(const passing *p, int e) {
  double w = p->jump.weight[e];
  return p->slave[p->jump.node[e]] ? p->share * w : -(1 - p->share) * w;
}

static void add_contact_residual(const passing *p, stc_equations *e, stc_heat_balance *rate) {
  double made = p->flow.joule + p->flow.friction;
  for (int a = 0; a < p->jump.count; a++) {
    int n = p->jump.node[a];
    stc_equations_add(e, n, p->jump.weight[a] * p->flow.heat - share_of(p, a) * made);
    stc_equations_add(e, stc_at_potential(&e->n, n), p->jump.weight[a] * p->flow.current);
  }
  rate->contact += p->flow.joule;
  rate->friction += p->flow.friction;
  if (p->against_obstacle) rate->obstacle -= p->flow.heat + (1 - p->share) * made;
}

static void add_contact_tangent(const stc_thermal *h, const passing *p, stc_equations *e) {
  double K = h->theta * p->area * p->flow.conductance, G = p->area * p->flow.electric;
  for (int a = 0; a < p->jump.count; a++)
    for (int b = 0; b < p->jump.count; b++) {
      int n = p->jump.node[a], m = p->jump.node[b];
      int na = stc_at_potential(&e->n, n), mb = stc_at_potential(&e->n, m);
      double w = p->jump.weight[a], v = p->jump.weight[b];
      if (K != 0) stc_equations_entry(e, n, m, w * K * v);
      if (G == 0) continue;
      stc_equations_entry(e, na, mb, w * G * v);
      stc_equations_entry(e, n, mb, -2 * share_of(p, a) * p->flow.current * v);
    }
}

// What one more unit of pressure (which 0) or gap (1) does to the rows of node a: heat and current.
static void by_meeting(const passing *p, int a, int which, double *heat, double *current) {
  double jump = p->flow.potential_jump, w = p->jump.weight[a];
  *current = w * p->area * p->electric_by[which] * jump;
  *heat = w * p->area * p->heat_by[which] * p->flow.jump -
          share_of(p, a) * p->area * p->electric_by[which] * jump * jump;
}

// Derivatives by the reactions and displacements: pressure, gap and the power of friction.
static void add_contact_coupling(const stc_thermal *h, const passing *p, int k, double dt,
                                 const stc_coupled_rows *c, stc_equations *e) {
  int first = k * h->dim;
  for (int a = 0; a < p->jump.count && p->area > 0; a++) {
    int n = p->jump.node[a], at = stc_at_potential(&e->n, n);
    double heat, current;
    by_meeting(p, a, 0, &heat, &current);
    stc_equations_entry(e, n, stc_at_reaction(&e->n, first), heat / p->area);
    if (current != 0) stc_equations_entry(e, at, stc_at_reaction(&e->n, first), current / p->area);
    by_meeting(p, a, 1, &heat, &current);
    for (int i = 0; i < h->dim; i++) {
      const stc_csr *H = c->H;
      double slip = i ? share_of(p, a) * c->r[first + i] / dt : 0;
      if (i)
        stc_equations_entry(e, n, stc_at_reaction(&e->n, first + i),
                            share_of(p, a) * c->v[first + i] / dt);
      for (int q = H->ptr[first + i]; q < H->ptr[first + i + 1]; q++) {
        int u = stc_at_displacement(&e->n, H->col[q]);
        double by = i ? slip : heat;
        if (by != 0) stc_equations_entry(e, n, u, by * H->val[q]);
        if (!i && current != 0) stc_equations_entry(e, at, u, current * H->val[q]);
      }
    }
  }
}

// The temperatures that drive the flows of a step, on the heap.
static double *driving(const stc_thermal *h) {
  double *T = stc_calloc((size_t)h->nodes, sizeof *T);
  if (!T) stc_fail(STC_ERR_MEMORY, "out of memory for the temperatures of contacts");
  for (int n = 0; T && n < h->nodes; n++) T[n] = stc_thermal_at(h, n);
  return T;
}

stc_error stc_thermal_take_flows(stc_thermal *h, const stc_surface *surface, stc_span span) {
  double *T = driving(h);
  stc_error error = T ? STC_OK : STC_ERR_MEMORY;
  for (int k = 0; k < h->contacts && !error; k++) {
    passing p;
    error = pass_contact(h, surface, stc_thermal_time(h, span), k, &h->meeting[k], T, &p);
    h->flow[k] = p.flow;
  }
  stc_release(&T);
  return error;
}

stc_error stc_thermal_add_junctions(const stc_thermal *h, const stc_surface *surface, stc_span span,
                                    const stc_coupled_rows *coupled, stc_equations *e,
                                    stc_heat_balance *rate) {
  double *T = driving(h);
  stc_error error = T ? STC_OK : STC_ERR_MEMORY;
  for (int k = 0; k < h->contacts && !error; k++) {
    passing p;
    error = pass_contact(h, surface, stc_thermal_time(h, span), k, &h->meeting[k], T, &p);
    if (error) break;
    add_contact_residual(&p, e, rate);
    if (e->jacobian) add_contact_tangent(h, &p, e);
    if (e->jacobian && coupled) add_contact_coupling(h, &p, k, span.t1 - span.t0, coupled, e);
  }
  stc_release(&T);
  return error;
}
