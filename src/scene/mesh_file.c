// A mesh as datasets: mesh/x, mesh/type, mesh/ptr, mesh/node and the groups.
#include "../problem/fclib/h5_image.h"
#include "store_file.h"

#include <limits.h>
#include <string.h>

enum { MOST_NAME = 1 << 12 };  // letters of a group

// Of coordinates and cells; 53 bits, which a double holds.
static double checksum(const stc_mesh *mesh) {
  uint64_t hash = STC_MIX_START;
  size_t cells = (size_t)mesh->cells;
  hash = stc_mix_bytes(hash, mesh->x, (size_t)mesh->nodes * (size_t)mesh->dim * sizeof *mesh->x);
  hash = stc_mix_bytes(hash, mesh->type, cells);
  hash = stc_mix_bytes(hash, mesh->node, (size_t)mesh->ptr[cells] * sizeof *mesh->node);
  return (double)(hash >> 11);
}

// --- Writing ---

static void store_groups(stc_image *image, stc_arena *arena, const stc_mesh *mesh) {
  int groups = mesh->groups, all = 0;
  size_t width = 1;
  for (int k = 0; k < groups; k++) {
    all += mesh->group[k].cells;
    if (strlen(mesh->group[k].name) + 1 > width) width = strlen(mesh->group[k].name) + 1;
  }
  int *ptr = STC_TAKE(arena, int, groups + 1), *dim = STC_TAKE(arena, int, groups + 1);
  int *cell = STC_TAKE(arena, int, all + 1);
  char *names = STC_TAKE(arena, char, (size_t)(groups + 1) * width);
  if (!ptr || !dim || !cell || !names || groups == 0) return;
  for (int k = 0; k < groups; k++) {
    const stc_group *g = &mesh->group[k];
    memcpy(names + (size_t)k * width, g->name, strlen(g->name));
    if (g->cells) memcpy(cell + ptr[k], g->cell, (size_t)g->cells * sizeof *cell);
    ptr[k + 1] = ptr[k] + g->cells;
    dim[k] = g->dim;
  }
  stc_image_texts(image, STC_RUN_MESH, "groups", groups, width, names);
  stc_image_ints(image, STC_RUN_MESH, "group_dim", groups, dim);
  stc_image_ints(image, STC_RUN_MESH, "group_ptr", groups + 1, ptr);
  if (all) stc_image_ints(image, STC_RUN_MESH, "group_cell", all, cell);
}

void stc_mesh_store(stc_image *image, stc_arena *arena, const stc_mesh *mesh) {
  if (!mesh) return;
  int *type = STC_TAKE(arena, int, mesh->cells + 1);
  if (!type) return;
  for (int k = 0; k < mesh->cells; k++) type[k] = mesh->type[k];
  stc_image_int(image, STC_RUN_MESH, "dim", mesh->dim);
  stc_image_double(image, STC_RUN_MESH, "checksum", checksum(mesh));
  stc_image_doubles(image, STC_RUN_MESH, "x", mesh->nodes * mesh->dim, mesh->x);
  stc_image_ints(image, STC_RUN_MESH, "type", mesh->cells, type);
  stc_image_ints(image, STC_RUN_MESH, "ptr", mesh->cells + 1, mesh->ptr);
  stc_image_ints(image, STC_RUN_MESH, "node", mesh->ptr[mesh->cells], mesh->node);
  store_groups(image, arena, mesh);
}

// --- Reading ---

stc_error stc_mesh_same(stc_h5 *h5, const stc_mesh *mesh) {
  stc_h5_object object;
  double sum = 0;
  if (!mesh) return STC_OK;
  STC_TRY(stc_run_file_find(h5, STC_RUN_MESH_SUM, STC_H5_REAL, &object));
  if (object.count == 1) STC_TRY(stc_h5_doubles(h5, &object, 1, &sum));
  if (sum == checksum(mesh)) return STC_OK;
  return stc_fail(STC_ERR_VALUE,
                  "it was begun with another mesh; restore the mesh file, or begin anew without "
                  "--resume");
}

static stc_error load_ints(stc_h5 *h5, const char *name, stc_arena *arena, int *count,
                           const int **values) {
  stc_h5_object object;
  STC_TRY(stc_run_file_find(h5, name, STC_H5_INTEGER, &object));
  if (object.count > INT_MAX) return stc_fail(STC_ERR_FORMAT, "%s is too long", name);
  int *read = STC_TAKE_RAW(arena, int, object.count + 1);
  STC_TRY(stc_arena_check(arena));
  *count = (int)object.count;
  *values = read;
  return stc_h5_ints(h5, &object, object.count, read);
}

// Types, lengths and indices agree; nothing else is asked of a mesh that is only looked at.
static bool cells_fit(const stc_mesh *mesh, const int *type, int ends, int entries) {
  if (ends != mesh->cells + 1 || mesh->ptr[0] != 0 || mesh->ptr[mesh->cells] != entries)
    return false;
  for (int k = 0; k < mesh->cells; k++)
    if (mesh->ptr[k] < 0 || mesh->ptr[k] > entries) return false;
  for (int k = 0; k < mesh->cells; k++) {
    if (type[k] < 0 || type[k] >= STC_CELL_TYPES) return false;
    if (mesh->ptr[k + 1] - mesh->ptr[k] != stc_cell_nodes((stc_cell_type)type[k])) return false;
  }
  for (int k = 0; k < entries; k++)
    if (mesh->node[k] < 0 || mesh->node[k] >= mesh->nodes) return false;
  return true;
}

static stc_error load_cells(stc_h5 *h5, stc_arena *arena, stc_mesh *mesh) {
  const int *type = NULL;
  int ends = 0, entries = 0;
  STC_TRY(load_ints(h5, STC_RUN_MESH "/type", arena, &mesh->cells, &type));
  STC_TRY(load_ints(h5, STC_RUN_MESH "/ptr", arena, &ends, &mesh->ptr));
  STC_TRY(load_ints(h5, STC_RUN_MESH "/node", arena, &entries, &mesh->node));
  if (ends < 1 || !cells_fit(mesh, type, ends, entries))
    return stc_fail(STC_ERR_FORMAT, "the cells of the mesh do not fit its nodes");
  unsigned char *small = STC_TAKE(arena, unsigned char, mesh->cells + 1);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < mesh->cells; k++) small[k] = (unsigned char)type[k];
  mesh->type = small;
  return STC_OK;
}

static stc_error load_groups(stc_h5 *h5, stc_arena *arena, stc_mesh *mesh) {
  const char **names = NULL;
  const int *dim = NULL, *ptr = NULL, *cell = NULL;
  int dims = 0, ends = 0, all = 0;
  STC_TRY(stc_run_file_texts(h5, STC_RUN_MESH "/groups", arena, &names, &mesh->groups));
  if (mesh->groups == 0) return STC_OK;
  STC_TRY(load_ints(h5, STC_RUN_MESH "/group_dim", arena, &dims, &dim));
  STC_TRY(load_ints(h5, STC_RUN_MESH "/group_ptr", arena, &ends, &ptr));
  STC_TRY(load_ints(h5, STC_RUN_MESH "/group_cell", arena, &all, &cell));
  bool fits = dims == mesh->groups && ends == mesh->groups + 1 && ptr[0] == 0;
  for (int k = 0; fits && k < mesh->groups; k++)
    fits = ptr[k + 1] >= ptr[k] && ptr[k + 1] <= all && strlen(names[k]) < MOST_NAME;
  for (int k = 0; fits && k < all; k++) fits = cell[k] >= 0 && cell[k] < mesh->cells;
  if (!fits) return stc_fail(STC_ERR_FORMAT, "the groups of the mesh do not fit its cells");
  stc_group *group = STC_TAKE(arena, stc_group, mesh->groups);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < mesh->groups; k++)
    group[k] = (stc_group){names[k], dim[k], ptr[k + 1] - ptr[k], cell + ptr[k]};
  mesh->group = group;
  return STC_OK;
}

stc_error stc_mesh_load(stc_h5 *h5, stc_arena *arena, stc_mesh *mesh) {
  stc_h5_object object;
  const int *dim = NULL;
  int one = 0;
  STC_TRY(load_ints(h5, STC_RUN_MESH "/dim", arena, &one, &dim));
  STC_TRY(stc_run_file_find(h5, STC_RUN_MESH "/x", STC_H5_REAL, &object));
  if (one != 1 || (dim[0] != 2 && dim[0] != 3) || object.count > INT_MAX)
    return stc_fail(STC_ERR_FORMAT, "the mesh has neither two nor three dimensions");
  mesh->dim = dim[0];
  mesh->nodes = (int)object.count / mesh->dim;
  double *x = STC_TAKE_RAW(arena, double, object.count + 1);
  STC_TRY(stc_arena_check(arena));
  mesh->x = x;
  STC_TRY(stc_h5_doubles(h5, &object, object.count, x));
  STC_TRY(load_cells(h5, arena, mesh));
  return load_groups(h5, arena, mesh);
}
