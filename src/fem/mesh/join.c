// One mesh out of others: copies, and several side by side.
#include "../../base/fail.h"
#include "mesh.h"

#include <limits.h>
#include <string.h>

/// The arrays of a mesh while they are filled.
typedef struct joint {
  stc_owned_mesh *owned;
  double *x;
  unsigned char *type;
  int *ptr, *node;
  stc_group *group;
  int nodes, cells, groups;  ///< filled so far
} joint;

static stc_error take_arrays(joint *j, int dim, size_t nodes, size_t cells, size_t entries,
                             size_t groups) {
  if (nodes > INT_MAX / 3 || cells >= INT_MAX || entries > INT_MAX)
    return stc_fail(STC_ERR_DIMENSION, "a mesh of %zu nodes and %zu cells is too large", nodes,
                    cells);
  j->owned = stc_owned_mesh_create();
  if (!j->owned) return STC_ERR_MEMORY;
  stc_arena *arena = &j->owned->arena;
  j->x = STC_TAKE_RAW(arena, double, nodes *(size_t)dim);
  j->type = STC_TAKE_RAW(arena, unsigned char, cells);
  j->ptr = STC_TAKE(arena, int, cells + 1);
  j->node = STC_TAKE_RAW(arena, int, entries);
  j->group = STC_TAKE(arena, stc_group, groups);
  return stc_arena_check(arena);
}

static stc_error append_group(joint *j, const stc_group *from, int first_cell) {
  stc_arena *arena = &j->owned->arena;
  stc_group *to = &j->group[j->groups++];
  int *cell = STC_TAKE_RAW(arena, int, from->cells);
  *to = (stc_group){stc_arena_text(arena, from->name), from->dim, from->cells, cell};
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < from->cells; k++) cell[k] = from->cell[k] + first_cell;
  return STC_OK;
}

static stc_error widen_group(joint *j, stc_group *to, const stc_group *from, int first_cell) {
  if (to->dim != from->dim)
    return stc_fail(STC_ERR_DIMENSION,
                    "two meshes have a group '%s', of dimension %d and %d; rename one", from->name,
                    to->dim, from->dim);
  int *cell = STC_TAKE_RAW(&j->owned->arena, int, to->cells + from->cells);
  STC_TRY(stc_arena_check(&j->owned->arena));
  for (int k = 0; k < to->cells; k++) cell[k] = to->cell[k];
  for (int k = 0; k < from->cells; k++) cell[to->cells + k] = from->cell[k] + first_cell;
  to->cells += from->cells;
  to->cell = cell;
  return STC_OK;
}

/// A group of the meshes before with the same name; NULL if there is none.
static stc_group *same_name(const joint *j, int groups, const char *name) {
  for (int g = 0; g < groups; g++)
    if (strcmp(j->group[g].name, name) == 0) return &j->group[g];
  return NULL;
}

static stc_error append_mesh(joint *j, const stc_mesh *from) {
  size_t dim = (size_t)from->dim;
  if (from->nodes)
    memcpy(j->x + (size_t)j->nodes * dim, from->x, (size_t)from->nodes * dim * sizeof *from->x);
  for (int c = 0; c < from->cells; c++) {
    int at = j->ptr[j->cells + c];
    for (int k = from->ptr[c]; k < from->ptr[c + 1]; k++) j->node[at++] = from->node[k] + j->nodes;
    j->ptr[j->cells + c + 1] = at;
    j->type[j->cells + c] = from->type[c];
  }
  int before = j->groups;
  for (int g = 0; g < from->groups; g++) {
    stc_group *to = same_name(j, before, from->group[g].name);
    if (to)
      STC_TRY(widen_group(j, to, &from->group[g], j->cells));
    else
      STC_TRY(append_group(j, &from->group[g], j->cells));
  }
  j->nodes += from->nodes;
  j->cells += from->cells;
  return STC_OK;
}

static stc_error join_all(joint *j, int count, const stc_mesh *const *mesh) {
  size_t nodes = 0, cells = 0, entries = 0, groups = 0;
  for (int k = 0; k < count; k++) {
    if (mesh[k]->dim != mesh[0]->dim)
      return stc_fail(STC_ERR_DIMENSION, "mesh %d has dimension %d, mesh 0 has %d", k, mesh[k]->dim,
                      mesh[0]->dim);
    nodes += (size_t)mesh[k]->nodes;
    cells += (size_t)mesh[k]->cells;
    entries += (size_t)(mesh[k]->cells ? mesh[k]->ptr[mesh[k]->cells] : 0);
    groups += (size_t)mesh[k]->groups;
  }
  STC_TRY(take_arrays(j, mesh[0]->dim, nodes, cells, entries, groups));
  for (int k = 0; k < count; k++) STC_TRY(append_mesh(j, mesh[k]));
  j->owned->mesh = (stc_mesh){mesh[0]->dim, j->nodes, j->x,      j->cells, j->type,
                              j->ptr,       j->node,  j->groups, j->group};
  return STC_OK;
}

stc_error stc_mesh_join(int count, const stc_mesh *const *mesh, stc_mesh **joined) {
  *joined = NULL;
  if (count < 1) return stc_fail(STC_ERR_ARGUMENT, "%d meshes to join; give at least one", count);
  joint j = {0};
  stc_error error = join_all(&j, count, mesh);
  if (j.owned) *joined = &j.owned->mesh;
  if (error != STC_OK) stc_mesh_free(joined);
  return error;
}

stc_error stc_mesh_copy(const stc_mesh *view, stc_mesh **mesh) {
  return stc_mesh_join(1, &view, mesh);
}
