// Makes the mesh of what a Gmsh file says: node tags become numbers, an element listed once for
// each of its groups becomes one cell, a flat mesh becomes plane.
#include "../../../base/number.h"
#include "../mesh.h"
#include "raw.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct stc_build {
  stc_arena arena;
  const stc_raw *raw;
  const char *path;
  stc_mesh mesh;
  int *order;       ///< [nodes] nodes by rising tag
  int *ptr, *node;  ///< of the elements as they are listed
  int *cell;        ///< [elements] the cell an element becomes
} stc_build;

static long long tag_of(const stc_build *b, int node) {
  return *(const long long *)stc_gmsh_list_at(&b->raw->tags, (size_t)node);
}

static int type_of(const stc_build *b, int element) {
  return *(const unsigned char *)stc_gmsh_list_at(&b->raw->types, (size_t)element);
}

// --- Nodes ---

typedef struct stc_tagged {
  long long tag;
  int node;
} stc_tagged;

static int compare_tags(const void *left, const void *right) {
  const stc_tagged *a = left, *b = right;
  return (a->tag > b->tag) - (a->tag < b->tag);
}

static stc_error order_nodes(stc_build *b) {
  int n = b->mesh.nodes;
  stc_tagged *tagged = STC_TAKE_RAW(&b->arena, stc_tagged, n);
  b->order = STC_TAKE_RAW(&b->arena, int, n);
  STC_TRY(stc_arena_check(&b->arena));
  for (int k = 0; k < n; k++) tagged[k] = (stc_tagged){tag_of(b, k), k};
  qsort(tagged, (size_t)n, sizeof *tagged, compare_tags);
  for (int k = 0; k < n; k++) {
    b->order[k] = tagged[k].node;
    if (k > 0 && tagged[k].tag == tagged[k - 1].tag)
      return stc_fail(STC_ERR_FORMAT, "%s: node %lld is there twice", b->path, tagged[k].tag);
  }
  return STC_OK;
}

// The node with a tag by bisection; -1 if there is none. Files mostly number from 1 in order.
static int find_node(const stc_build *b, long long tag) {
  int low = 0, high = b->mesh.nodes - 1;
  if (tag >= 1 && tag <= b->mesh.nodes && tag_of(b, b->order[tag - 1]) == tag)
    return b->order[tag - 1];
  while (low <= high) {
    int middle = low + (high - low) / 2;
    long long there = tag_of(b, b->order[middle]);
    if (there == tag) return b->order[middle];
    if (there < tag)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

static stc_error number_nodes(stc_build *b) {
  int elements = (int)b->raw->types.count;
  b->ptr = STC_TAKE_RAW(&b->arena, int, elements + 1);
  b->node = STC_TAKE_RAW(&b->arena, int, b->raw->nodes.count);
  STC_TRY(stc_arena_check(&b->arena));
  b->ptr[0] = 0;
  for (int e = 0; e < elements; e++) {
    b->ptr[e + 1] = b->ptr[e] + stc_cell_nodes((stc_cell_type)type_of(b, e));
    for (int k = b->ptr[e]; k < b->ptr[e + 1]; k++) {
      long long tag = *(const long long *)stc_gmsh_list_at(&b->raw->nodes, (size_t)k);
      b->node[k] = find_node(b, tag);
      if (b->node[k] < 0)
        return stc_fail(STC_ERR_FORMAT,
                        "%s: element %d of the file has node %lld, which $Nodes lacks", b->path,
                        e + 1, tag);
    }
  }
  return STC_OK;
}

// --- Dimension ---

static stc_error find_dim(stc_build *b) {
  int dim = 0;
  for (int e = 0; e < (int)b->raw->types.count; e++) {
    int of = stc_cell_dim((stc_cell_type)type_of(b, e));
    if (of > dim) dim = of;
  }
  b->mesh.dim = dim;
  if (b->mesh.dim < 2)
    return stc_fail(
        STC_ERR_FORMAT,
        "%s: no triangle, quadrilateral, tetrahedron or hexahedron; if the geometry has "
        "physical groups, Gmsh writes only what is in one: add the bodies",
        b->path);
  for (int k = 0; b->mesh.dim == 2 && k < b->mesh.nodes; k++) {
    const double *x = stc_gmsh_list_at(&b->raw->x, (size_t)k);
    if (x[2] != 0)
      return stc_fail(STC_ERR_FORMAT,
                      "%s: node %lld lies at z = %g, but there are no tetrahedra or hexahedra; a "
                      "plane mesh has z = 0 everywhere",
                      b->path, tag_of(b, k), x[2]);
  }
  return STC_OK;
}

// --- Elements that are listed once per group ---

typedef struct stc_key {
  int type;
  int element;
  int node[8];  ///< rising; -1 beyond
} stc_key;

static int compare_shapes(const stc_key *a, const stc_key *b) {
  if (a->type != b->type) return a->type - b->type;
  for (int k = 0; k < 8; k++) {
    if (a->node[k] != b->node[k]) return a->node[k] < b->node[k] ? -1 : 1;
  }
  return 0;
}

static int compare_keys(const void *left, const void *right) {
  const stc_key *a = left, *b = right;
  int shape = compare_shapes(a, b);
  return shape ? shape : (a->element > b->element) - (a->element < b->element);
}

static stc_key key_of(const stc_build *b, int element) {
  stc_key key = {.type = type_of(b, element), .element = element};
  int count = b->ptr[element + 1] - b->ptr[element];
  for (int k = 0; k < 8; k++) key.node[k] = k < count ? b->node[b->ptr[element] + k] : -1;
  int *node = key.node;
  for (int i = 1; i < count; i++) {
    for (int k = i; k > 0 && node[k - 1] > node[k]; k--) {
      int kept = node[k];
      node[k] = node[k - 1];
      node[k - 1] = kept;
    }
  }
  return key;
}

static stc_error fill_cells(stc_build *b) {
  int elements = (int)b->raw->types.count, next = 0;
  unsigned char *type = STC_TAKE_RAW(&b->arena, unsigned char, b->mesh.cells);
  int *ptr = STC_TAKE_RAW(&b->arena, int, b->mesh.cells + 1);
  int *node = STC_TAKE_RAW(&b->arena, int, b->raw->nodes.count);
  STC_TRY(stc_arena_check(&b->arena));
  ptr[0] = 0;
  for (int e = 0; e < elements; e++) {
    if (b->cell[e] < next) continue;
    int count = b->ptr[e + 1] - b->ptr[e];
    type[next] = (unsigned char)type_of(b, e);
    memcpy(node + ptr[next], b->node + b->ptr[e], (size_t)count * sizeof *node);
    ptr[next + 1] = ptr[next] + count;
    next++;
  }
  b->mesh.type = type;
  b->mesh.ptr = ptr;
  b->mesh.node = node;
  return STC_OK;
}

// --- Groups ---

static const stc_raw_span *span_at(const stc_build *b, int element) {
  return stc_gmsh_list_at(&b->raw->spans, (size_t)element);
}

static int group_at(const stc_build *b, int k) {
  return *(const int *)stc_gmsh_list_at(&b->raw->membership, (size_t)k);
}

static int compare_ints(const void *left, const void *right) {
  const int *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

static int unique(int *list, int count) {
  int kept = 0;
  qsort(list, (size_t)count, sizeof *list, compare_ints);
  for (int k = 0; k < count; k++) {
    if (k == 0 || list[k] != list[k - 1]) list[kept++] = list[k];
  }
  return kept;
}

static char *name_of(stc_build *b, const stc_raw_group *raw) {
  char *name = STC_TAKE(&b->arena, char, STC_GMSH_NAME);
  if (!name) return NULL;
  if (raw->name[0])
    memcpy(name, raw->name, STC_GMSH_NAME);
  else
    stc_snprintf(name, STC_GMSH_NAME, "%lld", raw->tag);
  return name;
}

static stc_error count_members(const stc_build *b, int *count) {
  for (int e = 0; e < (int)b->raw->types.count; e++) {
    for (int k = 0; k < span_at(b, e)->count; k++) {
      int *members = &count[group_at(b, span_at(b, e)->first + k)];
      if ((*members)++ == INT_MAX)
        return stc_fail(STC_ERR_FORMAT, "%s: a group with too many cells", b->path);
    }
  }
  return STC_OK;
}

static stc_error fill_members(stc_build *b, int groups, const int *count, int **member) {
  for (int g = 0; g < groups; g++) member[g] = STC_TAKE_RAW(&b->arena, int, count[g]);
  int *done = STC_TAKE(&b->arena, int, groups);
  STC_TRY(stc_arena_check(&b->arena));
  for (int e = 0; e < (int)b->raw->types.count; e++) {
    for (int k = 0; k < span_at(b, e)->count; k++) {
      int g = group_at(b, span_at(b, e)->first + k);
      member[g][done[g]++] = b->cell[e];
    }
  }
  return STC_OK;
}

// Without a group of the bodies' dimension all cells of it are "body".
static stc_error add_body(stc_build *b, stc_group *group) {
  int count = 0;
  int *cell = STC_TAKE_RAW(&b->arena, int, b->mesh.cells);
  STC_TRY(stc_arena_check(&b->arena));
  for (int k = 0; k < b->mesh.cells; k++) {
    if (stc_cell_dim((stc_cell_type)b->mesh.type[k]) == b->mesh.dim) cell[count++] = k;
  }
  *group = (stc_group){.name = "body", .dim = b->mesh.dim, .cells = count, .cell = cell};
  b->mesh.groups++;
  return STC_OK;
}

static stc_error fill_groups(stc_build *b) {
  int groups = (int)b->raw->groups.count;
  stc_group *group = STC_TAKE(&b->arena, stc_group, groups + 1);
  int **member = STC_TAKE(&b->arena, int *, groups);
  int *count = STC_TAKE(&b->arena, int, groups);
  STC_TRY(stc_arena_check(&b->arena));
  STC_TRY(count_members(b, count));
  STC_TRY(fill_members(b, groups, count, member));
  bool has_body = false;
  for (int g = 0; g < groups; g++) {
    const stc_raw_group *raw = stc_gmsh_list_at(&b->raw->groups, (size_t)g);
    if (count[g] == 0) continue;
    has_body = has_body || raw->dim == b->mesh.dim;
    group[b->mesh.groups++] = (stc_group){.name = name_of(b, raw),
                                          .dim = raw->dim,
                                          .cells = unique(member[g], count[g]),
                                          .cell = member[g]};
  }
  b->mesh.group = group;
  STC_TRY(stc_arena_check(&b->arena));
  return has_body ? STC_OK : add_body(b, &group[b->mesh.groups]);
}

static stc_error build_mesh(stc_build *b, stc_mesh **mesh) {
  b->mesh.nodes = (int)b->raw->tags.count;
  STC_TRY(order_nodes(b));
  STC_TRY(number_nodes(b));
  STC_TRY(find_dim(b));
  // cell[e]: the first element with the same nodes, then its number among those.
  int elements = (int)b->raw->types.count, cells = 0;
  stc_key *key = STC_TAKE_RAW(&b->arena, stc_key, elements);
  b->cell = STC_TAKE_RAW(&b->arena, int, elements);
  STC_TRY(stc_arena_check(&b->arena));
  for (int e = 0; e < elements; e++) key[e] = key_of(b, e);
  qsort(key, (size_t)elements, sizeof *key, compare_keys);
  for (int k = 0; k < elements; k++) {
    bool same = k > 0 && compare_shapes(&key[k], &key[k - 1]) == 0;
    b->cell[key[k].element] = same ? b->cell[key[k - 1].element] : key[k].element;
  }
  for (int e = 0; e < elements; e++) b->cell[e] = b->cell[e] == e ? cells++ : b->cell[b->cell[e]];
  b->mesh.cells = cells;
  STC_TRY(fill_cells(b));
  int dim = b->mesh.dim;
  double *x = STC_TAKE_RAW(&b->arena, double, (size_t)b->mesh.nodes *(size_t)dim);
  STC_TRY(stc_arena_check(&b->arena));
  for (int k = 0; k < b->mesh.nodes; k++)
    memcpy(x + (size_t)k * (size_t)dim, stc_gmsh_list_at(&b->raw->x, (size_t)k),
           (size_t)dim * sizeof *x);
  b->mesh.x = x;
  STC_TRY(fill_groups(b));
  return stc_mesh_copy(&b->mesh, mesh);
}

stc_error stc_raw_build(stc_raw *raw, const char *path, stc_mesh **mesh) {
  stc_build b = {.raw = raw, .path = path};
  if (raw->tags.count > INT_MAX / 3 || raw->nodes.count > INT_MAX)
    return stc_fail(STC_ERR_FORMAT, "%s: more than %d nodes or entries", path, INT_MAX / 3);
  stc_error error = build_mesh(&b, mesh);
  stc_arena_free(&b.arena);
  return error;
}
