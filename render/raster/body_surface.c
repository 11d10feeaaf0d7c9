// Surfaces of shapes. Round ones are polyhedra with corners on the surface and normals of the true
// one; triangles of a hull that lie in a plane become one face.
#include "stage.h"

#include <stdlib.h>

#include "base/vec3.h"

enum { LEAST_SIDES = 8, QUARTER = 4 };

static const double PI = 3.14159265358979323846;
static const double SAME_NORMAL = 1e-9;  // triangles of a hull are exact to rounding

// ---- arrays that grow

bool surface_grow(void *address_of_array, int *room, int count, size_t size) {
  void *array;
  if (count < *room) return true;
  int wanted = *room > 0 ? 2 * *room : 256;
  memcpy(&array, address_of_array, sizeof array);
  void *larger = realloc(array, (size_t)wanted * size);
  if (!larger) return false;
  memcpy(address_of_array, &larger, sizeof larger);
  *room = wanted;
  return true;
}

static int add_vertex(surface *s, const double x[3], const double n[3]) {
  if (s->failed || !surface_grow(&s->vertex, &s->vertex_room, s->vertices, sizeof *s->vertex)) {
    s->failed = true;
    return 0;
  }
  stc_copy3(x, s->vertex[s->vertices].x);
  stc_copy3(n, s->vertex[s->vertices].n);
  return s->vertices++;
}

static void add_corner(surface *s, int vertex) {
  if (s->failed || !surface_grow(&s->corner, &s->corner_room, s->corners, sizeof *s->corner)) {
    s->failed = true;
    return;
  }
  s->corner[s->corners++] = vertex;
}

// The corners added since the last call are a face.
static void end_face(surface *s) {
  if (s->failed || !surface_grow(&s->first, &s->face_room, s->faces + 1, sizeof *s->first)) {
    s->failed = true;
    return;
  }
  s->first[0] = 0;
  s->first[++s->faces] = s->corners;
}

static void add_face(surface *s, const int *vertex, int count) {
  for (int k = 0; k < count; k++) add_corner(s, vertex[k]);
  end_face(s);
}

void surface_free(surface *s) {
  free(s->vertex);
  free(s->corner);
  free(s->first);
  *s = (surface){0};
}

// ---- flat shapes

static void add_rectangle(surface *s, const double middle[3], const double a[3],
                          const double b[3]) {
  double n[3], x[3];
  int corner[4];
  stc_cross3(a, b, n);
  stc_unit3(n);
  for (int k = 0; k < 4; k++) {
    stc_copy3(middle, x);
    stc_add3(x, k == 1 || k == 2 ? 1 : -1, a);
    stc_add3(x, k >= 2 ? 1 : -1, b);
    corner[k] = add_vertex(s, x, n);
  }
  add_face(s, corner, 4);
}

static void add_box(surface *s, const double half[3]) {
  for (int axis = 0; axis < 3; axis++) {
    for (int side = -1; side <= 1; side += 2) {
      double middle[3] = {0}, a[3] = {0}, b[3] = {0};
      int i = (axis + 1) % 3, j = (axis + 2) % 3;
      middle[axis] = side * half[axis];
      a[i] = half[i];
      b[j] = side * half[j];
      add_rectangle(s, middle, a, b);
    }
  }
}

static void triangle_normal(const double *point, const int *t, double n[3]) {
  double a[3], b[3];
  stc_sub3(point + 3 * t[1], point + 3 * t[0], a);
  stc_sub3(point + 3 * t[2], point + 3 * t[0], b);
  stc_cross3(a, b, n);
  stc_unit3(n);
}

// A triangle of a hull on its way into a face.
typedef struct facet {
  double n[3];
  int number;
  bool done;
} facet;

static int by_normal(const void *a, const void *b) {
  const double x = ((const facet *)a)->n[0], y = ((const facet *)b)->n[0];
  return (x > y) - (x < y);
}

typedef struct bearing {
  double angle;
  int point;
} bearing;

static int by_angle(const void *a, const void *b) {
  const bearing *p = a, *q = b;
  if (p->point == q->point) return 0;
  return p->angle < q->angle ? -1 : p->angle > q->angle ? 1 : (p->point > q->point ? 1 : -1);
}

// The points of a face in their order around its middle; returns how many there are.
static int sort_around(const double *point, const double n[3], bearing *list, int count) {
  double middle[3] = {0}, t1[3], t2[3], x[3];
  for (int k = 0; k < count; k++) stc_add3(middle, 1.0 / count, point + 3 * list[k].point);
  stc_frame3(n, t1, t2);
  for (int k = 0; k < count; k++) {
    stc_sub3(point + 3 * list[k].point, middle, x);
    list[k].angle = atan2(stc_dot3(x, t2), stc_dot3(x, t1));
  }
  qsort(list, (size_t)count, sizeof *list, by_angle);
  int kept = 0;
  for (int k = 0; k < count; k++) {
    if (kept == 0 || list[k].point != list[kept - 1].point) list[kept++] = list[k];
  }
  return kept;
}

// The face that triangle `from` belongs to: all triangles with its normal, the hull being convex.
static void add_hull_face(surface *s, const double *point, const int *triangle, facet *list,
                          int count, int from, bearing *around) {
  int points = 0;
  for (int k = from; k < count && list[k].n[0] - list[from].n[0] < SAME_NORMAL; k++) {
    if (list[k].done || stc_distance3(list[k].n, list[from].n) > SAME_NORMAL) continue;
    list[k].done = true;
    for (int i = 0; i < 3; i++) around[points++].point = triangle[3 * list[k].number + i];
  }
  points = sort_around(point, list[from].n, around, points);
  for (int k = 0; k < points; k++) {
    add_corner(s, add_vertex(s, point + 3 * around[k].point, list[from].n));
  }
  end_face(s);
}

static void add_hull(surface *s, const stc_hull *hull) {
  const double *point;
  const int *triangle;
  stc_hull_points(hull, &point);
  int count = stc_hull_triangles(hull, &triangle);
  facet *list = calloc((size_t)count + 1, sizeof *list);
  bearing *around = calloc(3 * (size_t)count + 1, sizeof *around);
  s->failed = s->failed || !list || !around;
  for (int k = 0; k < count && !s->failed; k++) {
    list[k].number = k;
    triangle_normal(point, triangle + 3 * k, list[k].n);
  }
  if (!s->failed) qsort(list, (size_t)count, sizeof *list, by_normal);
  for (int k = 0; k < count && !s->failed; k++) {
    if (!list[k].done) add_hull_face(s, point, triangle, list, count, k, around);
  }
  free(list);
  free(around);
}

static void add_terrain(surface *s, const stc_terrain *terrain) {
  const double *point;
  const int *triangle;
  stc_terrain_points(terrain, &point);
  int count = stc_terrain_triangles(terrain, &triangle);
  for (int k = 0; k < count; k++) {
    const int *t = triangle + 3 * k;
    double n[3];
    int corner[3];
    triangle_normal(point, t, n);
    for (int i = 0; i < 3; i++) corner[i] = add_vertex(s, point + 3 * t[i], n);
    add_face(s, corner, 3);
  }
}

// ---- round shapes

// A ring of vertices at height z; the normals lean by `slope` towards z. Returns the first.
static int add_ring(surface *s, double radius, double z, double lean, int sides) {
  int first = s->vertices;
  for (int k = 0; k < sides; k++) {
    double angle = 2 * PI * k / sides, c = cos(angle), e = sin(angle);
    double x[3] = {radius * c, radius * e, z};
    double n[3] = {cos(lean) * c, cos(lean) * e, sin(lean)};
    add_vertex(s, x, n);
  }
  return first;
}

// Quadrilaterals between two rings, the second above the first.
static void add_band(surface *s, int below, int above, int sides) {
  for (int k = 0; k < sides; k++) {
    int next = (k + 1) % sides;
    add_face(s, (int[4]){below + k, below + next, above + next, above + k}, 4);
  }
}

static void add_fan(surface *s, int pole, int ring, int sides, bool top) {
  for (int k = 0; k < sides; k++) {
    int next = (k + 1) % sides;
    int a = top ? k : next, b = top ? next : k;
    add_face(s, (int[3]){ring + a, ring + b, pole}, 3);
  }
}

// Half spheres around (0, 0, -half) and (0, 0, half), and what is between them.
static void add_rounded(surface *s, double radius, double half, int sides) {
  int rings = sides / QUARTER;
  double pole[3] = {0, 0, -half - radius}, n[3] = {0, 0, -1};
  int bottom = add_vertex(s, pole, n), last = 0;
  for (int k = 1; k < 2 * rings + (half > 0); k++) {
    bool upper = k > rings;
    int step = half > 0 && upper ? k - 1 : k;  // a capsule has its widest ring twice
    double lean = PI * (step - rings) / (2 * rings);
    int ring =
        add_ring(s, radius * cos(lean), radius * sin(lean) + (upper ? half : -half), lean, sides);
    if (k == 1)
      add_fan(s, bottom, ring, sides, false);
    else
      add_band(s, last, ring, sides);
    last = ring;
  }
  pole[2] = half + radius, n[2] = 1;
  add_fan(s, add_vertex(s, pole, n), last, sides, true);
}

// A sphere whose points go where the shape looks the same way.
static void add_smooth(surface *s, const stc_shape *shape, int sides) {
  int from = s->vertices;
  add_rounded(s, 1, 0, sides);
  for (int k = from; k < s->vertices; k++) stc_shape_support(shape, s->vertex[k].n, s->vertex[k].x);
}

static void add_lid(surface *s, double radius, double z, int sides) {
  int first = add_ring(s, radius, z, z > 0 ? PI / 2 : -PI / 2, sides);
  for (int k = 0; k < sides; k++) add_corner(s, z > 0 ? first + k : first + sides - 1 - k);
  end_face(s);
}

static void add_cylinder(surface *s, double radius, double half, int sides) {
  int below = add_ring(s, radius, -half, 0, sides);
  add_band(s, below, add_ring(s, radius, half, 0, sides), sides);
  add_lid(s, radius, -half, sides);
  add_lid(s, radius, half, sides);
}

// ---- all

static void move_vertices(surface *s, int from, const stc_pose *pose) {
  for (int k = from; k < s->vertices; k++) {
    double x[3], n[3];
    stc_pose_point(pose, s->vertex[k].x, x);
    stc_pose_direction(pose, s->vertex[k].n, n);
    stc_copy3(x, s->vertex[k].x);
    stc_copy3(n, s->vertex[k].n);
  }
}

void surface_add(surface *s, const stc_shape *shape, const stc_pose *pose, int sides) {
  int from = s->vertices;
  sides = QUARTER * ((sides + QUARTER - 1) / QUARTER);
  if (sides < LEAST_SIDES) sides = LEAST_SIDES;
  switch (shape->kind) {
  case STC_SHAPE_SPHERE:
    add_rounded(s, shape->radius, 0, sides);
    break;
  case STC_SHAPE_BOX:
    add_box(s, shape->half);
    break;
  case STC_SHAPE_CAPSULE:
    add_rounded(s, shape->radius, shape->half[2], sides);
    break;
  case STC_SHAPE_CYLINDER:
    add_cylinder(s, shape->radius, shape->half[2], sides);
    break;
  case STC_SHAPE_HULL:
    add_hull(s, shape->hull);
    break;
  case STC_SHAPE_TERRAIN:
    add_terrain(s, shape->terrain);
    break;
  case STC_SHAPE_PLANE:
    break;
  default:
    add_smooth(s, shape, sides);
    break;
  }
  move_vertices(s, from, pose);
}

void surface_add_square(surface *s, const stc_pose *pose, const double low[2],
                        const double high[2]) {
  int from = s->vertices;
  double middle[3] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0};
  double a[3] = {(high[0] - low[0]) / 2, 0, 0}, b[3] = {0, (high[1] - low[1]) / 2, 0};
  add_rectangle(s, middle, a, b);
  move_vertices(s, from, pose);
}
