// Meshes in memory: owned arrays, groups by name, cells around nodes.
#include "mesh.h"
#include "../../base/fail.h"

#include <string.h>

stc_owned_mesh *stc_owned_mesh_create(void) {
  stc_owned_mesh *owned = stc_calloc(1, sizeof *owned);
  if (!owned) stc_fail(STC_ERR_MEMORY, "out of memory for a mesh");
  return owned;
}

void stc_mesh_free(stc_mesh **mesh) {
  if (!mesh || !*mesh) return;
  stc_owned_mesh *owned = (stc_owned_mesh *)(void *)*mesh;
  stc_arena_free(&owned->arena);
  stc_release(mesh);
}

char *stc_arena_text(stc_arena *arena, const char *text) {
  size_t length = strlen(text) + 1;
  char *copy = STC_TAKE(arena, char, length);
  return copy ? memcpy(copy, text, length) : NULL;
}

// --- Groups ---

int stc_mesh_find(const stc_mesh *mesh, const char *name) {
  for (int g = 0; name && g < mesh->groups; g++)
    if (strcmp(mesh->group[g].name, name) == 0) return g;
  return -1;
}

static const char *group_name(const void *user, int k) {
  const stc_mesh *mesh = user;
  return k < mesh->groups ? mesh->group[k].name : NULL;
}

stc_error stc_mesh_require(const stc_mesh *mesh, const char *name, const char *what, int index,
                           const stc_group **group) {
  if (!name) return stc_fail(STC_ERR_ARGUMENT, "%s %d: the name of its group is NULL", what, index);
  int g = stc_mesh_find(mesh, name);
  if (g >= 0) {
    *group = &mesh->group[g];
    return STC_OK;
  }
  const char *near = stc_nearest_name(name, group_name, mesh);
  if (near)
    return stc_fail(STC_ERR_ARGUMENT, "%s %d: the mesh has no group '%s'; did you mean '%s'?", what,
                    index, name, near);
  return stc_fail(STC_ERR_ARGUMENT,
                  "%s %d: the mesh has no group '%s'; it has %d, the first is '%s'", what, index,
                  name, mesh->groups, mesh->groups ? mesh->group[0].name : "none");
}

// --- Neighbours ---

stc_error stc_mesh_around(stc_arena *arena, const stc_mesh *mesh, int dim, stc_around *around) {
  int *ptr = around->ptr = STC_TAKE(arena, int, (size_t)mesh->nodes + 2);
  STC_TRY(stc_arena_check(arena));
  for (int c = 0; c < mesh->cells; c++)
    if (stc_cell_dim(mesh->type[c]) == dim)
      for (int k = mesh->ptr[c]; k < mesh->ptr[c + 1]; k++) ptr[mesh->node[k] + 2]++;
  for (int a = 0; a < mesh->nodes; a++) ptr[a + 2] += ptr[a + 1];
  around->cell = STC_TAKE_RAW(arena, int, ptr[mesh->nodes + 1]);
  STC_TRY(stc_arena_check(arena));
  for (int c = 0; c < mesh->cells; c++)  // ptr[a + 1] moves from the first of a to its last
    if (stc_cell_dim(mesh->type[c]) == dim)
      for (int k = mesh->ptr[c]; k < mesh->ptr[c + 1]; k++)
        around->cell[ptr[mesh->node[k] + 1]++] = c;
  return STC_OK;
}

static bool holds(const stc_mesh *mesh, int cell, int node) {
  for (int k = mesh->ptr[cell]; k < mesh->ptr[cell + 1]; k++)
    if (mesh->node[k] == node) return true;
  return false;
}

static bool holds_all(const stc_mesh *mesh, int cell, int part) {
  for (int k = mesh->ptr[part]; k < mesh->ptr[part + 1]; k++)
    if (!holds(mesh, cell, mesh->node[k])) return false;
  return true;
}

/// The node of a cell with the fewest cells around it.
static int lonely_node(const stc_mesh *mesh, const stc_around *around, int cell) {
  int best = mesh->node[mesh->ptr[cell]];
  for (int k = mesh->ptr[cell]; k < mesh->ptr[cell + 1]; k++) {
    int a = mesh->node[k];
    if (around->ptr[a + 1] - around->ptr[a] < around->ptr[best + 1] - around->ptr[best]) best = a;
  }
  return best;
}

int stc_mesh_owners(const stc_mesh *mesh, const stc_around *around, int cell, int owner[2]) {
  int node = lonely_node(mesh, around, cell), count = 0;
  for (int k = around->ptr[node]; k < around->ptr[node + 1]; k++)
    if (holds_all(mesh, around->cell[k], cell)) {
      if (count < 2) owner[count] = around->cell[k];
      count++;
    }
  return count;
}
