// Loads: body forces, tractions by component and pressures along the inward normal, on the
// reference configuration.
//   F_a = integral N_a b dV + integral N_a t dA
#include "../../base/number.h"
#include "solid_data.h"

#include <math.h>
#include <string.h>

// --- Creating ---

static stc_error find_signs(stc_solid *s, const stc_around *around, stc_pushed *push, int index) {
  char what[160];
  stc_snprintf(what, sizeof what, "traction %d on '%s'", index, push->group);
  push->sign = STC_TAKE_RAW(&s->arena, double, push->cells);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; k < push->cells; k++) {
    int body;
    STC_TRY(stc_mesh_side(s->mesh, around, push->cell[k], what, &body, &push->sign[k]));
  }
  return STC_OK;
}

static stc_error make_traction(stc_solid *s, const stc_around *around, const stc_traction *from,
                               int index) {
  const stc_group *group;
  STC_TRY(stc_mesh_require(s->mesh, from->group, "traction", index, &group));
  if (group->dim != s->dim - 1)
    return stc_fail(STC_ERR_DIMENSION,
                    "traction %d: group '%s' has dimension %d; a surface in this mesh has %d",
                    index, from->group, group->dim, s->dim - 1);
  if (from->component < -1 || from->component >= s->dim)
    return stc_fail(STC_ERR_VALUE,
                    "traction %d on '%s': component %d; it must lie in 0..%d, or be -1 for a "
                    "pressure",
                    index, from->group, from->component, s->dim - 1);
  stc_pushed *push = &s->push[s->pushes++];
  *push =
      (stc_pushed){.component = from->component, .given = from->traction, .cells = group->cells};
  push->group = stc_arena_text(&s->arena, from->group);
  push->cell = STC_TAKE_RAW(&s->arena, int, group->cells);
  STC_TRY(stc_arena_check(&s->arena));
  if (group->cells) memcpy(push->cell, group->cell, (size_t)group->cells * sizeof *group->cell);
  return find_signs(s, around, push, index);
}

static stc_error make_tractions(stc_solid *s, const stc_fem_description *d, stc_arena *work) {
  if (d->tractions == 0) return STC_OK;
  stc_around around;
  STC_TRY(stc_mesh_around(work, s->mesh, s->dim, &around));
  for (int k = 0; k < d->tractions; k++) STC_TRY(make_traction(s, &around, &d->traction[k], k));
  return STC_OK;
}

/// Body forces of a cell, added to `weight`.
static void weigh_cell(const stc_solid *s, int k, double *weight) {
  const stc_table *t = stc_solid_table(s, k);
  const int *node = stc_solid_nodes(s, k);
  double x[STC_CELL_MAX_DOFS];
  stc_solid_gather(s, k, s->mesh->x, x);
  for (int q = 0; q < t->rule.points; q++) {
    stc_point point;
    stc_point_at(t, q, x, &s->measure, &point);
    for (int a = 0; a < t->nodes; a++)
      for (int i = 0; i < s->dim; i++)
        weight[node[a] * s->dim + i] += point.weight * t->N[q][a] * s->matter[s->body[k]].force[i];
  }
}

static stc_error make_weight(stc_solid *s) {
  bool any = false;
  for (int b = 0; b < s->bodies; b++)
    for (int i = 0; i < s->dim; i++) any = any || s->matter[b].force[i] != 0;
  if (!any) return STC_OK;
  s->weight = STC_TAKE(&s->arena, double, s->size);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; k < s->cells; k++) weigh_cell(s, k, s->weight);
  return STC_OK;
}

stc_error stc_solid_make_loads(stc_solid *s, const stc_fem_description *d) {
  if (d->tractions < 0 || (d->tractions > 0 && !d->traction))
    return stc_fail(STC_ERR_ARGUMENT, "%d tractions, but their list is NULL", d->tractions);
  for (stc_cell_type type = 0; type < STC_CELL_TYPES; type++)
    if (stc_cell_dim(type) == s->dim - 1) stc_table_create(type, STC_RULE_MASS, &s->face[type]);
  s->push = STC_TAKE(&s->arena, stc_pushed, d->tractions);
  STC_TRY(stc_arena_check(&s->arena));
  stc_arena work = {0};
  stc_error error = make_tractions(s, d, &work);
  stc_arena_free(&work);
  return error == STC_OK ? make_weight(s) : error;
}

// --- Values ---

/// The force at point q of a surface cell: traction times area.
static stc_error force_at(const stc_solid *s, const stc_pushed *push, int k, int q, double t,
                          double *f) {
  int c = push->cell[k], dim = s->dim;
  const stc_table *table = &s->face[s->mesh->type[c]];
  const int *node = s->mesh->node + s->mesh->ptr[c];
  double x[3] = {0}, J[6], n[3] = {0}, value, square = 0;
  for (int a = 0; a < table->nodes; a++)
    for (int i = 0; i < dim; i++) x[i] += table->N[q][a] * s->mesh->x[node[a] * dim + i];
  stc_cell_jacobian(table->type, dim, s->mesh->x, node, table->dN[q], J);
  stc_cell_area(dim, J, n);
  STC_TRY(stc_given_value(&push->given, t, x, dim, "the traction", push->group, &value));
  double scale = table->rule.weight[q] * stc_space_measure_depth(&s->measure, x[0]) * value;
  for (int i = 0; i < dim; i++) square += n[i] * n[i];
  for (int i = 0; i < dim; i++) {
    if (push->component < 0)
      f[i] = -push->sign[k] * n[i] * scale;
    else
      f[i] = i == push->component ? sqrt(square) * scale : 0;
  }
  return STC_OK;
}

static stc_error push_cell(const stc_solid *s, const stc_pushed *push, int k, double t, double *F) {
  int c = push->cell[k];
  const stc_table *table = &s->face[s->mesh->type[c]];
  const int *node = s->mesh->node + s->mesh->ptr[c];
  for (int q = 0; q < table->rule.points; q++) {
    double f[3];
    STC_TRY(force_at(s, push, k, q, t, f));
    for (int a = 0; a < table->nodes; a++)
      for (int i = 0; i < s->dim; i++) F[node[a] * s->dim + i] += table->N[q][a] * f[i];
  }
  return STC_OK;
}

stc_error stc_solid_load(const stc_solid *solid, double t, double *F) {
  for (int i = 0; i < solid->size; i++) F[i] = solid->weight ? solid->weight[i] : 0;
  for (int p = 0; p < solid->pushes; p++)
    for (int k = 0; k < solid->push[p].cells; k++)
      STC_TRY(push_cell(solid, &solid->push[p], k, t, F));
  return STC_OK;
}
