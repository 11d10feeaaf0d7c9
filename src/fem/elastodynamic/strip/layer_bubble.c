// What degree 2 adds to a layer of linear cells: a bubble 4 s (1 - s) across it over every node of
// the surface. Integrals are products of those along each axis,
//   K_(p i)(q j) = lambda <d_i p, d_j q> + G <d_j p, d_i q> + delta_ij G sum_k <d_k p, d_k q>.
#include "strip_data.h"

#include <string.h>

#include "../../../base/fail.h"

enum { LOW, HIGH, BUBBLE, ACROSS };  // functions across the layer

/// <p, q>, <p', q'> and <p', q> of the functions along one axis.
typedef struct axis_table {
  double mass[ACROSS][ACROSS], stiffness[ACROSS][ACROSS], mixed[ACROSS][ACROSS];
} axis_table;

// The two linear functions of a cell of length h, and the bubble.
static axis_table table_of(double h) {
  axis_table t = {
      .mass = {{h / 3, h / 6, h / 3}, {h / 6, h / 3, h / 3}, {h / 3, h / 3, 8 * h / 15}},
      .stiffness = {{1 / h, -1 / h, 0}, {-1 / h, 1 / h, 0}, {0, 0, 16 / (3 * h)}},
      .mixed = {{-0.5, -0.5, -2. / 3}, {0.5, 0.5, 2. / 3}, {2. / 3, -2. / 3, 0}}};
  return t;
}

/// A function of a cell: which one along each axis.
typedef struct cell_function {
  int along[3];
  int node;  ///< reduced
} cell_function;

typedef struct layer_cell {
  int dim, count;
  cell_function function[ACROSS * 4];
  axis_table table[3];
} layer_cell;

// <d_i p, d_j q>; -1: no derivative.
static double product(const layer_cell *c, const cell_function *p, const cell_function *q, int i,
                      int j) {
  double value = 1;
  for (int k = 0; k < c->dim; k++) {
    const axis_table *t = &c->table[k];
    int a = p->along[k], b = q->along[k];
    if (k == i && k == j)
      value *= t->stiffness[a][b];
    else if (k == i)
      value *= t->mixed[a][b];
    else if (k == j)
      value *= t->mixed[b][a];
    else
      value *= t->mass[a][b];
  }
  return value;
}

static void add_pair(const stc_strip *s, const layer_cell *c, const cell_function *p,
                     const cell_function *q, stc_triplets *triplets) {
  double lambda = s->settings.lambda, G = s->settings.shear, laplace = 0;
  double mass = s->settings.density * product(c, p, q, -1, -1);
  for (int k = 0; k < c->dim; k++) laplace += product(c, p, q, k, k);
  for (int i = 0; i < c->dim; i++)
    for (int j = 0; j < c->dim; j++) {
      double k = lambda * product(c, p, q, i, j) + G * product(c, p, q, j, i);
      if (i == j) k += G * laplace;
      stc_triplets_add(triplets, p->node * c->dim + i, q->node * c->dim + j, k, i == j ? mass : 0);
    }
}

// The functions of the cell whose lowest corner is the point (i, j) of the surface.
static void fill_cell(const stc_strip *s, int i, int j, layer_cell *c) {
  int corners = s->dim == 2 ? 2 : 4, depth = s->dim - 1;
  c->count = 0;
  for (int r = LOW; r < ACROSS; r++)
    for (int a = 0; a < corners; a++) {
      int point = (j + a / 2) * s->points[0] + i + a % 2;
      cell_function *f = &c->function[c->count++];
      *f = (cell_function){.along = {a % 2, a / 2}};
      f->along[depth] = r;
      f->node = r == BUBBLE ? s->plain + s->number[point] : s->number[r * s->level + point];
    }
}

static int cells_across(const stc_strip *s) { return s->dim == 2 ? 1 : s->points[1] - 1; }

size_t stc_layer_entries(const stc_strip *s) {
  if (!stc_strip_has_bubbles(s)) return 0;
  size_t functions = s->dim == 2 ? 6 : 12, d = (size_t)s->dim;
  return (size_t)(s->points[0] - 1) * (size_t)cells_across(s) * functions * functions * d * d;
}

void stc_layer_add(const stc_strip *s, stc_triplets *triplets) {
  if (!stc_strip_has_bubbles(s)) return;
  layer_cell c = {.dim = s->dim};
  for (int k = 0; k < s->dim - 1; k++)
    c.table[k] = table_of(s->settings.size[k] / (s->points[k] - 1));
  c.table[s->dim - 1] = table_of(s->settings.eps);
  for (int j = 0; j < cells_across(s); j++)
    for (int i = 0; i < s->points[0] - 1; i++) {
      fill_cell(s, i, j, &c);
      for (int p = 0; p < c.count; p++)
        for (int q = 0; q < c.count; q++)
          if (c.function[p].along[s->dim - 1] == BUBBLE ||
              c.function[q].along[s->dim - 1] == BUBBLE)
            add_pair(s, &c, &c.function[p], &c.function[q], triplets);
    }
}

// --- Sides ---

// A side of the layer: the axis across it, and whether it is at the high end; false: the top.
static bool side_of(const char *group, int *axis, bool *high) {
  static const char *const name[] = {"left", "right", "front", "back"};
  for (int k = 0; k < 4; k++)
    if (strcmp(group, name[k]) == 0) {
      *axis = k / 2;
      *high = k % 2;
      return true;
    }
  return false;
}

// Points of the surface on the side, and the k-th of them.
static int points_along(const stc_strip *s, int axis) {
  return s->dim == 2 ? 1 : s->points[1 - axis];
}

static int point_of(const stc_strip *s, int axis, bool high, int k) {
  int end = high ? s->points[axis] - 1 : 0;
  if (s->dim == 2) return end;
  return axis == 0 ? k * s->points[0] + end : end * s->points[0] + k;
}

/// Gauss points on [0, 1].
enum { GAUSS = 3 };
static const double gauss_at[GAUSS] = {0.11270166537925831, 0.5, 0.88729833462074169};
static const double gauss_weight[GAUSS] = {5. / 18, 8. / 18, 5. / 18};

/// A traction on the cell of a side between its points k and k + 1; in the plane the side is a
/// line.
typedef struct side_cell {
  const stc_traction *traction;
  int axis;
  bool high;
  int k;
} side_cell;

// Adds `weight` times the traction at x to the bubble over a point; a pressure pushes inwards.
static void push_bubble(const stc_strip *s, const side_cell *c, int point, double weight,
                        double value, double *load) {
  int component = c->traction->component, inward = c->high ? -1 : 1;
  int at = component < 0 ? c->axis : component;
  load[(s->plain + s->number[point]) * s->dim + at] +=
      weight * value * (component < 0 ? inward : 1);
}

static stc_error push_cell(const stc_strip *s, const side_cell *c, double t, double *load) {
  int along = s->dim == 2 ? 1 : GAUSS;
  double length = s->dim == 2 ? 1 : s->settings.size[1 - c->axis] / (points_along(s, c->axis) - 1);
  for (int p = 0; p < along; p++)
    for (int q = 0; q < GAUSS; q++) {
      double a = s->dim == 2 ? 0 : gauss_at[p], b = gauss_at[q], x[3] = {0}, value;
      double weight = gauss_weight[q] * s->settings.eps * 4 * b * (1 - b);
      if (s->dim == 3) weight *= gauss_weight[p] * length;
      // The place at the parts `along` of the side cell and `up` of the layer.
      const stc_strip_settings *set = &s->settings;
      x[s->dim - 1] = b * set->eps;
      x[c->axis] = c->high ? set->size[c->axis] : 0;
      if (s->dim == 3)
        x[1 - c->axis] = set->size[1 - c->axis] * (c->k + a) / (points_along(s, c->axis) - 1);
      STC_TRY(stc_given_value(&c->traction->traction, t, x, s->dim, "the traction",
                              c->traction->group, &value));
      push_bubble(s, c, point_of(s, c->axis, c->high, c->k), weight * (1 - a), value, load);
      if (s->dim == 3)
        push_bubble(s, c, point_of(s, c->axis, c->high, c->k + 1), weight * a, value, load);
    }
  return STC_OK;
}

stc_error stc_layer_push_sides(const stc_strip *s, double t, double *load) {
  if (!stc_strip_has_bubbles(s)) return STC_OK;
  for (int k = 0; k < s->settings.tractions; k++) {
    side_cell c = {.traction = &s->settings.traction[k]};
    if (!side_of(c.traction->group, &c.axis, &c.high)) continue;
    int cells = s->dim == 2 ? 1 : points_along(s, c.axis) - 1;
    for (c.k = 0; c.k < cells; c.k++) STC_TRY(push_cell(s, &c, t, load));
  }
  return STC_OK;
}

// A bubble is held where a side is: with what the displacement in the middle of the layer has
// beyond the mean of its two faces, which are in `value`.
static stc_error hold_side(stc_strip *s, const stc_support *support, int axis, bool high, double t,
                           double *value) {
  for (int k = 0; k < points_along(s, axis); k++) {
    int a = point_of(s, axis, high, k), i = support->component;
    int low = s->number[a] * s->dim + i, up = s->number[a + s->level] * s->dim + i;
    int bubble = (s->plain + s->number[a]) * s->dim + i;
    double x[3] = {0}, middle;
    for (int j = 0; j < s->dim - 1; j++) x[j] = s->mesh.x[a * s->dim + j];
    x[s->dim - 1] = s->settings.eps / 2;
    STC_TRY(stc_given_value(&support->displacement, t, x, s->dim, "the displacement",
                            support->group, &middle));
    s->fixed[bubble] = true;
    value[bubble] = middle - (value[low] + value[up]) / 2;
  }
  return STC_OK;
}

stc_error stc_layer_hold_sides(stc_strip *s, double t, double *value) {
  if (!stc_strip_has_bubbles(s)) return STC_OK;
  for (int k = 0; k < s->settings.supports; k++) {
    const stc_support *support = &s->settings.support[k];
    int axis;
    bool high;
    if (!side_of(support->group, &axis, &high)) continue;
    STC_TRY(hold_side(s, support, axis, high, t, value));
  }
  return STC_OK;
}

// The bubble's mean is 2/3.
stc_error stc_layer_load(stc_strip *s) {
  s->bubble_load = STC_TAKE(&s->arena, double, s->size);
  STC_TRY(stc_arena_check(&s->arena));
  if (!stc_strip_has_bubbles(s)) return STC_OK;
  for (int c = 0; c < s->contacts; c++)
    for (int i = 0; i < s->dim; i++)
      s->bubble_load[(s->plain + s->contact[c]) * s->dim + i] =
          2 * s->settings.eps / 3 * s->surface.area[c] * s->settings.force[i];
  return STC_OK;
}
