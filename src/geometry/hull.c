// Convex hull of points by quickhull [Barber, Dobkin and Huhdanpaa 1996]: while some point lies
// outside a triangle, the triangles it sees are replaced by a fan from it to their rim. A point
// within `near` of a plane counts as on it, so that points on a face make no slivers.
#include "hull.h"
#include "../base/fail.h"
#include "../base/vec3.h"

// Parts of the extent: where a point is on a plane, and where all of them are in one.
static const double NEAR = 1e-12, FLAT = 1e-10;

typedef struct facet {
  int corner[3], beyond[3];  // beyond[k]: facet across the edge from corner k to the next
  double normal[3], offset;
  int outside, farthest;  // list of points it sees; -1: none
  double distance;        // of the farthest
  int mark;               // last point for which it was found visible; -1: not in use
} facet;

typedef struct rim_edge {
  int from, to, beyond;
} rim_edge;

typedef struct builder {
  int count;
  const double *point;
  double near;
  facet *facet;  // [capacity]
  int facets, capacity, free_facet;
  int *next;   // [count]: lists of points outside
  int *fan;    // [count]: new facet that begins at a corner of the rim
  int *stack;  // [capacity]
  int *seen;   // [capacity]: visible facets
  rim_edge *rim;
  int *todo;  // facets that may see points
  int todos;
} builder;

static const double *at(const builder *b, int i) { return b->point + 3 * i; }

static double height(const builder *b, const facet *f, int i) {
  return stc_dot3(f->normal, at(b, i)) - f->offset;
}

static void span(facet *f, const builder *b) {
  double u[3], v[3];
  stc_sub3(at(b, f->corner[1]), at(b, f->corner[0]), u);
  stc_sub3(at(b, f->corner[2]), at(b, f->corner[0]), v);
  stc_cross3(u, v, f->normal);
  stc_unit3(f->normal);
  f->offset = stc_dot3(f->normal, at(b, f->corner[0]));
}

// A facet in use; those given back come first, so that 2 count of them are enough (Euler).
static int new_facet(builder *b, int i, int j, int k) {
  int number = b->free_facet;
  if (number >= 0)
    b->free_facet = b->facet[number].beyond[0];
  else
    number = b->facets++;
  facet *f = &b->facet[number];
  *f = (facet){.corner = {i, j, k}, .outside = -1, .farthest = -1, .mark = 0};
  span(f, b);
  return number;
}

static void drop_facet(builder *b, int number) {
  b->facet[number].mark = -1;
  b->facet[number].beyond[0] = b->free_facet;
  b->free_facet = number;
}

// Puts point i on the list of the first facet of the list that sees it.
static void assign(builder *b, int i, const int *list, int facets) {
  for (int k = 0; k < facets; k++) {
    facet *f = &b->facet[list[k]];
    double h = height(b, f, i);
    if (h <= b->near) continue;
    b->next[i] = f->outside;
    f->outside = i;
    if (f->farthest < 0 || h > f->distance) f->farthest = i, f->distance = h;
    return;
  }
}

static int farthest_from_line(const builder *b, const int pair[2], double *distance) {
  double along[3], d[3], c[3];
  int best = 0;
  stc_sub3(at(b, pair[1]), at(b, pair[0]), along);
  stc_unit3(along);
  *distance = 0;
  for (int i = 0; i < b->count; i++) {
    stc_sub3(at(b, i), at(b, pair[0]), d);
    stc_cross3(along, d, c);
    if (stc_norm3(c) > *distance) *distance = stc_norm3(c), best = i;
  }
  return best;
}

static int farthest_from_plane(const builder *b, const facet *f, double *distance) {
  int best = 0;
  *distance = 0;
  for (int i = 0; i < b->count; i++) {
    double h = height(b, f, i);
    if (fabs(h) > fabs(*distance)) *distance = h, best = i;
  }
  return best;
}

// Four points that span a volume.
static stc_error first_points(const builder *b, double extent, int v[4]) {
  double distance;
  // The two points farthest apart among those extreme along an axis.
  double widest = -1;
  for (int k = 0; k < 3; k++) {
    int low = 0, high = 0;
    for (int i = 1; i < b->count; i++) {
      if (at(b, i)[k] < at(b, low)[k]) low = i;
      if (at(b, i)[k] > at(b, high)[k]) high = i;
    }
    double width = at(b, high)[k] - at(b, low)[k];
    if (width > widest) widest = width, v[0] = low, v[1] = high;
  }
  v[2] = farthest_from_line(b, v, &distance);
  if (!(distance > FLAT * extent))
    return stc_fail(STC_ERR_VALUE,
                    "hull: all %d points lie on a line; give points that span a volume", b->count);
  facet base = {.corner = {v[0], v[1], v[2]}};
  span(&base, b);
  v[3] = farthest_from_plane(b, &base, &distance);
  if (!(fabs(distance) > FLAT * extent))
    return stc_fail(STC_ERR_VALUE,
                    "hull: all %d points lie in a plane; give points that span a volume", b->count);
  if (distance > 0) {  // the fourth is below the first three
    int swap = v[1];
    v[1] = v[2];
    v[2] = swap;
  }
  return STC_OK;
}

// Facets that point i sees, from facet `start` outwards, and the edges around them.
static int find_visible(builder *b, int i, int start, int *edges) {
  int seen = 0, depth = 0, mark = i + 1;
  *edges = 0;
  b->stack[depth++] = start;
  b->facet[start].mark = mark;
  while (depth) {
    int number = b->stack[--depth];
    facet *f = &b->facet[number];
    b->seen[seen++] = number;
    for (int k = 0; k < 3; k++) {
      facet *other = &b->facet[f->beyond[k]];
      if (other->mark == mark) continue;
      if (height(b, other, i) > b->near) {
        other->mark = mark;
        b->stack[depth++] = f->beyond[k];
      }
    }
  }
  for (int s = 0; s < seen; s++) {
    facet *f = &b->facet[b->seen[s]];
    for (int k = 0; k < 3; k++)
      if (b->facet[f->beyond[k]].mark != mark)
        b->rim[(*edges)++] = (rim_edge){f->corner[k], f->corner[(k + 1) % 3], f->beyond[k]};
  }
  return seen;
}

// Whether the rim is one loop: each corner begins one edge, and following them visits them all.
static bool one_loop(builder *b, int edges) {
  bool simple = true;
  for (int e = 0; e < edges; e++) b->fan[b->rim[e].from] = b->fan[b->rim[e].to] = -1;
  for (int e = 0; e < edges; e++) {
    if (b->fan[b->rim[e].from] >= 0) simple = false;
    b->fan[b->rim[e].from] = e;
  }
  int steps = 0;
  for (int e = 0; simple && steps <= edges; steps++) {
    e = b->fan[b->rim[e].to];
    if (e == 0) break;
    if (e < 0) simple = false;
  }
  return simple && steps + 1 == edges;
}

static void link_across(facet *f, int from, int to, int number) {
  for (int k = 0; k < 3; k++)
    if (f->corner[k] == from && f->corner[(k + 1) % 3] == to) f->beyond[k] = number;
}

// Replaces the visible facets by the fan from point i, and hands their points on.
static void replace(builder *b, int i, int seen, int edges) {
  int orphans = -1;
  for (int s = 0; s < seen; s++) {
    facet *f = &b->facet[b->seen[s]];
    for (int p = f->outside, after; p >= 0; p = after) {
      after = b->next[p];
      if (p != i) b->next[p] = orphans, orphans = p;
    }
    drop_facet(b, b->seen[s]);
  }
  for (int e = 0; e < edges; e++) {
    rim_edge r = b->rim[e];
    int number = new_facet(b, r.from, r.to, i);
    b->facet[number].beyond[0] = r.beyond;
    link_across(&b->facet[r.beyond], r.to, r.from, number);
    b->fan[r.from] = number;
    b->seen[e] = number;
  }
  for (int e = 0; e < edges; e++) {
    int number = b->seen[e], after = b->fan[b->rim[e].to];
    b->facet[number].beyond[1] = after;
    b->facet[after].beyond[2] = number;
  }
  for (int p = orphans, after; p >= 0; p = after) {
    after = b->next[p];
    assign(b, p, b->seen, edges);
  }
  for (int e = 0; e < edges; e++) b->todo[b->todos++] = b->seen[e];
}

// Takes the farthest point of a facet into the hull; a point whose rim is torn by rounding stays
// out.
static void grow_facets(builder *b, int number) {
  facet *f = &b->facet[number];
  int i = f->farthest, edges;
  int seen = find_visible(b, i, number, &edges);
  if (one_loop(b, edges)) {
    replace(b, i, seen, edges);
    return;
  }
  // Takes the farthest point off the list of a facet.
  int list = f->outside, gone = f->farthest;
  f->outside = f->farthest = -1;
  for (int p = list, after; p >= 0; p = after) {
    after = b->next[p];
    if (p == gone) continue;
    double h = height(b, f, p);
    b->next[p] = f->outside;
    f->outside = p;
    if (f->farthest < 0 || h > f->distance) f->farthest = p, f->distance = h;
  }
  b->todo[b->todos++] = number;
}

// Facets wait once each. Those that wait have points of their own, less than capacity / 2: this is
// needed at most once in that many facets.
static void compact_todo(builder *b) {
  b->todos = 0;
  for (int f = 0; f < b->facets; f++)
    if (b->facet[f].mark >= 0 && b->facet[f].farthest >= 0) b->todo[b->todos++] = f;
}

static stc_error make_builder(builder *b, stc_arena *work, int count, const double *point) {
  size_t capacity = 2 * (size_t)count + 8;
  *b = (builder){.count = count, .point = point, .capacity = (int)capacity, .free_facet = -1};
  b->facet = STC_TAKE(work, facet, capacity);
  b->next = STC_TAKE(work, int, count);
  b->fan = STC_TAKE(work, int, count);
  b->stack = STC_TAKE(work, int, capacity);
  b->seen = STC_TAKE(work, int, capacity);
  b->rim = STC_TAKE(work, rim_edge, 3 * capacity);
  b->todo = STC_TAKE(work, int, 2 * capacity);
  return stc_arena_check(work);
}

// Keeps the corners that are used, in their old order.
static stc_error collect_facets(stc_hull *hull, const builder *b, int *number) {
  for (int i = 0; i < b->count; i++) number[i] = -1;
  for (int f = 0; f < b->facets; f++)
    for (int k = 0; b->facet[f].mark >= 0 && k < 3; k++) number[b->facet[f].corner[k]] = 0;
  for (int f = 0; f < b->facets; f++) hull->triangles += b->facet[f].mark >= 0;
  for (int i = 0; i < b->count; i++)
    if (number[i] >= 0) number[i] = hull->points++;
  hull->point = STC_TAKE(&hull->arena, double, 3 * (size_t)hull->points);
  hull->triangle = STC_TAKE(&hull->arena, int, 3 * (size_t)hull->triangles);
  STC_TRY(stc_arena_check(&hull->arena));
  for (int i = 0; i < b->count; i++)
    if (number[i] >= 0) stc_copy3(at(b, i), hull->point + 3 * number[i]);
  int t = 0;
  for (int f = 0; f < b->facets; f++)
    for (int k = 0; b->facet[f].mark >= 0 && k < 3; k++)
      hull->triangle[t++] = number[b->facet[f].corner[k]];
  return STC_OK;
}

static stc_error check_points(int count, const double *point, double *extent) {
  if (count < 4) return stc_fail(STC_ERR_VALUE, "hull: %d points; at least 4 are needed", count);
  if (count > 1 << 26)
    return stc_fail(STC_ERR_VALUE, "hull: %d points are more than can be numbered", count);
  double low[3], high[3];
  stc_copy3(point, low), stc_copy3(point, high);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      double x = point[3 * i + k];
      if (!isfinite(x)) return stc_fail(STC_ERR_VALUE, "hull: point %d has a coordinate %g", i, x);
      low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
    }
  *extent = stc_distance3(low, high);
  if (*extent > 1e-150 && isfinite(*extent)) return STC_OK;  // its square is a number
  return stc_fail(STC_ERR_VALUE, "hull: the points spread over %g; that is too %s", *extent,
                  *extent > 1 ? "much" : "little");
}

static stc_error build_hull(int count, const double *point, double extent, stc_arena *work,
                            stc_hull *hull) {
  builder b;
  int first[4] = {0};
  STC_TRY(make_builder(&b, work, count, point));
  b.near = NEAR * extent;
  STC_TRY(first_points(&b, extent, first));
  static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const int beyond[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  int list[4] = {0, 1, 2, 3};
  for (int f = 0; f < 4; f++) {
    new_facet(&b, first[corner[f][0]], first[corner[f][1]], first[corner[f][2]]);
    memcpy(b.facet[f].beyond, beyond[f], sizeof beyond[f]);
    b.todo[b.todos++] = f;
  }
  for (int i = 0; i < b.count; i++) assign(&b, i, list, 4);
  while (b.todos) {
    int number = b.todo[--b.todos];
    facet *f = &b.facet[number];
    if (f->mark < 0 || f->farthest < 0) continue;
    if (b.todos >= b.capacity) compact_todo(&b);  // a fan has less facets than that
    grow_facets(&b, number);
  }
  STC_TRY(collect_facets(hull, &b, b.next));
  return stc_hull_finish(hull);
}

stc_error stc_hull_create(int count, const double *point, stc_hull **hull) {
  double extent = 0;
  *hull = NULL;
  STC_TRY(check_points(count, point, &extent));
  stc_hull *made = *hull = stc_calloc(1, sizeof *made);
  if (!made) return stc_fail(STC_ERR_MEMORY, "hull: no memory for %d points", count);
  stc_arena work = {0};
  stc_error error = build_hull(count, point, extent, &work, made);
  stc_arena_free(&work);
  if (error) stc_hull_free(hull);
  return error;
}

void stc_hull_free(stc_hull **hull) {
  if (!*hull) return;
  stc_arena_free(&(*hull)->arena);
  stc_release(hull);
}

int stc_hull_points(const stc_hull *hull, const double **point) {
  *point = hull->point;
  return hull->points;
}

int stc_hull_triangles(const stc_hull *hull, const int **triangle) {
  *triangle = hull->triangle;
  return hull->triangles;
}

int stc_hull_support(const stc_hull *hull, const double d[3]) {
  int best = 0;
  double most = -INFINITY;
  for (int i = 0; i < hull->points; i++) {
    double h = stc_dot3(hull->point + 3 * i, d);
    if (h > most) most = h, best = i;
  }
  return best;
}
