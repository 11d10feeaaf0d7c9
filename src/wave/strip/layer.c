// What degree 2 adds to a layer of linear cells: a bubble 4 s (1 - s) across it over every node of
// the surface. Integrals are products of those along each axis,
//   K_(p i)(q j) = lambda <d_i p, d_j q> + G <d_j p, d_i q> + delta_ij G sum_k <d_k p, d_k q>.
#include "strip_data.h"

#include <string.h>

#include "../../base/fail.h"

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
                     const cell_function *q, stc_pile *pile) {
  double lambda = s->settings.lambda, G = s->settings.shear, laplace = 0;
  double mass = s->settings.density * product(c, p, q, -1, -1);
  for (int k = 0; k < c->dim; k++) laplace += product(c, p, q, k, k);
  for (int i = 0; i < c->dim; i++)
    for (int j = 0; j < c->dim; j++) {
      double k = lambda * product(c, p, q, i, j) + G * product(c, p, q, j, i);
      if (i == j) k += G * laplace;
      stc_pile_add(pile, p->node * c->dim + i, q->node * c->dim + j, k, i == j ? mass : 0);
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

void stc_layer_add(const stc_strip *s, stc_pile *pile) {
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
            add_pair(s, &c, &c.function[p], &c.function[q], pile);
    }
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
