// A depth buffer. Balls are exact, surfaces go face by face: clipped at the nearest plane, cut into
// triangles, and filled where the three edge functions are positive [Pineda 1988].
#include "paint.h"

#include <stdlib.h>

#include "base/vec3.h"

enum { MOST_AT_ONCE = 1000 };  // vertices of an item that are kept on the picture

bool layer_make(layer *l, int width, int height, bool shadows) {
  size_t count = (size_t)width * (size_t)height;
  *l = (layer){.width = width, .height = height, .near = malloc(count * sizeof *l->near)};
  if (shadows) return l->near != NULL;
  l->item = malloc(count * sizeof *l->item);
  l->normal = malloc(3 * count * sizeof *l->normal);
  return l->near && l->item && l->normal;
}

void layer_free(layer *l) {
  free(l->near);
  free(l->item);
  free(l->normal);
  *l = (layer){0};
}

// What is drawn now.
typedef struct brush {
  layer *l;
  const view *v;
  int item;
  const int *rows;  // that are drawn
} brush;

static void put_normal(const brush *b, size_t at, const double n[3]) {
  double length = stc_norm3(n);
  b->l->item[at] = b->item;
  for (size_t i = 0; i < 3; i++) {
    b->l->normal[3 * at + i] = (float)(length > 0 ? n[i] / length : 0);
  }
}

static double less(double a, double b) { return a < b ? a : b; }
static double more(double a, double b) { return a > b ? a : b; }

// Pixels from begin to before end whose middle is in [low, high].
static void pixel_range(double low, double high, int begin, int end, int range[2]) {
  double from = less(more(low - 0.5, begin), end), to = less(more(high + 0.5, begin), end);
  range[0] = (int)from;
  range[0] += range[0] < from;
  range[1] = (int)to;
}

// ---- balls

// Slopes between which a ball is seen from the origin: |c - m z| = r sqrt(1 + m^2).
static void slopes(double c, double z, double radius, double slope[2]) {
  double root = radius * sqrt(c * c + z * z - radius * radius), below = z * z - radius * radius;
  slope[0] = (c * z - root) / below;
  slope[1] = (c * z + root) / below;
}

static void ball_range(const brush *b, const double c[3], double radius, int x[2], int y[2]) {
  const view *v = b->v;
  double wide[2] = {c[0] - radius, c[0] + radius}, high[2] = {c[1] - radius, c[1] + radius};
  if (!v->parallel && c[2] - radius <= v->nearest) {  // around the eye: anywhere
    x[0] = 0, x[1] = v->width, y[0] = b->rows[0], y[1] = b->rows[1];
    return;
  }
  if (!v->parallel) slopes(c[0], c[2], radius, wide), slopes(c[1], c[2], radius, high);
  pixel_range(v->middle[0] + v->scale * wide[0], v->middle[0] + v->scale * wide[1], 0, v->width, x);
  pixel_range(v->middle[1] - v->scale * high[1], v->middle[1] - v->scale * high[0], b->rows[0],
              b->rows[1], y);
}

// z ahead where the ray (x, y) meets the ball seen at c; NAN: nowhere.
static double ball_depth(const view *v, const double c[3], double radius, double x, double y) {
  if (v->parallel) {
    double left = radius * radius - (x - c[0]) * (x - c[0]) - (y - c[1]) * (y - c[1]);
    return left >= 0 ? c[2] - sqrt(left) : NAN;
  }
  double a = x * x + y * y + 1, b = x * c[0] + y * c[1] + c[2];
  double across = stc_dot3(c, c) - b * b / a;
  double left = radius * radius - across;
  return left >= 0 ? (b - sqrt(a * left)) / a : NAN;
}

static void put_ball_normal(const brush *b, size_t at, const double c[3], double x, double y,
                            double z) {
  const view *v = b->v;
  double n[3] = {0}, depth = v->parallel ? 1 : z;
  stc_add3(n, x * depth - c[0], v->right);
  stc_add3(n, y * depth - c[1], v->up);
  stc_add3(n, z - c[2], v->ahead);
  put_normal(b, at, n);
}

static void draw_ball(const brush *b, const double centre[3], double radius) {
  const view *v = b->v;
  double c[3];
  int x[2], y[2];
  view_point(v, centre, c);
  if (c[2] + radius <= v->nearest) return;
  ball_range(b, c, radius, x, y);
  for (int j = y[0]; j < y[1]; j++) {
    double sy = (v->middle[1] - j - 0.5) / v->scale;
    for (int i = x[0]; i < x[1]; i++) {
      double sx = (i + 0.5 - v->middle[0]) / v->scale;
      double z = ball_depth(v, c, radius, sx, sy);
      if (!(z > v->nearest)) continue;
      size_t at = (size_t)j * (size_t)v->width + (size_t)i;
      float near = (float)view_nearness(v, z);
      if (!(near > b->l->near[at])) continue;
      b->l->near[at] = near;
      if (b->l->item) put_ball_normal(b, at, c, sx, sy, z);
    }
  }
}

// ---- faces

typedef struct corner {
  double seen[3];
  double n[3];
  double pixel[2], near;
} corner;

// Keeps what is beyond the nearest plane [Sutherland and Hodgman 1974].
static int clip(const view *v, const corner *in, int count, corner *out) {
  int kept = 0;
  for (int k = 0; k < count; k++) {
    const corner *a = &in[k], *b = &in[(k + 1) % count];
    double za = a->seen[2] - v->nearest, zb = b->seen[2] - v->nearest;
    if (za > 0) out[kept++] = *a;
    if ((za > 0) == (zb > 0)) continue;
    double t = za / (za - zb);
    for (int i = 0; i < 3; i++) {
      out[kept].seen[i] = a->seen[i] + t * (b->seen[i] - a->seen[i]);
      out[kept].n[i] = a->n[i] + t * (b->n[i] - a->n[i]);
    }
    kept++;
  }
  return kept;
}

// Twice the area of (a, b, p), positive on one side of the edge.
static double edge(const double a[2], const double b[2], double x, double y) {
  return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

// A triangle on the picture: barycentric coordinates and nearness are linear there.
typedef struct plot {
  const corner *t[3];
  double at[3], dx[3], dy[3];  // coordinates at the origin, and their slopes
} plot;

static void span(plot *p, double area) {
  for (int k = 0; k < 3; k++) {
    const double *a = p->t[(k + 1) % 3]->pixel, *b = p->t[(k + 2) % 3]->pixel;
    p->at[k] = edge(a, b, 0, 0) / area;
    p->dx[k] = (a[1] - b[1]) / area;
    p->dy[k] = (b[0] - a[0]) / area;
  }
}

static void fill_pixels(const brush *b, const plot *p, const double w[3], const int x[2], int j) {
  double near = 0, slope = 0;
  for (int k = 0; k < 3; k++) near += w[k] * p->t[k]->near, slope += p->dx[k] * p->t[k]->near;
  for (int i = x[0]; i < x[1]; i++) {
    size_t at = (size_t)j * (size_t)b->v->width + (size_t)i;
    float value = (float)(near + (i + 0.5) * slope);
    if (!(value > b->l->near[at])) continue;
    b->l->near[at] = value;
    if (!b->l->item) continue;
    double n[3] = {0};
    for (int k = 0; k < 3; k++) stc_add3(n, w[k] + (i + 0.5) * p->dx[k], p->t[k]->n);
    put_normal(b, at, n);
  }
}

// Seen from the front the corners are counterclockwise, and the pixels' y points down: the area is
// negative.
static void fill_triangle(const brush *b, const corner *one, const corner *two,
                          const corner *three) {
  plot p = {.t = {one, two, three}};
  const double *a = one->pixel, *c = two->pixel, *d = three->pixel;
  double area = edge(a, c, d[0], d[1]);
  int x[2], y[2];
  if (!(area < 0)) return;
  pixel_range(less(a[1], less(c[1], d[1])), more(a[1], more(c[1], d[1])), b->rows[0], b->rows[1],
              y);
  pixel_range(less(a[0], less(c[0], d[0])), more(a[0], more(c[0], d[0])), 0, b->v->width, x);
  if (y[0] >= y[1] || x[0] >= x[1]) return;
  span(&p, area);
  for (int j = y[0]; j < y[1]; j++) {
    double w[3];
    int inside[2] = {x[0], x[1]};
    for (int k = 0; k < 3; k++) w[k] = p.at[k] + (j + 0.5) * p.dy[k];
    // Pixels of a row that are inside: where all three coordinates are positive.
    double low = inside[0] + 0.5, high = inside[1] - 0.5;
    for (int k = 0; k < 3; k++) {
      if (p.dx[k] > 0)
        low = more(low, -w[k] / p.dx[k]);
      else if (p.dx[k] < 0)
        high = less(high, -w[k] / p.dx[k]);
      else if (w[k] < 0)
        high = -1;
    }
    pixel_range(low, high, inside[0], inside[1], inside);
    fill_pixels(b, &p, w, inside, j);
  }
}

static void look_at_vertex(const brush *b, const surface_vertex *vertex, corner *c) {
  view_point(b->v, vertex->x, c->seen);
  stc_copy3(vertex->n, c->n);
}

static void project_corner(const brush *b, corner *c) {
  view_pixel(b->v, c->seen, c->pixel);
  c->near = view_nearness(b->v, c->seen[2]);
}

static void draw_clipped(const brush *b, const surface *s, const int vertex[3]) {
  corner in[3], out[4];
  for (int k = 0; k < 3; k++) look_at_vertex(b, &s->vertex[vertex[k]], &in[k]);
  int count = clip(b->v, in, 3, out);
  for (int k = 0; k < count; k++) project_corner(b, &out[k]);
  for (int k = 2; k < count; k++) fill_triangle(b, &out[0], &out[k - 1], &out[k]);
}

// The vertices of a small item on the picture, once for all its faces; false: it is too large, or
// not wholly ahead.
static bool project_all(const brush *b, const surface *s, const stage_item *item, corner *list) {
  if (item->vertices > MOST_AT_ONCE) return false;
  for (int k = 0; k < item->vertices; k++) {
    look_at_vertex(b, &s->vertex[item->first_vertex + k], &list[k]);
    if (!(list[k].seen[2] > b->v->nearest)) return false;
    project_corner(b, &list[k]);
  }
  return true;
}

// Whether the ball around an item is above or below all rows that are drawn.
static bool is_elsewhere(const brush *b, const stage_item *item) {
  const view *v = b->v;
  double c[3], radius = item->radius;
  view_point(v, item->centre, c);
  if (!v->parallel && c[2] - radius <= v->nearest) return false;
  double near = v->parallel ? 1 : c[2] - radius, far = v->parallel ? 1 : c[2] + radius;
  double low = less((c[1] - radius) / near, (c[1] - radius) / far);
  double high = more((c[1] + radius) / near, (c[1] + radius) / far);
  return v->middle[1] - v->scale * low < b->rows[0] || v->middle[1] - v->scale * high > b->rows[1];
}

static void draw_faces(const brush *b, const surface *s, const stage_item *item) {
  corner list[MOST_AT_ONCE];
  if (is_elsewhere(b, item)) return;
  bool ready = project_all(b, s, item, list);
  for (int f = item->first_face; f < item->first_face + item->faces; f++) {
    const int *c = s->corner + s->first[f], from = item->first_vertex;
    for (int k = 2; k < s->first[f + 1] - s->first[f]; k++) {
      if (ready)
        fill_triangle(b, &list[c[0] - from], &list[c[k - 1] - from], &list[c[k] - from]);
      else
        draw_clipped(b, s, (int[3]){c[0], c[k - 1], c[k]});
    }
  }
}

// ---- grounds

// The plane fills the picture: n (from + z along - centre) = 0.
static void draw_ground(const brush *b, const stage_item *item) {
  const view *v = b->v;
  for (int j = b->rows[0]; j < b->rows[1]; j++) {
    for (int i = 0; i < v->width; i++) {
      double from[3], along[3], to[3];
      view_ray(v, i + 0.5, j + 0.5, from, along);
      stc_sub3(item->centre, from, to);
      double down = stc_dot3(item->normal, along), z = stc_dot3(item->normal, to) / down;
      if (!(down < 0) || !(z > v->nearest)) continue;
      size_t at = (size_t)j * (size_t)v->width + (size_t)i;
      float near = (float)view_nearness(v, z);
      if (!(near > b->l->near[at])) continue;
      b->l->near[at] = near;
      put_normal(b, at, item->normal);
    }
  }
}

// ---- all

static void draw_item(const brush *b, const stage *s) {
  const stage_item *item = &s->item[b->item];
  if (!b->l->item && !item->casts) return;
  if (item->kind == STAGE_BALL) draw_ball(b, item->centre, item->radius);
  if (item->kind == STAGE_GROUND && !s->flat) draw_ground(b, item);
  // In a flat world a ground is the half plane behind it, below all others.
  if (item->kind == STAGE_GROUND && s->flat) {
    const view *v = b->v;
    for (int j = b->rows[0]; j < b->rows[1]; j++) {
      for (int i = 0; i < v->width; i++) {
        double from[3], along[3];
        size_t at = (size_t)j * (size_t)v->width + (size_t)i;
        view_ray(v, i + 0.5, j + 0.5, from, along);
        stc_sub3(from, item->centre, along);
        if (stc_dot3(along, item->normal) <= 0 && b->l->item[at] < 0) put_normal(b, at, v->ahead);
      }
    }
  }
  if (item->kind == STAGE_SOLID || item->kind == STAGE_SHEET) draw_faces(b, &s->surface, item);
}

void layer_draw(layer *l, const view *v, const stage *s, const int rows[2]) {
  brush b = {l, v, 0, rows};
  size_t from = (size_t)l->width * (size_t)rows[0], to = (size_t)l->width * (size_t)rows[1];
  for (size_t k = from; k < to; k++) l->near[k] = -INFINITY;
  for (size_t k = from; l->item && k < to; k++) l->item[k] = -1;
  for (b.item = 0; b.item < s->items; b.item++) draw_item(&b, s);
}
