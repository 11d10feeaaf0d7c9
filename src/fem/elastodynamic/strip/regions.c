// What the body is made of, region by region: stiffness and mass of its cells, body forces.
//   sigma = scale(x) C eps,   C isotropic or any symmetric positive definite matrix
#include "strip_data.h"

#include <string.h>

#include "../../../base/fail.h"
#include "../../../linalg/small.h"
#include "../../mesh/mesh.h"

/// C_ij and C_ji may differ by this part of the largest entry.
static const double SYMMETRY = 1e-12;

// --- Constants ---

static void isotropic(double lambda, double G, double (*C)[STC_VOIGT]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) C[i][j] = lambda;
    C[i][i] += 2 * G;
  }
  for (int i = 3; i < STC_VOIGT; i++) C[i][i] = G;
}

// A stiffness of the caller [n*n] as the 6 x 6 of all components; those without strain stay 0.
static stc_error take_stiffness(const stc_elastic_region *from, int dim, double (*C)[STC_VOIGT]) {
  static const int plane[] = {0, 1, 3}, space[] = {0, 1, 2, 3, 4, 5};
  const int n = dim == 2 ? 3 : 6, *at = dim == 2 ? plane : space;
  double largest = 0, copy[STC_VOIGT * STC_VOIGT];
  for (int i = 0; i < n * n; i++) {
    copy[i] = from->stiffness[i];
    if (!isfinite(copy[i]))
      return stc_fail(STC_ERR_VALUE, "region '%s': entry %d of the stiffness is %g", from->group,
                      i + 1, copy[i]);
    largest = fmax(largest, fabs(copy[i]));
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double here = copy[i * n + j], there = copy[j * n + i];
      if (fabs(here - there) > SYMMETRY * largest)
        return stc_fail(STC_ERR_VALUE,
                        "region '%s': the stiffness is not symmetric: row %d has %g in column %d, "
                        "row %d has %g in column %d",
                        from->group, i + 1, here, j + 1, j + 1, there, i + 1);
      C[at[i]][at[j]] = (here + there) / 2;
    }
  if (stc_small_cholesky(n, copy, SYMMETRY * largest) < 0) return STC_OK;
  return stc_fail(STC_ERR_VALUE,
                  "region '%s': the stiffness is not positive definite: some strain would store no "
                  "energy",
                  from->group);
}

static stc_error check_constants(const stc_elastic_region *r) {
  if (r->stiffness) return STC_OK;
  if (!(r->lambda >= 0) || !isfinite(r->lambda))
    return stc_fail(STC_ERR_VALUE, "region '%s': lambda = %g; give 0 or more", r->group, r->lambda);
  if (!(r->shear > 0) || !isfinite(r->shear))
    return stc_fail(STC_ERR_VALUE, "region '%s': shear = %g; give a positive number", r->group,
                    r->shear);
  return STC_OK;
}

static bool is_given(const stc_given *g) { return g->function || g->value != 0; }

static stc_error take_region(stc_strip *s, const stc_elastic_region *from, stc_region *region) {
  STC_TRY(check_constants(from));
  *region = (stc_region){.scale = from->scale, .density = from->density, .group = from->group};
  if (from->stiffness)
    STC_TRY(take_stiffness(from, s->dim, region->C));
  else
    isotropic(from->lambda, from->shear, region->C);
  region->scaled = is_given(&from->scale);
  for (int i = 0; i < s->dim; i++) {
    region->force[i] = from->force[i];
    region->loaded = region->loaded || is_given(&from->force[i]) || s->settings.force[i] != 0;
    s->varies = s->varies || from->force[i].function;
  }
  s->loaded = s->loaded || region->loaded;
  return STC_OK;
}

// Every group of the body's dimension has the constants of the settings.
static stc_error take_groups(stc_strip *s) {
  const stc_strip_settings *set = &s->settings;
  s->region = STC_TAKE(&s->arena, stc_region, s->mesh.groups);
  STC_TRY(stc_arena_check(&s->arena));
  for (int g = 0; g < s->mesh.groups; g++) {
    if (s->mesh.group[g].dim != s->dim) continue;
    const stc_elastic_region all = {.group = s->mesh.group[g].name,
                                    .lambda = set->lambda,
                                    .shear = set->shear,
                                    .density = {.value = set->density}};
    STC_TRY(take_region(s, &all, &s->region[s->regions++]));
  }
  return STC_OK;
}

stc_error stc_strip_make_regions(stc_strip *s) {
  const stc_strip_settings *set = &s->settings;
  if (set->regions == 0) return take_groups(s);
  if (set->regions < 0 || !set->region)
    return stc_fail(STC_ERR_ARGUMENT, "%d regions, but their list is missing", set->regions);
  s->region = STC_TAKE(&s->arena, stc_region, set->regions);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; k < set->regions; k++) {
    if (!set->region[k].group) return stc_fail(STC_ERR_ARGUMENT, "region %d has no group", k);
    STC_TRY(take_region(s, &set->region[k], &s->region[s->regions++]));
    s->region[k].group = stc_arena_text(&s->arena, set->region[k].group);
  }
  return stc_arena_check(&s->arena);
}

// --- Values ---

static stc_error positive_at(const stc_region *r, const char *what, double value, const double *x) {
  if (value > 0) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "region '%s': %s is %g at (%g, %g, %g); give a positive number",
                  r->group, what, value, x[0], x[1], x[2]);
}

stc_error stc_region_at(const stc_strip *s, const stc_region *r, const double *x, double *scale,
                        double *density) {
  *scale = 1;
  if (r->scaled)
    STC_TRY(stc_given_value(&r->scale, 0, x, s->dim, "the stiffness", r->group, scale));
  STC_TRY(stc_given_value(&r->density, 0, x, s->dim, "the density", r->group, density));
  STC_TRY(positive_at(r, "the scale of the stiffness", *scale, x));
  return positive_at(r, "the density", *density, x);
}

stc_error stc_region_force(const stc_strip *s, const stc_region *r, double t, const double *x,
                           double *f) {
  for (int i = 0; i < s->dim; i++) {
    STC_TRY(stc_given_value(&r->force[i], t, x, s->dim, "the force", r->group, &f[i]));
    f[i] += s->settings.force[i];
  }
  return STC_OK;
}

// --- Cells ---

/// A cell of the body.
typedef struct body_cell {
  const stc_strip *strip;
  const stc_region *region;
  const int *node;
  stc_table stiffness, mass;
  double x[STC_CELL_MAX_DOFS];
} body_cell;

static void open_body_cell(const stc_strip *s, int cell, body_cell *c) {
  stc_cell_type type = s->mesh.type[cell];
  *c = (body_cell){.strip = s,
                   .region = &s->region[stc_solid_body(s->solid, cell)],
                   .node = s->mesh.node + s->mesh.ptr[cell]};
  stc_table_create(type, STC_RULE_STIFFNESS, &c->stiffness);
  stc_table_create(type, STC_RULE_MASS, &c->mass);
  for (int a = 0; a < c->mass.nodes; a++)
    memcpy(c->x + a * s->dim, s->mesh.x + c->node[a] * s->dim, (size_t)s->dim * sizeof *c->x);
}

// Whether the cell is one of the body outside of the layer.
static bool is_of_body(const stc_strip *s, int cell) {
  return stc_cell_dim(s->mesh.type[cell]) == s->dim && !s->layered[cell];
}

static const stc_space_measure whole = {.thickness = 1};

static void place_of(const body_cell *c, const stc_table *t, int q, double x[3]) {
  x[0] = x[1] = x[2] = 0;
  for (int a = 0; a < t->nodes; a++)
    for (int i = 0; i < c->strip->dim; i++) x[i] += t->N[q][a] * c->x[a * c->strip->dim + i];
}

static stc_error sum_stiffness(const body_cell *c, double (*K)[STC_CELL_MAX_DOFS]) {
  double D[STC_VOIGT][STC_VOIGT], x[3], scale, density;
  for (int q = 0; q < c->stiffness.rule.points; q++) {
    stc_point point;
    stc_point_at(&c->stiffness, q, c->x, &whole, &point);
    place_of(c, &c->stiffness, q, x);
    STC_TRY(stc_region_at(c->strip, c->region, x, &scale, &density));
    for (int i = 0; i < STC_VOIGT; i++)
      for (int j = 0; j < STC_VOIGT; j++) D[i][j] = scale * c->region->C[i][j];
    stc_point_add_stiffness(&c->stiffness, &point, D, K);
  }
  int dofs = c->stiffness.nodes * c->strip->dim;
  for (int row = 1; row < dofs; row++)
    for (int col = 0; col < row; col++) K[row][col] = K[col][row];
  return STC_OK;
}

// integral grad N_a . grad N_b for each component.
static void sum_gradients(const body_cell *c, double (*K)[STC_CELL_MAX_DOFS]) {
  int d = c->strip->dim, nodes = c->stiffness.nodes;
  for (int q = 0; q < c->stiffness.rule.points; q++) {
    stc_point point;
    stc_point_at(&c->stiffness, q, c->x, &whole, &point);
    for (int a = 0; a < nodes; a++)
      for (int b = 0; b < nodes; b++) {
        double sum = 0;
        for (int i = 0; i < d; i++) sum += point.grad[a][i] * point.grad[b][i];
        for (int i = 0; i < d; i++) K[a * d + i][b * d + i] += point.weight * sum;
      }
  }
}

static stc_error sum_mass(const body_cell *c, bool norms, double (*M)[STC_CELL_MAX_NODES]) {
  double x[3], scale, density;
  for (int q = 0; q < c->mass.rule.points; q++) {
    stc_point point;
    stc_point_at(&c->mass, q, c->x, &whole, &point);
    place_of(c, &c->mass, q, x);
    STC_TRY(stc_region_at(c->strip, c->region, x, &scale, &density));
    if (norms) density = 1;
    for (int a = 0; a < c->mass.nodes; a++)
      for (int b = 0; b < c->mass.nodes; b++)
        M[a][b] += point.weight * density * c->mass.N[q][a] * c->mass.N[q][b];
  }
  return STC_OK;
}

size_t stc_region_entries(const stc_strip *s) {
  size_t entries = 0;
  for (int k = 0; k < s->mesh.cells; k++) {
    size_t dofs = (size_t)(stc_cell_nodes(s->mesh.type[k]) * s->dim);
    if (is_of_body(s, k)) entries += dofs * dofs;
  }
  return entries;
}

static stc_error sum_cell_forms(const body_cell *c, bool norms, double (*K)[STC_CELL_MAX_DOFS],
                                double (*M)[STC_CELL_MAX_NODES]) {
  int d = c->strip->dim, nodes = c->mass.nodes;
  STC_TRY(sum_mass(c, norms, M));
  if (!norms) return sum_stiffness(c, K);
  sum_gradients(c, K);
  for (int row = 0; row < nodes * d; row++)
    for (int b = 0; b < nodes; b++) K[row][b * d + row % d] += M[row / d][b];
  return STC_OK;
}

stc_error stc_region_add(const stc_strip *s, bool norms, stc_triplets *triplets) {
  int d = s->dim;
  for (int k = 0; k < s->mesh.cells; k++) {
    if (!is_of_body(s, k)) continue;
    body_cell c;
    double K[STC_CELL_MAX_DOFS][STC_CELL_MAX_DOFS] = {{0}};
    double M[STC_CELL_MAX_NODES][STC_CELL_MAX_NODES] = {{0}};
    open_body_cell(s, k, &c);
    STC_TRY(sum_cell_forms(&c, norms, K, M));
    for (int row = 0; row < c.mass.nodes * d; row++)
      for (int col = 0; col < c.mass.nodes * d; col++)
        stc_triplets_add(triplets, s->number[c.node[row / d]] * d + row % d,
                         s->number[c.node[col / d]] * d + col % d, K[row][col],
                         row % d == col % d ? M[row / d][col / d] : 0);
  }
  return STC_OK;
}

stc_error stc_region_load(const stc_strip *s, double t, double *load) {
  for (int k = 0; k < s->mesh.cells; k++) {
    if (!is_of_body(s, k)) continue;
    body_cell c;
    open_body_cell(s, k, &c);
    for (int q = 0; q < c.mass.rule.points && c.region->loaded; q++) {
      stc_point point;
      double x[3], f[3];
      stc_point_at(&c.mass, q, c.x, &whole, &point);
      place_of(&c, &c.mass, q, x);
      STC_TRY(stc_region_force(s, c.region, t, x, f));
      for (int a = 0; a < c.mass.nodes; a++)
        for (int i = 0; i < s->dim; i++)
          load[s->number[c.node[a]] * s->dim + i] += point.weight * c.mass.N[q][a] * f[i];
    }
  }
  return STC_OK;
}
