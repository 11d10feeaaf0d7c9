// The cells of a strip: a mapped grid with a row of thickness eps at the support, and which of its
// nodes are one unknown.
#include "strip_data.h"

#include <string.h>

#include "../../../base/fail.h"
#include "../../mesh/mesh.h"

// --- The grid ---

static bool scale_grid(void *user, const double *s, double *x) {
  const stc_strip *strip = user;
  for (int k = 0; k < strip->dim; k++) x[k] = s[k] * strip->settings.size[k];
  return true;
}

static stc_error make_grid(stc_strip *s) {
  int depth = s->dim - 1, cells = s->settings.cells[depth];
  double *level = stc_calloc((size_t)cells + 2, sizeof *level);
  if (!level) return stc_fail(STC_ERR_MEMORY, "out of memory for %d levels", cells);
  // Heights of the levels as parts of D: 0, eps, and the cells above.
  double eps = s->settings.eps, D = s->settings.size[s->dim - 1];
  int first = stc_strip_has_layer(s);
  level[0] = 0;
  for (int k = 0; k <= cells; k++) level[first + k] = (eps + (D - eps) * k / cells) / D;
  level[first + cells] = 1;
  stc_grid grid = {.type = s->dim == 2 ? STC_CELL_Q4 : STC_CELL_H8,
                   .body = "body",
                   .map = scale_grid,
                   .user = s};
  for (int k = 0; k < s->dim; k++) grid.count[k] = s->settings.cells[k] + 1;
  grid.count[depth] += stc_strip_has_layer(s);
  grid.list[depth] = level;
  memcpy(s->points, grid.count, sizeof grid.count);
  stc_error error = stc_mesh_grid(&grid, &s->grid);
  stc_release(&level);
  return error;
}

// The groups of a grid: the body, then its sides by axes, low and high.
static stc_error name_sides(stc_strip *s) {
  static const char *const name[2][7] = {
      {"body", "left", "right", "bottom", "top"},
      {"body", "left", "right", "front", "back", "bottom", "top"}};
  stc_group *group = STC_TAKE(&s->arena, stc_group, s->grid->groups);
  STC_TRY(stc_arena_check(&s->arena));
  for (int g = 0; g < s->grid->groups; g++) {
    group[g] = s->grid->group[g];
    group[g].name = name[s->dim - 2][g];
  }
  s->mesh = *s->grid;
  s->mesh.group = group;
  return STC_OK;
}

// --- The solid ---

static stc_error check_side(const stc_strip *s, const char *group, const char *what) {
  const char *contact = s->settings.contact ? s->settings.contact : "bottom";
  if (!group) return stc_fail(STC_ERR_ARGUMENT, "a %s names no side", what);
  if (strcmp(group, contact) == 0)
    return stc_fail(STC_ERR_ARGUMENT, "a %s on '%s': that side is the contact surface", what,
                    group);
  bool side = strcmp(group, "left") == 0 || strcmp(group, "right") == 0;
  if (side && s->settings.periodic)
    return stc_fail(STC_ERR_ARGUMENT, "a %s on '%s', which a periodic strip does not have", what,
                    group);
  return STC_OK;
}

// Groups, supports and tractions; stiffness, mass and body forces are those of the regions.
static stc_error make_solid(stc_strip *s) {
  const stc_strip_settings *set = &s->settings;
  stc_body *body = STC_TAKE(&s->arena, stc_body, s->regions);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; k < s->regions; k++)
    body[k] = (stc_body){.group = s->region[k].group, .material = {.young = 1, .density = 1}};
  for (int k = 0; k < set->supports; k++) STC_TRY(check_side(s, set->support[k].group, "support"));
  for (int k = 0; k < set->tractions; k++)
    STC_TRY(check_side(s, set->traction[k].group, "traction"));
  const stc_fem_description description = {.mesh = &s->mesh,
                                           .kinematics = s->dim == 2 ? STC_PLANE_STRAIN : STC_SOLID,
                                           .bodies = s->regions,
                                           .body = body,
                                           .supports = set->supports,
                                           .support = set->support,
                                           .tractions = set->tractions,
                                           .traction = set->traction};
  return stc_solid_create(&description, set->threads, &s->solid);
}

// The right side of a periodic cylinder is its left one.
static stc_error tie_sides(stc_strip *s) {
  s->tie = STC_TAKE(&s->arena, int, s->mesh.nodes);
  STC_TRY(stc_arena_check(&s->arena));
  for (int a = 0; a < s->mesh.nodes; a++) {
    int along = s->settings.periodic ? a % s->points[0] : 0;
    s->tie[a] = s->settings.periodic && along == s->points[0] - 1 ? a - along : a;
  }
  return STC_OK;
}

static stc_error take_mesh(stc_strip *s) {
  if (!s->settings.mesh) {
    STC_TRY(make_grid(s));
    return name_sides(s);
  }
  STC_TRY(stc_mesh_copy(s->settings.mesh, &s->grid));
  s->mesh = *s->grid;
  return STC_OK;
}

stc_error stc_strip_make_mesh(stc_strip *s) {
  STC_TRY(take_mesh(s));
  STC_TRY(stc_strip_make_regions(s));
  STC_TRY(make_solid(s));
  return tie_sides(s);
}

// --- Supports and loads ---

stc_error stc_strip_supports(stc_strip *s, double t, double *value) {
  STC_TRY(stc_solid_supports(s->solid, t, s->mesh_fixed, s->mesh_value));
  for (int a = 0; a < s->mesh.nodes; a++)
    for (int i = 0; i < s->dim; i++) {
      if (!s->mesh_fixed[a * s->dim + i]) continue;
      s->fixed[s->number[a] * s->dim + i] = true;
      value[s->number[a] * s->dim + i] = s->mesh_value[a * s->dim + i];
    }
  return stc_layer_hold_sides(s, t, value);
}

stc_error stc_strip_load(stc_strip *s, double t, double *load) {
  size_t bytes = (size_t)s->size * sizeof *load;
  if (s->weight)
    memcpy(load, s->weight, bytes);
  else
    memset(load, 0, bytes);
  if (s->varies) {
    STC_TRY(stc_region_load(s, t, load));
    STC_TRY(stc_layer_load(s, t, load));
  }
  STC_TRY(stc_solid_load(s->solid, t, s->mesh_value));
  for (int a = 0; a < s->mesh.nodes; a++)
    for (int i = 0; i < s->dim; i++)
      load[s->number[a] * s->dim + i] += s->mesh_value[a * s->dim + i];
  return stc_layer_push_sides(s, t, load);
}
