// What is given on nodes and surfaces: temperatures, potentials, fluxes, currents, convection.
#include "../../base/fail.h"
#include "../mesh/mesh.h"
#include "../solid/solid.h"
#include "thermal_fields.h"

#include <math.h>
#include <string.h>

/// Values that two groups give to one node may differ by rounding.
static const double same = 1e-12;

static const char *const names[] = {"the temperature", "the potential", "the flux", "the current",
                                    "the ambient temperature"};

static bool is_nodal(stc_transfer_kind kind) {
  return kind == STC_TEMPERATURE || kind == STC_POTENTIAL;
}

// --- Taking ---

static stc_error take_nodes(stc_thermal *h, const stc_group *g, stc_passage *p) {
  const stc_mesh *m = h->mesh;
  bool *seen = stc_calloc((size_t)m->nodes, sizeof *seen);
  p->item = STC_TAKE(&h->arena, int, m->nodes);
  if (!seen) return stc_fail(STC_ERR_MEMORY, "out of memory for the nodes of '%s'", g->name);
  for (int k = 0; p->item && k < g->cells; k++)
    for (int a = m->ptr[g->cell[k]]; a < m->ptr[g->cell[k] + 1]; a++) {
      int node = m->node[a];
      if (seen[node] || (p->kind == STC_POTENTIAL && !h->conducts[node])) continue;
      seen[node] = true;
      p->item[p->count++] = node;
    }
  stc_release(&seen);
  if (p->kind == STC_POTENTIAL && p->count == 0)
    return stc_fail(STC_ERR_VALUE,
                    "potential of '%s': nothing there conducts current; give its body 'electric'",
                    g->name);
  return stc_arena_check(&h->arena);
}

static stc_error take_cells(stc_thermal *h, const stc_group *g, stc_passage *p) {
  if (g->dim != h->dim - 1)
    return stc_fail(STC_ERR_DIMENSION, "%s on '%s': name a surface", names[p->kind], g->name);
  p->count = g->cells;
  p->item = STC_TAKE(&h->arena, int, g->cells);
  STC_TRY(stc_arena_check(&h->arena));
  memcpy(p->item, g->cell, (size_t)g->cells * sizeof *g->cell);
  for (int k = 0; p->kind == STC_CURRENT && k < g->cells; k++)
    for (int a = h->mesh->ptr[g->cell[k]]; a < h->mesh->ptr[g->cell[k] + 1]; a++)
      if (!h->conducts[h->mesh->node[a]])
        return stc_fail(STC_ERR_VALUE,
                        "the current on '%s': nothing there conducts current; give its body "
                        "'electric'",
                        g->name);
  return STC_OK;
}

stc_error stc_thermal_take_passages(stc_thermal *h, const stc_thermal_description *d) {
  if (d->transfers < 0 || (d->transfers && !d->transfer))
    return stc_fail(STC_ERR_ARGUMENT, "%d transfers, but their list is NULL", d->transfers);
  h->passage = STC_TAKE(&h->arena, stc_passage, d->transfers);
  STC_TRY(stc_arena_check(&h->arena));
  for (int k = 0; k < d->transfers; k++) {
    const stc_transfer *from = &d->transfer[k];
    const stc_group *g;
    STC_TRY(stc_mesh_require(h->mesh, from->group, "transfer", k, &g));
    if ((unsigned)from->kind > STC_CONVECTION)
      return stc_fail(STC_ERR_VALUE, "transfer %d on '%s': there is no kind %d", k, from->group,
                      (int)from->kind);
    if (from->kind == STC_CONVECTION && !(from->coefficient >= 0 && isfinite(from->coefficient)))
      return stc_fail(STC_ERR_VALUE, "convection on '%s': coefficient = %g; give a number >= 0",
                      from->group, from->coefficient);
    stc_passage *p = &h->passage[h->passages++];
    *p = (stc_passage){.kind = from->kind, .value = from->value, .coefficient = from->coefficient};
    p->group = stc_arena_text(&h->arena, from->group);
    STC_TRY(is_nodal(p->kind) ? take_nodes(h, g, p) : take_cells(h, g, p));
  }
  return stc_arena_check(&h->arena);
}

// --- Given values ---

static stc_error give_nodes(stc_thermal *h, const stc_passage *p, double t, stc_equations *e) {
  bool warm = p->kind == STC_TEMPERATURE;
  double *field = warm ? h->T1 : h->phi;
  for (int k = 0; k < p->count; k++) {
    int n = p->item[k], row = warm ? n : stc_at_potential(&e->n, n);
    double value;
    STC_TRY(stc_given_value(&p->value, t, h->mesh->x + (ptrdiff_t)n * h->dim, h->dim,
                            names[p->kind], p->group, &value));
    double size = fmax(fabs(value), fabs(field[n]));
    if (e->given[row] && fabs(value - field[n]) > same * size)
      return stc_fail(STC_ERR_VALUE,
                      "node %d: '%s' asks for %s %g and another group for %g; take the node out of "
                      "one of them",
                      n, p->group, names[p->kind], value, field[n]);
    field[n] = value;
    e->given[row] = true;
  }
  return STC_OK;
}

stc_error stc_thermal_given(stc_thermal *h, stc_span span, stc_equations *e) {
  memset(e->given, 0, 2 * (size_t)h->nodes * sizeof *e->given);
  for (int k = 0; k < h->passages; k++) {
    const stc_passage *p = &h->passage[k];
    double t = p->kind == STC_TEMPERATURE ? span.t1 : stc_thermal_time(h, span);
    if (is_nodal(p->kind)) STC_TRY(give_nodes(h, p, t, e));
  }
  for (int n = 0; n < h->nodes; n++)
    if (!h->conducts[n]) e->given[stc_at_potential(&e->n, n)] = true;
  return STC_OK;
}

// --- Surfaces ---

static stc_error add_surface_cell(const stc_thermal *h, const stc_passage *p, int cell, double t,
                                  stc_equations *e, stc_heat_balance *rate) {
  const stc_mesh *m = h->mesh;
  const stc_table *f = &h->face[m->type[cell]];
  const int *node = m->node + m->ptr[cell];
  for (int q = 0; q < f->rule.points; q++) {
    double x[3] = {0}, J[6], area[3] = {0}, value, T = 0, square = 0;
    for (int a = 0; a < f->nodes; a++) {
      T += f->N[q][a] * stc_thermal_at(h, node[a]);
      for (int i = 0; i < h->dim; i++) x[i] += f->N[q][a] * m->x[(ptrdiff_t)node[a] * h->dim + i];
    }
    stc_cell_jacobian(f->type, h->dim, m->x, node, f->dN[q], J);
    stc_cell_area(h->dim, J, area);
    for (int i = 0; i < h->dim; i++) square += area[i] * area[i];
    STC_TRY(stc_given_value(&p->value, t, x, h->dim, names[p->kind], p->group, &value));
    double w = f->rule.weight[q] * sqrt(square) * stc_space_measure_depth(&h->measure, x[0]);
    double in = w * (p->kind == STC_CONVECTION ? p->coefficient * (value - T) : value);
    if (p->kind != STC_CURRENT) rate->surface += in;
    for (int a = 0; a < f->nodes; a++) {
      int row = p->kind == STC_CURRENT ? stc_at_potential(&e->n, node[a]) : node[a];
      stc_equations_add(e, row, -in * f->N[q][a]);
      for (int b = 0; p->kind == STC_CONVECTION && b < f->nodes; b++)
        stc_equations_entry(e, row, node[b],
                            h->theta * w * p->coefficient * f->N[q][a] * f->N[q][b]);
    }
  }
  return STC_OK;
}

stc_error stc_thermal_add_passages(const stc_thermal *h, stc_span span, stc_equations *e,
                                   stc_heat_balance *rate) {
  for (int k = 0; k < h->passages; k++) {
    const stc_passage *p = &h->passage[k];
    for (int i = 0; !is_nodal(p->kind) && i < p->count; i++)
      STC_TRY(add_surface_cell(h, p, p->item[i], stc_thermal_time(h, span), e, rate));
  }
  return STC_OK;
}
