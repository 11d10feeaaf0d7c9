// Collects nodes, elements and groups of a Gmsh file.
#include "raw.h"

#include "../shape_functions.h"

#include <math.h>
#include <string.h>

// Gmsh's numbers of common cells that are not known, with the remedy.
static const struct {
  int gmsh;
  const char *what;
} unknown[] = {{6, "prisms; mesh with tetrahedra or hexahedra"},
               {7, "pyramids; mesh with tetrahedra or hexahedra"},
               {10, "quadrilaterals with 9 nodes; set Mesh.SecondOrderIncomplete = 1 for 8"},
               {11, "tetrahedra with 10 nodes; mesh with first order in space"},
               {12, "hexahedra with 27 nodes; mesh with first order in space"},
               {17, "hexahedra with 20 nodes; mesh with first order in space"}};

void *stc_gmsh_list_at(const stc_gmsh_list *list, size_t k) {
  return (char *)list->items + k * list->size;
}

static bool grow_raw(stc_gmsh_list *list) {
  size_t room = list->room ? 2 * list->room : 64;
  void *items = stc_calloc(room, list->size);
  if (!items) return false;
  if (list->count) memcpy(items, list->items, list->count * list->size);
  stc_release(&list->items);
  list->items = items;
  list->room = room;
  return true;
}

void *stc_gmsh_list_add(stc_gmsh_list *list) {
  if (list->count == list->room && !grow_raw(list)) return NULL;
  return stc_gmsh_list_at(list, list->count++);
}

void stc_raw_open(stc_raw *raw) {
  *raw = (stc_raw){.groups.size = sizeof(stc_raw_group),
                   .entities.size = sizeof(stc_raw_entity),
                   .membership.size = sizeof(int),
                   .tags.size = sizeof(long long),
                   .x.size = 3 * sizeof(double),
                   .types.size = 1,
                   .nodes.size = sizeof(long long),
                   .spans.size = sizeof(stc_raw_span)};
}

void stc_raw_free(stc_raw *raw) {
  stc_gmsh_list *lists[] = {&raw->groups, &raw->entities, &raw->membership, &raw->tags,
                            &raw->x,      &raw->types,    &raw->nodes,      &raw->spans};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) stc_release(&lists[k]->items);
}

int stc_raw_group_of(stc_raw *raw, int dim, long long tag) {
  for (size_t k = 0; k < raw->groups.count; k++) {
    const stc_raw_group *group = stc_gmsh_list_at(&raw->groups, k);
    if (group->dim == dim && group->tag == tag) return (int)k;
  }
  stc_raw_group *group = stc_gmsh_list_add(&raw->groups);
  if (!group) return -1;
  group->dim = dim;
  group->tag = tag;
  return (int)raw->groups.count - 1;
}

stc_error stc_raw_type(const stc_gmsh_cursor *cursor, long long gmsh, int *type) {
  for (*type = 0; *type < STC_CELL_TYPES; ++*type)
    if (stc_cell_of((stc_cell_type)*type)->gmsh == gmsh) return STC_OK;
  for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
    if (unknown[k].gmsh == gmsh)
      return stc_gmsh_cursor_fail(cursor, "elements of Gmsh's type %lld are %s", gmsh,
                                  unknown[k].what);
  }
  return stc_gmsh_cursor_fail(cursor,
                              "elements of Gmsh's type %lld are not known; use lines, triangles, "
                              "quadrilaterals (2nd order: 6 and 8 nodes), tetrahedra or hexahedra",
                              gmsh);
}

stc_error stc_raw_add_node(stc_raw *raw, stc_gmsh_cursor *cursor, long long tag, const double *x) {
  for (int i = 0; i < 3; i++) {
    if (!isfinite(x[i])) return stc_gmsh_cursor_fail(cursor, "node %lld lies at %g", tag, x[i]);
  }
  long long *tags = stc_gmsh_list_add(&raw->tags);
  double *place = stc_gmsh_list_add(&raw->x);
  if (!tags || !place) return stc_fail(STC_ERR_MEMORY, "%s: out of memory", cursor->path);
  *tags = tag;
  memcpy(place, x, 3 * sizeof *x);
  return STC_OK;
}

stc_error stc_raw_add_element(stc_raw *raw, stc_gmsh_cursor *cursor, int type, stc_raw_span span,
                              stc_error (*take)(stc_gmsh_cursor *, const char *, long long *)) {
  unsigned char *types = stc_gmsh_list_add(&raw->types);
  stc_raw_span *spans = stc_gmsh_list_add(&raw->spans);
  if (!types || !spans) return stc_fail(STC_ERR_MEMORY, "%s: out of memory", cursor->path);
  *types = (unsigned char)type;
  *spans = span;
  for (int k = 0; k < stc_cell_nodes((stc_cell_type)type); k++) {
    long long *node = stc_gmsh_list_add(&raw->nodes);
    if (!node) return stc_fail(STC_ERR_MEMORY, "%s: out of memory", cursor->path);
    STC_TRY(take(cursor, "a node of an element", node));
  }
  return STC_OK;
}
