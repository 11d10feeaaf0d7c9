// Terrain: triangles under a tree of boxes, and the triangles across their edges.
#include "terrain.h"

#include <stdlib.h>

#include "../base/fail.h"
#include "../base/vec3.h"

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

// Boxes of the triangles, and the sums of their corners, by which the tree is split.
static stc_error grow_tree(stc_terrain *t) {
  STC_ARENA arena = {0};
  size_t count = 3 * (size_t)t->triangles;
  double *low = STC_TAKE_RAW(&arena, double, count), *high = STC_TAKE_RAW(&arena, double, count);
  double *middle = STC_TAKE(&arena, double, count);
  STC_TRY(stc_arena_check(&arena));
  for (size_t i = 0; i < count; i++) low[i] = INFINITY, high[i] = -INFINITY;
  for (int v = 0; v < 3 * t->triangles; v++)
    for (int k = 0; k < 3; k++) {
      double x = t->point[3 * t->triangle[v] + k];
      int i = 3 * (v / 3) + k;
      low[i] = fmin(low[i], x), high[i] = fmax(high[i], x);
      middle[i] += x;
    }
  stc_box_tree_build(&t->tree, &(stc_box_tree_items){t->triangles, low, high, middle});
  return STC_OK;
}

static stc_error build_tree(stc_terrain *t, int count, const double *point, int triangles,
                            const int *triangle) {
  size_t slots = 3 * (size_t)triangles;
  t->points = count, t->triangles = triangles;
  t->point = STC_TAKE(&t->arena, double, 3 * (size_t)count);
  t->triangle = STC_TAKE(&t->arena, int, slots);
  t->normal = STC_TAKE(&t->arena, double, slots);
  t->beyond = STC_TAKE(&t->arena, int, slots);
  t->tree.order = STC_TAKE(&t->arena, int, triangles);
  t->tree.node = STC_TAKE(&t->arena, stc_box_tree_node, stc_box_tree_room(triangles));
  STC_TRY(stc_arena_check(&t->arena));
  memcpy(t->point, point, 3 * (size_t)count * sizeof *point);
  memcpy(t->triangle, triangle, slots * sizeof *triangle);
  STC_TRY(span_triangles(t));
  side *list = stc_calloc(slots, sizeof *list);
  if (!list) return stc_fail(STC_ERR_MEMORY, "terrain: no memory for %d triangles", triangles);
  pair_sides(t, list);
  stc_release(&list);
  return grow_tree(t);
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
