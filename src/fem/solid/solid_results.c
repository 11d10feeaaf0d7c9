// What can be read off a solid: scales, stresses, energies; and its state as numbers.
#include "solid_data.h"

#include <math.h>
#include <string.h>

// --- Scales ---

/// Area or volume of a cell, without thickness or radius.
static double cell_content(const stc_solid *s, int k) {
  const stc_table *t = stc_solid_table(s, k);
  const stc_space_measure plain = {.thickness = 1};
  double x[STC_CELL_MAX_DOFS], sum = 0;
  stc_solid_gather(s, k, s->mesh->x, x);
  for (int q = 0; q < t->rule.points; q++) {
    stc_point point;
    stc_point_at(t, q, x, &plain, &point);
    sum += point.weight;
  }
  return sum;
}

stc_error stc_solid_make_scales(stc_solid *s) {
  s->young = STC_TAKE(&s->arena, double, s->mesh->nodes);
  s->length = STC_TAKE(&s->arena, double, s->mesh->nodes);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; k < s->cells; k++) {
    const int *node = stc_solid_nodes(s, k);
    double content = cell_content(s, k), size = s->dim == 2 ? sqrt(content) : cbrt(content);
    for (int a = 0; a < stc_solid_table(s, k)->nodes; a++) {
      double *length = &s->length[node[a]], *young = &s->young[node[a]];
      *length = *length > 0 ? fmin(*length, size) : size;
      *young = fmax(*young, s->matter[s->body[k]].response.young);
    }
  }
  return STC_OK;
}

void stc_solid_scales(const stc_solid *solid, int node, double *young, double *length) {
  *young = solid->young[node];
  *length = solid->length[node];
}

// --- Stresses and energies ---

/// A point of the last assembled state.
typedef struct recalled {
  double weight, strain[STC_VOIGT];
  const double *history;  ///< NULL if elastic
} recalled;

static void recall(const stc_solid *s, int k, int q, recalled *point) {
  const stc_table *t = stc_solid_table(s, k);
  double x[STC_CELL_MAX_DOFS], u[STC_CELL_MAX_DOFS];
  stc_point p;
  stc_solid_gather(s, k, s->mesh->x, x);
  stc_solid_gather(s, k, s->u, u);
  stc_point_at(t, q, x, &s->measure, &p);
  stc_point_strain(t, &p, u, point->strain);
  stc_solid_cool(s, k, q, point->strain);
  int numbers = stc_response_history(&s->matter[s->body[k]].response);
  point->weight = p.weight;
  point->history = numbers ? s->trial + s->history[k] + (size_t)(q * numbers) : NULL;
}

void stc_solid_stress(const stc_solid *s, int cell, double stress[6], double *alpha) {
  for (int i = 0; i < 6; i++) stress[i] = 0;
  *alpha = 0;
  int k = s->place[cell];
  if (k < 0) return;
  const stc_response *r = &s->matter[s->body[k]].response;
  double volume = 0, at[STC_VOIGT] = {0};
  for (int q = 0; q < stc_solid_table(s, k)->rule.points; q++) {
    recalled point;
    recall(s, k, q, &point);
    stc_response_recall(r, point.strain, point.history, at);
    volume += point.weight;
    for (int i = 0; i < r->components; i++) stress[i] += point.weight * at[i];
    if (point.history) *alpha += point.weight * point.history[r->components];
  }
  for (int i = 0; i < 6; i++) stress[i] /= volume;
  *alpha /= volume;
}

void stc_solid_energy(const stc_solid *s, double *stored, double *plastic) {
  *stored = *plastic = 0;
  for (int k = 0; k < s->cells; k++)
    for (int q = 0; q < stc_solid_table(s, k)->rule.points; q++) {
      recalled point;
      double kept, lost;
      recall(s, k, q, &point);
      stc_response_energy(&s->matter[s->body[k]].response, point.strain, point.history, &kept,
                          &lost);
      *stored += point.weight * kept;
      *plastic += point.weight * lost;
    }
}

// --- State ---

void stc_solid_pass(stc_tape *tape, stc_solid *s) {
  stc_tape_pass(tape, s->u, (size_t)s->size);
  stc_tape_pass(tape, s->kept, s->history[s->cells]);
  stc_tape_pass(tape, s->trial, s->history[s->cells]);
}
