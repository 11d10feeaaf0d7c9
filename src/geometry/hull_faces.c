// Flat faces of a hull: neighbouring triangles that lie in one plane are one face, whose corners
// are the loop around them.
#include <stdlib.h>

#include "../base/fail.h"
#include "../base/vec3.h"
#include "hull.h"

// Part of the extent within which a triangle is in its neighbour's plane.
static const double COPLANAR = 1e-9;
// Sine below which two edges are parallel, and the most edges for which this is asked.
static const double PARALLEL = 1e-9;
enum { MOST_EDGES = 256 };

typedef struct half_edge {
  int low, high;  // corners, sorted
  int slot;       // 3 triangle + k: from corner k to the next
} half_edge;

typedef struct sewing {
  const stc_hull *hull;
  half_edge *edge;  // [3 triangles], those that meet side by side
  int *beyond;      // [3 triangles]: slot across
  int *group;       // [triangles]: face of a triangle, as a forest
  int *more;  // [triangles]: the next triangle of the same face, -1: none; the first is its group
  double *normal;  // [triangles*3], twice the area long
  int *after;      // [points]: slot of the rim that begins at a corner
} sewing;

static int compare_edges(const void *a, const void *b) {
  const half_edge *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return (x->slot > y->slot) - (x->slot < y->slot);
}

static int corner_from(const stc_hull *h, int slot) { return h->triangle[slot]; }
static int corner_to(const stc_hull *h, int slot) {
  return h->triangle[slot - slot % 3 + (slot + 1) % 3];
}

static stc_error pair_edges(sewing *s) {
  const stc_hull *h = s->hull;
  int slots = 3 * h->triangles;
  for (int slot = 0; slot < slots; slot++) {
    int u = corner_from(h, slot), v = corner_to(h, slot);
    s->edge[slot] = (half_edge){u < v ? u : v, u < v ? v : u, slot};
  }
  qsort(s->edge, (size_t)slots, sizeof *s->edge, compare_edges);
  for (int e = 0; e < slots; e += 2) {
    const half_edge *x = &s->edge[e], *y = &s->edge[e + 1];
    if (e + 1 >= slots || x->low != y->low || x->high != y->high)
      return stc_fail(STC_ERR_NUMERIC, "hull: rounding tore the surface; move near points apart");
    s->beyond[x->slot] = y->slot;
    s->beyond[y->slot] = x->slot;
  }
  return STC_OK;
}

static void span_triangles(sewing *s) {
  const stc_hull *h = s->hull;
  for (int t = 0; t < h->triangles; t++) {
    const int *c = h->triangle + 3 * t;
    double u[3], v[3];
    stc_sub3(h->point + 3 * c[1], h->point + 3 * c[0], u);
    stc_sub3(h->point + 3 * c[2], h->point + 3 * c[0], v);
    stc_cross3(u, v, s->normal + 3 * t);
  }
}

static int root(int *group, int t) {
  while (group[t] != t) t = group[t] = group[group[t]];
  return t;
}

// Whether the triangles on both sides of a slot lie in the plane of the larger.
static bool coplanar(const sewing *s, int slot) {
  const stc_hull *h = s->hull;
  int other = s->beyond[slot];
  const double *n = s->normal + 3 * (slot / 3), *m = s->normal + 3 * (other / 3);
  double size_n = stc_norm3(n), size_m = stc_norm3(m), d[3];
  int from = slot, opposite = other;
  if (size_m > size_n) from = other, opposite = slot;
  const double *plane = s->normal + 3 * (from / 3);
  stc_sub3(h->point + 3 * h->triangle[opposite - opposite % 3 + (opposite + 2) % 3],
           h->point + 3 * corner_from(h, from), d);
  return fabs(stc_dot3(d, plane)) <= COPLANAR * h->extent * fmax(size_n, size_m) &&
         (stc_dot3(n, m) > 0 || fmin(size_n, size_m) <= COPLANAR * h->extent * h->extent);
}

static void join_triangles(sewing *s) {
  int slots = 3 * s->hull->triangles;
  for (int t = 0; t < s->hull->triangles; t++) s->group[t] = t;
  for (int slot = 0; slot < slots; slot++) {
    if (!coplanar(s, slot)) continue;
    int a = root(s->group, slot / 3), b = root(s->group, s->beyond[slot] / 3);
    if (a != b) s->group[a > b ? a : b] = a < b ? a : b;
  }
  for (int t = 0; t < s->hull->triangles; t++) s->group[t] = root(s->group, t), s->more[t] = -1;
  for (int t = s->hull->triangles - 1; t >= 0; t--) {
    int g = s->group[t];
    if (t != g) s->more[t] = s->more[g], s->more[g] = t;
  }
}

static bool on_rim(const sewing *s, int slot) {
  return s->group[slot / 3] != s->group[s->beyond[slot] / 3];
}

// The loop around face `g`, written to corner; its length, or 0 where the rim is not one loop.
static int walk_rim(sewing *s, int g, int *corner) {
  const stc_hull *h = s->hull;
  int rim = 0, first = -1, length = 0;
  for (int t = g; t >= 0; t = s->more[t])
    for (int slot = 3 * t; slot < 3 * t + 3; slot++) {
      if (!on_rim(s, slot)) continue;
      s->after[corner_from(h, slot)] = slot;
      if (first < 0) first = slot;
      rim++;
    }
  for (int slot = first; first >= 0 && length < rim;) {
    corner[length++] = corner_from(h, slot);
    slot = s->after[corner_to(h, slot)];
    if (slot < 0 || s->group[slot / 3] != g || slot == first) break;
  }
  return length == rim ? length : 0;
}

static void make_faces(stc_hull *h, sewing *s) {
  for (int i = 0; i < h->points; i++) s->after[i] = -1;
  int used = 0;
  for (int g = 0; g < h->triangles; g++) {
    if (s->group[g] != g) continue;
    int length = walk_rim(s, g, h->face_corner + used);
    if (length < 3) {
      // A face whose rim is torn falls back into its triangles.
      for (int t = g, after; t >= 0; t = after)
        after = s->more[t], s->more[t] = -1, s->group[t] = t;
      length = walk_rim(s, g, h->face_corner + used);
    }
    double *normal = h->normal + 3 * h->faces;
    memset(normal, 0, 3 * sizeof *normal);
    for (int t = g; t >= 0; t = s->more[t]) stc_combine3(normal, 1, s->normal + 3 * t, normal);
    stc_unit3(normal);
    used += length;
    h->face_start[++h->faces] = used;
  }
}

static bool known_edge(const stc_hull *h, const double d[3]) {
  double c[3];
  for (int e = 0; h->edges <= MOST_EDGES && e < h->edges; e++) {
    stc_cross3(h->edge + 3 * e, d, c);
    if (stc_dot3(c, c) < PARALLEL * PARALLEL) return true;
  }
  return false;
}

static void make_edges(stc_hull *h, const sewing *s) {
  for (int slot = 0; slot < 3 * h->triangles; slot++) {
    double d[3];
    if (s->beyond[slot] < slot || !on_rim(s, slot)) continue;
    stc_sub3(h->point + 3 * corner_to(h, slot), h->point + 3 * corner_from(h, slot), d);
    stc_unit3(d);
    if (!known_edge(h, d)) stc_copy3(d, h->edge + 3 * h->edges++);
  }
}

static stc_error sew(stc_hull *h, stc_arena *work) {
  size_t slots = 3 * (size_t)h->triangles;
  sewing s = {.hull = h,
              .edge = STC_TAKE(work, half_edge, slots),
              .beyond = STC_TAKE(work, int, slots),
              .group = STC_TAKE(work, int, h->triangles),
              .more = STC_TAKE(work, int, h->triangles),
              .normal = STC_TAKE(work, double, slots),
              .after = STC_TAKE(work, int, h->points)};
  STC_TRY(stc_arena_check(work));
  STC_TRY(pair_edges(&s));
  span_triangles(&s);
  join_triangles(&s);
  make_faces(h, &s);
  int used = h->face_start[h->faces];
  for (int k = 0; k < used; k++) h->around_start[h->face_corner[k] + 1]++;
  for (int i = 0; i < h->points; i++) h->around_start[i + 1] += h->around_start[i];
  for (int f = h->faces - 1; f >= 0; f--)
    for (int k = h->face_start[f]; k < h->face_start[f + 1]; k++)
      h->around[--h->around_start[h->face_corner[k] + 1]] = f;
  // The counts were eaten from the end: entry i + 1 is now where corner i begins.
  memmove(h->around_start, h->around_start + 1, (size_t)h->points * sizeof *h->around_start);
  h->around_start[h->points] = used;
  make_edges(h, &s);
  return STC_OK;
}

stc_error stc_hull_finish(stc_hull *h) {
  size_t slots = 3 * (size_t)h->triangles;
  h->normal = STC_TAKE(&h->arena, double, slots);
  h->face_start = STC_TAKE(&h->arena, int, h->triangles + 1);
  h->face_corner = STC_TAKE(&h->arena, int, slots);
  h->around_start = STC_TAKE(&h->arena, int, h->points + 2);
  h->around = STC_TAKE(&h->arena, int, slots);
  h->edge = STC_TAKE(&h->arena, double, 3 * slots);
  STC_TRY(stc_arena_check(&h->arena));
  for (int i = 0; i < h->points; i++)
    stc_combine3(h->centre, 1.0 / h->points, h->point + 3 * i, h->centre);
  for (int i = 0; i < h->points; i++)
    h->extent = fmax(h->extent, stc_distance3(h->point + 3 * i, h->centre));
  stc_arena work = {0};
  stc_error error = sew(h, &work);
  stc_arena_free(&work);
  return error;
}
