// The fields of a model: description checked and copied.
#include "../../base/fail.h"
#include "../mesh/mesh.h"
#include "../solid/solid.h"
#include "thermal_fields.h"

#include <math.h>
#include <string.h>

enum { USUAL_PASSES = 100 };
static const double USUAL_TOL = 1e-10;

// --- Conductors ---

static stc_error check_conductor(const stc_conductor *c, int k, bool steady) {
  if (!(c->conductivity > 0) || !isfinite(c->conductivity))
    return stc_fail(STC_ERR_VALUE, "conductor %d ('%s'): conductivity = %g; it must be > 0", k,
                    c->group, c->conductivity);
  if (!(c->capacity >= 0) || !isfinite(c->capacity) || (!steady && c->capacity == 0))
    return stc_fail(STC_ERR_VALUE,
                    "conductor %d ('%s'): capacity = %g; a run that is not steady needs > 0", k,
                    c->group, c->capacity);
  if (!(c->electric >= 0) || !isfinite(c->electric))
    return stc_fail(STC_ERR_VALUE, "conductor %d ('%s'): electric = %g; give a number >= 0", k,
                    c->group, c->electric);
  if (!isfinite(c->slope) || !isfinite(c->expansion) || !isfinite(c->source))
    return stc_fail(STC_ERR_VALUE,
                    "conductor %d ('%s'): slope, expansion and source must be finite", k, c->group);
  return STC_OK;
}

static stc_error claim_cells(stc_thermal *h, const stc_conductor *c, int k) {
  const stc_group *g;
  STC_TRY(stc_mesh_require(h->mesh, c->group, "conductor", k, &g));
  if (g->dim != h->dim)
    return stc_fail(STC_ERR_DIMENSION, "conductor %d: '%s' is a surface; name a body", k, c->group);
  for (int i = 0; i < g->cells; i++) {
    if (h->body[g->cell[i]] >= 0 && h->body[g->cell[i]] != k)
      return stc_fail(STC_ERR_VALUE, "cell %d belongs to two conductors, %d and %d ('%s')",
                      g->cell[i], h->body[g->cell[i]], k, c->group);
    h->body[g->cell[i]] = k;
  }
  return STC_OK;
}

static stc_error take_conductors(stc_thermal *h, const stc_thermal_description *d) {
  const stc_mesh *m = h->mesh;
  if (d->conductors < 1 || !d->conductor)
    return stc_fail(STC_ERR_ARGUMENT, "the thermal description has no conductor");
  h->conductor = STC_TAKE(&h->arena, stc_conductor, d->conductors);
  h->body = STC_TAKE(&h->arena, int, m->cells);
  h->conducts = STC_TAKE(&h->arena, bool, m->nodes);
  STC_TRY(stc_arena_check(&h->arena));
  for (int c = 0; c < m->cells; c++) h->body[c] = -1;
  for (int k = 0; k < d->conductors; k++) {
    STC_TRY(check_conductor(&d->conductor[k], k, d->steady));
    STC_TRY(claim_cells(h, &d->conductor[k], k));
    h->conductor[k] = d->conductor[k];
    h->conductor[k].group = stc_arena_text(&h->arena, d->conductor[k].group);
  }
  for (int c = 0; c < m->cells; c++) {
    if (stc_cell_dim(m->type[c]) != m->dim) continue;
    if (h->body[c] < 0)
      return stc_fail(STC_ERR_VALUE, "cell %d belongs to no conductor; name its group in one", c);
    for (int a = m->ptr[c]; a < m->ptr[c + 1]; a++)
      if (h->conductor[h->body[c]].electric > 0) h->conducts[m->node[a]] = true;
  }
  return stc_arena_check(&h->arena);
}

// --- Settings ---

static stc_error take_thermal_settings(stc_thermal *h, const stc_thermal_description *d) {
  h->theta = d->theta == 0 ? 1 : d->theta;
  h->tol = d->tol == 0 ? USUAL_TOL : d->tol;
  h->passes = d->passes == 0 ? USUAL_PASSES : d->passes;
  h->steady = d->steady;
  h->monolithic = d->coupling == STC_MONOLITHIC;
  h->reference = d->reference;
  if (!(h->theta >= 0.5 && h->theta <= 1))
    return stc_fail(STC_ERR_VALUE, "theta = %g; give a number from 0.5 to 1", d->theta);
  if (h->steady && h->theta < 1)
    return stc_fail(STC_ERR_VALUE, "theta = %g is for transient runs; steady ones have theta = 1",
                    d->theta);
  if (!(h->tol > 0 && h->tol < 1))
    return stc_fail(STC_ERR_VALUE, "tol = %g of the fields; give a number between 0 and 1", d->tol);
  if (h->passes < 1)
    return stc_fail(STC_ERR_VALUE, "passes = %d; give a whole number from 1 on", d->passes);
  if ((unsigned)d->coupling > STC_MONOLITHIC)
    return stc_fail(STC_ERR_VALUE, "there is no coupling %d", (int)d->coupling);
  if (!isfinite(h->reference))
    return stc_fail(STC_ERR_VALUE, "the reference temperature is %g", h->reference);
  return STC_OK;
}

static void make_thermal_tables(stc_thermal *h, const stc_fem_description *d) {
  h->measure.axisymmetric = d->kinematics == STC_AXISYMMETRIC;
  h->measure.thickness = d->kinematics == STC_SOLID || d->thickness == 0 ? 1 : d->thickness;
  stc_rule_kind kind = h->measure.axisymmetric ? STC_RULE_RADIAL : STC_RULE_STIFFNESS;
  for (stc_cell_type type = 0; type < STC_CELL_TYPES; type++) {
    if (stc_cell_dim(type) == h->dim) {
      stc_table_create(type, kind, &h->table[type]);
      stc_table_create(type, STC_RULE_MASS, &h->mass[type]);
    } else if (stc_cell_dim(type) == h->dim - 1)
      stc_table_create(type, STC_RULE_MASS, &h->face[type]);
  }
}

static stc_error take_fields(stc_thermal *h, const stc_thermal_description *d) {
  double **const field[] = {&h->T, &h->phi, &h->heat, &h->current, &h->T1, &h->warmth};
  STC_TAKE_ZEROS(&h->arena, h->nodes, field);
  h->flow = STC_TAKE(&h->arena, stc_contact_flow, h->contacts);
  h->meeting = STC_TAKE(&h->arena, stc_meeting, h->contacts);
  STC_TRY(stc_arena_check(&h->arena));
  for (int n = 0; n < h->nodes; n++)
    STC_TRY(stc_given_value(&d->initial, 0, h->mesh->x + (ptrdiff_t)n * h->dim, h->dim,
                            "the initial temperature", "the bodies", &h->T[n]));
  memcpy(h->T1, h->T, (size_t)h->nodes * sizeof *h->T);
  stc_thermal_warm(h, h->T);
  return STC_OK;
}

static stc_error build_thermal(stc_thermal *h, const stc_fem_description *d) {
  h->mesh = d->mesh;
  h->dim = d->mesh->dim;
  h->nodes = d->mesh->nodes;
  h->pairs = d->pairs;
  STC_TRY(take_thermal_settings(h, d->thermal));
  make_thermal_tables(h, d);
  STC_TRY(take_conductors(h, d->thermal));
  STC_TRY(stc_thermal_take_passages(h, d->thermal));
  STC_TRY(stc_thermal_take_junctions(h, d));
  STC_TRY(take_fields(h, d->thermal));
  int *node = STC_TAKE(&h->arena, int, 2 * (size_t)h->nodes);
  STC_TRY(stc_arena_check(&h->arena));
  for (int i = 0; i < 2 * h->nodes; i++) node[i] = i % h->nodes;
  return stc_equations_create(&h->fields, &(stc_unknowns){.nodes = h->nodes}, 2 * h->nodes, node);
}

stc_error stc_thermal_create(const stc_fem_description *d, double memory, int contacts,
                             stc_thermal **thermal) {
  STC_NEW(thermal, "heat and current");
  (*thermal)->memory = memory;
  (*thermal)->contacts = contacts;
  stc_error error = build_thermal(*thermal, d);
  if (error) stc_thermal_free(thermal);
  return error;
}

void stc_thermal_free(stc_thermal **thermal) {
  if (!thermal || !*thermal) return;
  stc_equations_free(&(*thermal)->fields);
  stc_arena_free(&(*thermal)->arena);
  stc_release(thermal);
}
