// Supports: displacements that are given, at the nodes of groups and on the axis of symmetry.
#include "solid_data.h"

#include <math.h>

/// Two supports may give one unknown values that differ by rounding.
static const double same = 1e-12;

/// A node at a radius below this part of the largest lies on the axis.
static const double on_axis = 1e-12;

stc_error stc_given_value(const stc_given *given, double t, const double *x, int dim,
                          const char *what, const char *group, double *value) {
  double place[3] = {x[0], x[1], dim == 3 ? x[2] : 0};
  *value = given->value;
  if (given->function && !given->function(given->user, t, place, value))
    return stc_fail(STC_ERR_CALLBACK, "%s on '%s': its function stopped at t = %g, (%g, %g, %g)",
                    what, group, t, place[0], place[1], place[2]);
  if (!isfinite(*value))
    return stc_fail(STC_ERR_VALUE, "%s on '%s' is %g at t = %g, (%g, %g, %g); it must be finite",
                    what, group, *value, t, place[0], place[1], place[2]);
  return STC_OK;
}

// --- Creating ---

static stc_error make_support(stc_solid *s, const stc_support *from, int index, int *mark) {
  const stc_group *group;
  STC_TRY(stc_mesh_require(s->mesh, from->group, "support", index, &group));
  if (from->component < 0 || from->component >= s->dim)
    return stc_fail(STC_ERR_VALUE, "support %d on '%s': component %d; it must lie in 0..%d", index,
                    from->group, from->component, s->dim - 1);
  stc_held *held = &s->held[s->helds++];
  *held = (stc_held){.component = from->component, .given = from->displacement};
  held->group = stc_arena_text(&s->arena, from->group);
  // Nodes of a group, each once, in the order of its cells.
  int stamp = index + 1;
  const stc_mesh *m = s->mesh;
  size_t entries = 0;
  for (int k = 0; k < group->cells; k++) entries += (size_t)stc_cell_nodes(m->type[group->cell[k]]);
  held->node = STC_TAKE_RAW(&s->arena, int, entries);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; k < group->cells; k++)
    for (int l = m->ptr[group->cell[k]]; l < m->ptr[group->cell[k] + 1]; l++) {
      if (mark[m->node[l]] == stamp) continue;
      mark[m->node[l]] = stamp;
      held->node[held->nodes++] = m->node[l];
    }
  return STC_OK;
}

/// Points on the axis of symmetry stay there.
static stc_error make_axis(stc_solid *s) {
  const double *x = s->mesh->x;
  double largest = 0;
  for (int a = 0; a < s->mesh->nodes; a++) largest = fmax(largest, x[2 * a]);
  stc_held *held = &s->held[s->helds++];
  held->group = stc_arena_text(&s->arena, "the axis of symmetry");
  held->node = STC_TAKE_RAW(&s->arena, int, s->mesh->nodes);
  STC_TRY(stc_arena_check(&s->arena));
  for (int a = 0; a < s->mesh->nodes; a++)
    if (x[2 * a] <= on_axis * largest) held->node[held->nodes++] = a;
  return STC_OK;
}

stc_error stc_solid_make_supports(stc_solid *s, const stc_fem_description *d) {
  if (d->supports < 0 || (d->supports > 0 && !d->support))
    return stc_fail(STC_ERR_ARGUMENT, "%d supports, but their list is NULL", d->supports);
  s->held = STC_TAKE(&s->arena, stc_held, (size_t)d->supports + 1);
  int *mark = stc_calloc((size_t)s->mesh->nodes, sizeof *mark);
  stc_error error = stc_arena_check(&s->arena);
  if (error == STC_OK && !mark) error = stc_fail(STC_ERR_MEMORY, "out of memory for the supports");
  for (int k = 0; error == STC_OK && k < d->supports; k++)
    error = make_support(s, &d->support[k], k, mark);
  if (error == STC_OK && s->measure.axisymmetric) error = make_axis(s);
  stc_release(&mark);
  return error;
}

// --- Values ---

static bool holds(const stc_held *held, int component, int node) {
  if (held->component != component) return false;
  for (int k = 0; k < held->nodes; k++)
    if (held->node[k] == node) return true;
  return false;
}

static stc_error name_conflict(const stc_solid *s, int later, int node, double old, double value) {
  const stc_held *held = &s->held[later];
  int first = 0;
  while (first < later && !holds(&s->held[first], held->component, node)) first++;
  return stc_fail(STC_ERR_VALUE,
                  "node %d: '%s' asks for the displacement %g along %c and '%s' for %g; take the "
                  "node out of one group or give both the same value",
                  node, s->held[first].group, old, "xyz"[held->component], held -> group, value);
}

static stc_error apply(const stc_solid *s, int k, double t, bool *fixed, double *value) {
  const stc_held *held = &s->held[k];
  for (int l = 0; l < held->nodes; l++) {
    int node = held->node[l], at = node * s->dim + held->component;
    double v;
    STC_TRY(stc_given_value(&held->given, t, s->mesh->x + node * s->dim, s->dim, "the displacement",
                            held->group, &v));
    if (fixed[at] && fabs(v - value[at]) > same * fmax(fabs(v), fabs(value[at])))
      return name_conflict(s, k, node, value[at], v);
    if (fixed[at]) continue;
    fixed[at] = true;
    value[at] = v;
  }
  return STC_OK;
}

stc_error stc_solid_supports(const stc_solid *solid, double t, bool *fixed, double *value) {
  for (int i = 0; i < solid->size; i++) fixed[i] = false, value[i] = 0;
  for (int k = 0; k < solid->helds; k++) STC_TRY(apply(solid, k, t, fixed, value));
  return STC_OK;
}
