// Sections of Gmsh's format 4.1: elements belong to entities of the geometry, those to groups.
#include "raw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static stc_error skip_reals(stc_gmsh_cursor *cursor, int count) {
  double ignored;
  for (int k = 0; k < count; k++) STC_TRY(stc_gmsh_cursor_real(cursor, "a coordinate", &ignored));
  return STC_OK;
}

static stc_error read_membership(stc_raw *raw, stc_gmsh_cursor *cursor, stc_raw_entity *entity) {
  long long count, tag;
  STC_TRY(stc_gmsh_cursor_size(cursor, "a number of physical groups", &count));
  STC_TRY(stc_gmsh_cursor_bound(cursor, "physical groups", count, 2));
  entity->first = (int)raw->membership.count;
  entity->groups = (int)count;
  for (long long k = 0; k < count; k++) {
    STC_TRY(stc_gmsh_cursor_int(cursor, "a physical group", &tag));
    int *group = stc_gmsh_list_add(&raw->membership);
    if (!group || (*group = stc_raw_group_of(raw, entity->dim, tag < 0 ? -tag : tag)) < 0)
      return stc_fail(STC_ERR_MEMORY, "%s: out of memory", cursor->path);
  }
  return STC_OK;
}

// A point has a place; the others a box, groups and a boundary.
static stc_error read_entity(stc_raw *raw, stc_gmsh_cursor *cursor, int dim) {
  stc_raw_entity entity = {.dim = dim};
  STC_TRY(stc_gmsh_cursor_int(cursor, "an entity's number", &entity.tag));
  STC_TRY(skip_reals(cursor, dim == 0 ? 3 : 6));
  STC_TRY(read_membership(raw, cursor, &entity));
  if (dim > 0) {
    long long count, tag;
    STC_TRY(stc_gmsh_cursor_size(cursor, "a number of bounding entities", &count));
    STC_TRY(stc_gmsh_cursor_bound(cursor, "bounding entities", count, 2));
    for (long long k = 0; k < count; k++)
      STC_TRY(stc_gmsh_cursor_int(cursor, "a bounding entity", &tag));
  }
  stc_raw_entity *kept = stc_gmsh_list_add(&raw->entities);
  if (!kept) return stc_fail(STC_ERR_MEMORY, "%s: out of memory", cursor->path);
  *kept = entity;
  return STC_OK;
}

static int compare_entities(const void *left, const void *right) {
  const stc_raw_entity *a = left, *b = right;
  if (a->dim != b->dim) return a->dim - b->dim;
  return (a->tag > b->tag) - (a->tag < b->tag);
}

static stc_error read_entities(stc_raw *raw, stc_gmsh_cursor *cursor) {
  long long count[4];
  for (int dim = 0; dim < 4; dim++)
    STC_TRY(stc_gmsh_cursor_size(cursor, "a number of entities", &count[dim]));
  for (int dim = 0; dim < 4; dim++) {
    STC_TRY(stc_gmsh_cursor_bound(cursor, "entities", count[dim], 8));
    for (long long k = 0; k < count[dim]; k++) STC_TRY(read_entity(raw, cursor, dim));
  }
  if (raw->entities.count)
    qsort(raw->entities.items, raw->entities.count, raw->entities.size, compare_entities);
  raw->entities_read = true;
  return STC_OK;
}

static stc_error read_header(stc_gmsh_cursor *cursor, const char *what, size_t least,
                             long long *blocks) {
  long long count, ignored;
  STC_TRY(stc_gmsh_cursor_size(cursor, "a number of blocks", blocks));
  STC_TRY(stc_gmsh_cursor_size(cursor, what, &count));
  for (int k = 0; k < 2; k++)
    STC_TRY(stc_gmsh_cursor_size(cursor, "a least or greatest tag", &ignored));
  STC_TRY(stc_gmsh_cursor_bound(cursor, "blocks", *blocks, 8));
  return stc_gmsh_cursor_bound(cursor, what, count, least);
}

// A block: dimension and number of its entity, one more number, and how many follow.
typedef struct stc_block_head {
  long long dim, entity, kind, count;
} stc_block_head;

static stc_error read_block_head(stc_gmsh_cursor *cursor, stc_block_head *head) {
  STC_TRY(stc_gmsh_cursor_int(cursor, "an entity's dimension", &head->dim));
  STC_TRY(stc_gmsh_cursor_int(cursor, "an entity's number", &head->entity));
  STC_TRY(stc_gmsh_cursor_int(cursor, "a block's kind", &head->kind));
  STC_TRY(stc_gmsh_cursor_size(cursor, "a block's length", &head->count));
  if (head->dim < 0 || head->dim > 3)
    return stc_gmsh_cursor_fail(cursor, "an entity of dimension %lld", head->dim);
  return stc_gmsh_cursor_bound(cursor, "entries of a block", head->count, 2);
}

// Tags of the block first, then the places.
static stc_error read_node_block(stc_raw *raw, stc_gmsh_cursor *cursor) {
  const double nowhere[3] = {0, 0, 0};
  stc_block_head head;
  long long tag;
  STC_TRY(read_block_head(cursor, &head));
  size_t first = raw->x.count;
  for (long long k = 0; k < head.count; k++) {
    STC_TRY(stc_gmsh_cursor_size(cursor, "a node's number", &tag));
    STC_TRY(stc_raw_add_node(raw, cursor, tag, nowhere));
  }
  for (long long k = 0; k < head.count; k++) {
    double *x = stc_gmsh_list_at(&raw->x, first + (size_t)k);
    for (int i = 0; i < 3; i++) STC_TRY(stc_gmsh_cursor_real(cursor, "a coordinate", &x[i]));
    if (!isfinite(x[0] + x[1] + x[2]))
      return stc_gmsh_cursor_fail(cursor, "a node lies at no place");
    if (head.kind) STC_TRY(skip_reals(cursor, (int)head.dim));
  }
  return STC_OK;
}

static stc_error span_of(const stc_raw *raw, const stc_gmsh_cursor *cursor,
                         const stc_block_head *head, stc_raw_span *span) {
  *span = (stc_raw_span){0, 0};
  if (!raw->entities_read) return STC_OK;
  const stc_raw_entity key = {.dim = (int)head->dim, .tag = head->entity};
  const stc_raw_entity *entity = raw->entities.count
                                     ? bsearch(&key, raw->entities.items, raw->entities.count,
                                               raw->entities.size, compare_entities)
                                     : NULL;
  if (!entity)
    return stc_gmsh_cursor_fail(cursor,
                                "elements of entity %lld of dimension %lld, which $Entities lacks",
                                head->entity, head->dim);
  *span = (stc_raw_span){entity->first, entity->groups};
  return STC_OK;
}

static stc_error read_element_block(stc_raw *raw, stc_gmsh_cursor *cursor) {
  stc_block_head head;
  stc_raw_span span;
  long long tag;
  int type;
  STC_TRY(read_block_head(cursor, &head));
  STC_TRY(stc_raw_type(cursor, head.kind, &type));
  STC_TRY(span_of(raw, cursor, &head, &span));
  for (long long k = 0; k < head.count; k++) {
    STC_TRY(stc_gmsh_cursor_size(cursor, "an element's number", &tag));
    STC_TRY(stc_raw_add_element(raw, cursor, type, span, stc_gmsh_cursor_size));
  }
  return STC_OK;
}

stc_error stc_raw_read4(stc_raw *raw, stc_gmsh_cursor *cursor, const char *section) {
  if (!strcmp(section, "$Entities")) return read_entities(raw, cursor);
  if (!strcmp(section, "$Nodes")) {
    long long blocks;
    STC_TRY(read_header(cursor, "nodes", cursor->binary ? 32 : 8, &blocks));
    for (long long k = 0; k < blocks; k++) STC_TRY(read_node_block(raw, cursor));
    raw->nodes_read = true;
    return STC_OK;
  }
  long long blocks;
  STC_TRY(read_header(cursor, "elements", 4, &blocks));
  for (long long k = 0; k < blocks; k++) STC_TRY(read_element_block(raw, cursor));
  raw->elements_read = true;
  return STC_OK;
}
