// Distance of convex cores: the point of A + shift - B nearest to 0 is sought over simplices of its
// support points. The smallest part of a simplex that holds its nearest point is kept.
#include "axis.h"

#include <float.h>

enum { MOST_STEPS = 100 };
// Part of |v|^2 by which no support point is nearer, at the end.
static const double CLOSE = 1e-14;
// Part of the sizes below which a distance counts as zero.
static const double TOUCHING = 1e-14;

typedef struct vertex {
  double w[3], a[3], b[3];
} vertex;

typedef struct simplex {
  int count;
  vertex v[4];
  double lambda[4];  // weights of the nearest point
} simplex;

// Weights of the point of [p, q] nearest to 0; returns its squared distance.
static double nearest_on_segment(const double p[3], const double q[3], double lambda[2]) {
  double d[3], x[3];
  stc_sub3(q, p, d);
  double length = stc_dot3(d, d), t = length > 0 ? -stc_dot3(p, d) / length : 0;
  t = fmin(1, fmax(0, t));
  lambda[0] = 1 - t, lambda[1] = t;
  for (int k = 0; k < 3; k++) x[k] = lambda[0] * p[k] + lambda[1] * q[k];
  return stc_dot3(x, x);
}

// The best of the three edges.
static double nearest_on_edges(const double *const p[3], double lambda[3]) {
  double best = INFINITY;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double l[2], d = nearest_on_segment(p[i], p[j], l);
    if (d < best) best = d, lambda[i] = l[0], lambda[j] = l[1], lambda[k] = 0;
  }
  return best;
}

// In the plane of the triangle if 0 projects into it, else on an edge.
static double nearest_on_triangle(const double *const p[3], double lambda[3]) {
  double u[3], v[3], n[3], part[3], c[3];
  stc_sub3(p[1], p[0], u);
  stc_sub3(p[2], p[0], v);
  stc_cross3(u, v, n);
  double nn = stc_dot3(n, n);
  bool inside = nn > DBL_EPSILON * DBL_EPSILON * stc_dot3(u, u) * stc_dot3(v, v);
  for (int i = 0; inside && i < 3; i++) {  // n.(p_j x p_k) is the part of corner i
    stc_cross3(p[(i + 1) % 3], p[(i + 2) % 3], c);
    part[i] = stc_dot3(n, c) / nn;
    inside = part[i] > 0;
  }
  if (!inside) return nearest_on_edges(p, lambda);
  double height = stc_dot3(n, p[0]);
  for (int i = 0; i < 3; i++) lambda[i] = part[i];
  return height * height / nn;
}

// Of the faces that 0 lies beyond, the one nearest to it; 0 where it lies beyond none. The faces of
// a flat simplex are all asked.
static double nearest_on_tetrahedron(const double *const p[4], double lambda[4]) {
  double best = INFINITY, u[3], v[3], w[3], n[3];
  bool inside = true;
  for (int i = 0; i < 4; i++) {
    int j = (i + 1) % 4, k = (i + 2) % 4, m = (i + 3) % 4;
    stc_sub3(p[k], p[j], u);
    stc_sub3(p[m], p[j], v);
    stc_sub3(p[i], p[j], w);
    stc_cross3(u, v, n);
    double own = stc_dot3(n, w), origin = -stc_dot3(n, p[j]);
    double rounding = 8 * DBL_EPSILON * stc_norm3(n) * stc_norm3(w);
    if (fabs(own) > rounding && own * origin > 0) continue;
    inside = false;
    double l[3], d = nearest_on_triangle((const double *const[3]){p[j], p[k], p[m]}, l);
    if (d < best) best = d, lambda[i] = 0, lambda[j] = l[0], lambda[k] = l[1], lambda[m] = l[2];
  }
  return inside ? 0 : best;
}

// Weights of the nearest point of the simplex; false where it holds 0.
static bool reduce_simplex(simplex *s) {
  const double *p[4];
  double d = 1;
  for (int i = 0; i < s->count; i++) p[i] = s->v[i].w;
  switch (s->count) {
  case 1:
    s->lambda[0] = 1;
    break;
  case 2:
    d = nearest_on_segment(p[0], p[1], s->lambda);
    break;
  case 3:
    d = nearest_on_triangle(p, s->lambda);
    break;
  default:
    d = nearest_on_tetrahedron(p, s->lambda);
  }
  if (!(d > 0)) return false;
  int kept = 0;
  for (int i = 0; i < s->count; i++) {
    if (!(s->lambda[i] > 0)) continue;
    s->v[kept] = s->v[i];
    s->lambda[kept++] = s->lambda[i];
  }
  s->count = kept;
  return true;
}

static void blend(const simplex *s, double v[3]) {
  memset(v, 0, 3 * sizeof *v);
  for (int i = 0; i < s->count; i++) stc_combine3(v, s->lambda[i], s->v[i].w, v);
}

static void add_support(const stc_convex *a, const stc_convex *b, const double shift[3],
                        const double v[3], vertex *x) {
  double back[3];
  stc_scale3(-1, v, back);
  stc_convex_support(a, back, x->a);
  stc_convex_support(b, v, x->b);
  stc_sub3(x->a, x->b, x->w);
  stc_combine3(x->w, 1, shift, x->w);
}

static bool is_known_vertex(const simplex *s, const vertex *x) {
  for (int i = 0; i < s->count; i++)
    if (!memcmp(s->v[i].w, x->w, sizeof x->w)) return true;
  return false;
}

static void conclude(const simplex *s, const double v[3], stc_nearest *nearest) {
  stc_copy3(v, nearest->normal);
  nearest->distance = stc_unit3(nearest->normal);
  memset(nearest->pa, 0, sizeof nearest->pa);
  memset(nearest->pb, 0, sizeof nearest->pb);
  for (int i = 0; i < s->count; i++) {
    stc_combine3(nearest->pa, s->lambda[i], s->v[i].a, nearest->pa);
    stc_combine3(nearest->pb, s->lambda[i], s->v[i].b, nearest->pb);
  }
}

void stc_gjk(const stc_convex *a, const stc_convex *b, const double shift[3],
             stc_nearest *nearest) {
  simplex s = {.count = 1, .lambda = {1}}, last;
  double v[3], trial[3], small = TOUCHING * (a->size + b->size);
  for (int k = 0; k < 3; k++) v[k] = a->centre[k] + shift[k] - b->centre[k];
  if (!(stc_dot3(v, v) > 0)) v[2] = 1;
  add_support(a, b, shift, v, &s.v[0]);
  stc_copy3(s.v[0].w, v);
  *nearest = (stc_nearest){.normal = {0, 0, 1}};
  for (int step = 0; step < MOST_STEPS; step++) {
    double vv = stc_dot3(v, v);
    vertex x;
    if (!(vv > small * small)) return;
    add_support(a, b, shift, v, &x);
    if (vv - stc_dot3(v, x.w) <= CLOSE * vv || is_known_vertex(&s, &x)) break;
    last = s;
    s.v[s.count++] = x;
    if (!reduce_simplex(&s)) return;
    blend(&s, trial);
    if (!(stc_dot3(trial, trial) < vv)) {  // rounding: no nearer
      s = last;
      break;
    }
    stc_copy3(trial, v);
  }
  conclude(&s, v, nearest);
}
