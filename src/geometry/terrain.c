// Terrain: triangles under a tree of boxes, split at the middle of the longest side, and the
// triangles across their edges.
#include "terrain.h"

#include <stdlib.h>

#include "../base/fail.h"
#include "../base/vec3.h"

enum {
  LEAF = 4,      // triangles of a leaf: fewer cost more boxes than they save
  DEEPEST = 256  // an eighth goes to each side at least: 2^28 triangles make 146 levels
};
// Twice the area, as part of the longest side's square, below which a triangle is a line.
static const double SLIVER = 1e-12;

typedef struct side {
  int low, high, slot;
} side;

static stc_error span_triangles(stc_terrain *t) {
  for (int k = 0; k < t->triangles; k++) {
    const int *c = t->triangle + 3 * k;
    const double *p = t->point + 3 * c[0], *q = t->point + 3 * c[1], *r = t->point + 3 * c[2];
    double u[3], v[3], *n = t->normal + 3 * k;
    stc_sub3(q, p, u);
    stc_sub3(r, p, v);
    stc_cross3(u, v, n);
    double longest = fmax(stc_norm3(u), fmax(stc_norm3(v), stc_distance3(q, r)));
    if (!(stc_unit3(n) > SLIVER * longest * longest))
      return stc_fail(STC_ERR_VALUE,
                      "terrain: triangle %d has no area; leave it out or merge its corners", k);
  }
  return STC_OK;
}

static int compare_sides(const void *a, const void *b) {
  const side *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return (x->slot > y->slot) - (x->slot < y->slot);
}

// Two triangles that share an edge are neighbours if they run along it in opposite senses.
static void pair_sides(stc_terrain *t, side *list) {
  int slots = 3 * t->triangles;
  for (int s = 0; s < slots; s++) {
    int u = t->triangle[s], v = t->triangle[s - s % 3 + (s + 1) % 3];
    list[s] = (side){u < v ? u : v, u < v ? v : u, s};
    t->beyond[s] = -1;
  }
  qsort(list, (size_t)slots, sizeof *list, compare_sides);
  for (int s = 0; s + 1 < slots; s++) {
    const side *x = &list[s], *y = &list[s + 1];
    if (x->low != y->low || x->high != y->high) continue;
    if (t->triangle[x->slot] == t->triangle[y->slot]) continue;
    t->beyond[x->slot] = y->slot / 3;
    t->beyond[y->slot] = x->slot / 3;
  }
}

static double middle(const stc_terrain *t, int triangle, int axis) {
  const int *c = t->triangle + 3 * triangle;
  return t->point[3 * c[0] + axis] + t->point[3 * c[1] + axis] + t->point[3 * c[2] + axis];
}

// Moves triangles before the middle of the box to the front; half of them where that fails.
static int split_node(stc_terrain *t, int first, int count, const stc_terrain_node *node) {
  int axis = 0, front = first;
  for (int k = 1; k < 3; k++)
    if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis]) axis = k;
  double cut = 1.5 * (node->low[axis] + node->high[axis]);
  for (int i = first; i < first + count; i++) {
    if (middle(t, t->order[i], axis) >= cut) continue;
    int swap = t->order[i];
    t->order[i] = t->order[front];
    t->order[front++] = swap;
  }
  int left = front - first;
  return left < count / 8 + 1 || left > count - count / 8 - 1 ? count / 2 : left;
}

static int grow_box(stc_terrain *t, int first, int count) {
  int number = t->nodes++;
  stc_terrain_node *node = &t->node[number];
  for (int k = 0; k < 3; k++) node->low[k] = INFINITY, node->high[k] = -INFINITY;
  for (int i = first; i < first + count; i++)
    for (int v = 0; v < 3; v++)
      for (int k = 0; k < 3; k++) {
        double x = t->point[3 * t->triangle[3 * t->order[i] + v] + k];
        node->low[k] = fmin(node->low[k], x), node->high[k] = fmax(node->high[k], x);
      }
  node->first = first;
  node->count = count;
  if (count <= LEAF) return number;
  int left = split_node(t, first, count, node);
  node->count = 0;
  grow_box(t, first, left);
  node->first = grow_box(t, first + left, count - left);
  return number;
}

static stc_error build_tree(stc_terrain *t, int count, const double *point, int triangles,
                            const int *triangle) {
  size_t slots = 3 * (size_t)triangles;
  t->points = count, t->triangles = triangles;
  t->point = STC_TAKE(&t->arena, double, 3 * (size_t)count);
  t->triangle = STC_TAKE(&t->arena, int, slots);
  t->normal = STC_TAKE(&t->arena, double, slots);
  t->beyond = STC_TAKE(&t->arena, int, slots);
  t->order = STC_TAKE(&t->arena, int, triangles);
  t->node = STC_TAKE(&t->arena, stc_terrain_node, 2 * (size_t)triangles);
  STC_TRY(stc_arena_check(&t->arena));
  memcpy(t->point, point, 3 * (size_t)count * sizeof *point);
  memcpy(t->triangle, triangle, slots * sizeof *triangle);
  STC_TRY(span_triangles(t));
  side *list = stc_calloc(slots, sizeof *list);
  if (!list) return stc_fail(STC_ERR_MEMORY, "terrain: no memory for %d triangles", triangles);
  pair_sides(t, list);
  stc_release(&list);
  for (int k = 0; k < triangles; k++) t->order[k] = k;
  grow_box(t, 0, triangles);
  return STC_OK;
}

stc_error stc_terrain_create(int count, const double *point, int triangles, const int *triangle,
                             stc_terrain **terrain) {
  *terrain = NULL;
  if (count < 3 || triangles < 1 || triangles > 1 << 28)
    return stc_fail(STC_ERR_VALUE, "terrain: %d points and %d triangles; it needs 3 and 1", count,
                    triangles);
  for (int i = 0; i < 3 * count; i++)
    if (!isfinite(point[i]))
      return stc_fail(STC_ERR_VALUE, "terrain: point %d has a coordinate %g", i / 3, point[i]);
  for (int i = 0; i < 3 * triangles; i++)
    if (triangle[i] < 0 || triangle[i] >= count)
      return stc_fail(STC_ERR_VALUE, "terrain: triangle %d has corner %d; there are %d points",
                      i / 3, triangle[i], count);
  stc_terrain *made = *terrain = stc_calloc(1, sizeof *made);
  if (!made) return stc_fail(STC_ERR_MEMORY, "terrain: no memory for %d points", count);
  stc_error error = build_tree(made, count, point, triangles, triangle);
  if (error) stc_terrain_free(terrain);
  return error;
}

void stc_terrain_free(stc_terrain **terrain) {
  if (!*terrain) return;
  stc_arena_free(&(*terrain)->arena);
  stc_release(terrain);
}

int stc_terrain_points(const stc_terrain *terrain, const double **point) {
  *point = terrain->point;
  return terrain->points;
}

int stc_terrain_triangles(const stc_terrain *terrain, const int **triangle) {
  *triangle = terrain->triangle;
  return terrain->triangles;
}

static bool boxes_overlap(const stc_terrain_node *node, const double low[3], const double high[3]) {
  for (int k = 0; k < 3; k++)
    if (node->low[k] > high[k] || node->high[k] < low[k]) return false;
  return true;
}

void stc_terrain_query(const stc_terrain *t, const double low[3], const double high[3],
                       stc_terrain_visit visit, void *user) {
  int stack[DEEPEST], depth = 0;
  stack[depth++] = 0;
  while (depth) {
    int number = stack[--depth];
    const stc_terrain_node *node = &t->node[number];
    if (!boxes_overlap(node, low, high)) continue;
    for (int k = 0; k < node->count; k++) visit(user, t->order[node->first + k]);
    if (node->count) continue;
    stack[depth++] = node->first;
    stack[depth++] = number + 1;
  }
}

typedef struct promising {
  int node;
  double bound;
} promising;

void stc_terrain_find(const stc_terrain *t, const stc_terrain_search *s) {
  promising stack[DEEPEST];
  int depth = 0;
  stack[depth++] = (promising){0, s->bound(s->user, t->node[0].low, t->node[0].high)};
  while (depth) {
    promising top = stack[--depth];
    const stc_terrain_node *node = &t->node[top.node];
    if (!(top.bound <= *s->limit)) continue;
    for (int k = 0; k < node->count; k++) s->meet(s->user, t->order[node->first + k]);
    if (node->count) continue;
    int child[2] = {top.node + 1, node->first};
    double bound[2];
    for (int k = 0; k < 2; k++)
      bound[k] = s->bound(s->user, t->node[child[k]].low, t->node[child[k]].high);
    int later = bound[1] < bound[0] ? 0 : 1;
    stack[depth++] = (promising){child[later], bound[later]};
    stack[depth++] = (promising){child[1 - later], bound[1 - later]};
  }
}
