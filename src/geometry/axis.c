// Axes: gap(n) = min_a n.x - max_b n.x is greatest where two cores are nearest or least
// overlapping. Listed cores: the greatest is at the normal of a face or the product of two edges.
// Others: with a moved by t n until it is `apart` from b, the normal n' of the nearest points has
// gap(n') >= gap(n), for |p| >= n'.p and the distance of p = t n from the difference of the cores
// is at least t + gap(n) ; equality holds at the maxima only. libccd finds a direction to begin
// with.
#include "axis.h"

#include <ccd/ccd.h>
#include <float.h>

// Distance of convex cores: the point of A + shift - B nearest to 0 is sought over simplices of its
// support points. The smallest part of a simplex that holds its nearest point is kept.

enum { MOST_SIMPLICES = 100 };
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
  if (!inside) {
    // The best of the three edges.
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      double l[2], d = nearest_on_segment(p[i], p[j], l);
      if (d < best) best = d, lambda[i] = l[0], lambda[j] = l[1], lambda[k] = 0;
    }
    return best;
  }
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
  double sum = 0;  // 1, but for rounding in thin triangles
  for (int i = 0; i < s->count; i++) sum += s->lambda[i];
  for (int i = 0; i < s->count; i++) {
    stc_combine3(nearest->pa, s->lambda[i] / sum, s->v[i].a, nearest->pa);
    stc_combine3(nearest->pb, s->lambda[i] / sum, s->v[i].b, nearest->pb);
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
  for (int step = 0; step < MOST_SIMPLICES; step++) {
    double vv = stc_dot3(v, v);
    vertex x;
    if (!(vv > small * small)) return;
    add_support(a, b, shift, v, &x);
    if (vv - stc_dot3(v, x.w) <= CLOSE * vv || is_known_vertex(&s, &x)) break;
    last = s;
    s.v[s.count++] = x;
    if (!reduce_simplex(&s)) return;
    memset(trial, 0, 3 * sizeof *trial);
    for (int i = 0; i < s.count; i++) stc_combine3(trial, s.lambda[i], s.v[i].w, trial);
    if (!(stc_dot3(trial, trial) < vv)) {  // rounding: no nearer
      s = last;
      break;
    }
    stc_copy3(trial, v);
  }
  conclude(&s, v, nearest);
}

// Parts of the sizes: by how much a face of b or an edge must beat a face of a; by how much the
// general search must beat its start; the last step of the search; how far apart cores are moved.
static const double TIE = 1e-6, GAIN = 1e-9, SETTLED = 1e-13, APART = 1e-3;
// Part of the overlap along a face that the overlap along a product of edges must be less than: the
// points of a face hold two bodies better than one point of two edges.
static const double CLEARLY_LESS = 0.9;
// Sine below which edges are parallel.
static const double PARALLEL = 1e-6;
// Length of n - n' within which a normal is that of a face.
static const double ALIGNED = 1e-8;

enum {
  MOST_FACES = 256,
  MOST_EDGE_PAIRS = 200,
  MOST_STEPS = 32,
  MOST_SUPPORTS = 500  // calls after which libccd gets the answer that nothing overlaps
};

double stc_axis_gap(const stc_convex *a, const stc_convex *b, const double n[3]) {
  double back[3];
  stc_scale3(-1, n, back);
  return -stc_convex_reach(a, back) - stc_convex_reach(b, n);
}

// Takes n where its gap is larger by more than `lead`.
static void try_axis(const stc_convex *a, const stc_convex *b, const double n[3], double lead,
                     bool face, stc_axis *best) {
  double gap = stc_axis_gap(a, b, n);
  if (!(gap > best->gap + lead)) return;
  stc_copy3(n, best->normal);
  best->gap = gap;
  best->face = face;
}

static void try_faces(const stc_convex *a, const stc_convex *b, stc_axis *best) {
  double n[3], tie = TIE * (a->size + b->size);
  for (int k = 0; k < stc_convex_faces(a); k++) {
    stc_convex_face(a, k, n);
    stc_scale3(-1, n, n);
    try_axis(a, b, n, 0, true, best);
  }
  stc_axis first = *best;
  *best = (stc_axis){.gap = -INFINITY, .normal = {0, 0, 1}};
  for (int k = 0; k < stc_convex_faces(b); k++) {
    stc_convex_face(b, k, n);
    try_axis(a, b, n, 0, true, best);
  }
  if (!(best->gap > first.gap + tie)) *best = first;
}

// Whether an axis of edges is nearer to the truth than one of a face; where cores overlap, clearly.
static bool beats_face(double edge, double face, double tie) {
  return edge > face + tie && edge > CLEARLY_LESS * face;
}

static void try_edges(const stc_convex *a, const stc_convex *b, stc_axis *best) {
  double u[3], w[3], n[3], apart[3], tie = TIE * (a->size + b->size);
  bool symmetric = a->core != STC_CORE_HULL && b->core != STC_CORE_HULL &&
                   a->core != STC_CORE_TRIANGLE && b->core != STC_CORE_TRIANGLE;
  stc_axis edge = {.gap = -INFINITY};
  stc_sub3(a->centre, b->centre, apart);
  for (int i = 0; i < stc_convex_edges(a); i++) {
    stc_convex_edge(a, i, u);
    for (int j = 0; j < stc_convex_edges(b); j++) {
      stc_convex_edge(b, j, w);
      stc_cross3(u, w, n);
      if (stc_unit3(n) < PARALLEL) continue;
      if (stc_dot3(n, apart) < 0) stc_scale3(-1, n, n);
      try_axis(a, b, n, 0, false, &edge);
      if (symmetric) continue;
      stc_scale3(-1, n, n);
      try_axis(a, b, n, 0, false, &edge);
    }
  }
  if (beats_face(edge.gap, best->gap, tie)) *best = edge;
}

// The same axes for two boxes, from the cosines C of their axes and the way t from a to b in the
// axes of a: gaps are sums of a few products, and a normal is made for the best axis alone.
typedef struct box_pair {
  const stc_convex *box[2];
  double C[3][3], t[2][3];  // t[1]: in the axes of b
} box_pair;

typedef struct box_axis {
  double gap;
  int a, b;  // axes; -1: none
} box_axis;

static void compare_boxes(const stc_convex *a, const stc_convex *b, box_pair *p) {
  double d[3];
  p->box[0] = a, p->box[1] = b;
  stc_sub3(b->x, a->x, d);
  stc_mul3_transposed(a->R, d, p->t[0]);
  stc_mul3_transposed(b->R, d, p->t[1]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      p->C[i][j] = a->R[i] * b->R[j] + a->R[3 + i] * b->R[3 + j] + a->R[6 + i] * b->R[6 + j];
}

static box_axis best_face_of(const box_pair *p, int of) {
  const double *own = p->box[of]->half, *other = p->box[1 - of]->half;
  box_axis best = {-INFINITY, -1, -1};
  for (int k = 0; k < 3; k++) {
    double gap = fabs(p->t[of][k]) - own[k];
    for (int l = 0; l < 3; l++) gap -= fabs(of ? p->C[l][k] : p->C[k][l]) * other[l];
    if (gap > best.gap) best = of ? (box_axis){gap, -1, k} : (box_axis){gap, k, -1};
  }
  return best;
}

static box_axis best_edges(const box_pair *p) {
  const double *a = p->box[0]->half, *b = p->box[1]->half, *t = p->t[0];
  box_axis best = {-INFINITY, -1, -1};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
      double x = p->C[k][j], y = p->C[l][j], norm = sqrt(x * x + y * y);
      if (norm < PARALLEL) continue;
      double reach =
          a[k] * fabs(y) + a[l] * fabs(x) + b[m] * fabs(p->C[i][n]) + b[n] * fabs(p->C[i][m]);
      double gap = (fabs(x * t[l] - y * t[k]) - reach) / norm;
      if (gap > best.gap) best = (box_axis){gap, i, j};
    }
  return best;
}

// From b to a.
static void normal_of(const box_pair *p, const box_axis *best, stc_axis *axis) {
  double u[3], w[3], *n = axis->normal;
  double along = best->b < 0 ? p->t[0][best->a] : best->a < 0 ? p->t[1][best->b] : 0;
  axis->gap = best->gap;
  axis->face = best->a < 0 || best->b < 0;
  if (best->a >= 0) stc_column3(p->box[0]->R, best->a, u);
  if (best->b >= 0) stc_column3(p->box[1]->R, best->b, w);
  if (axis->face) {
    stc_copy3(best->b < 0 ? u : w, n);
    if (best->b < 0 ? along >= 0 : along > 0) stc_scale3(-1, n, n);
    return;
  }
  double apart[3];
  stc_cross3(u, w, n);
  stc_unit3(n);
  stc_sub3(p->box[0]->x, p->box[1]->x, apart);
  if (stc_dot3(n, apart) < 0) stc_scale3(-1, n, n);
}

static bool find_box_axis(const stc_convex *a, const stc_convex *b, double reach, stc_axis *axis) {
  double tie = TIE * (a->size + b->size);
  box_pair p;
  compare_boxes(a, b, &p);
  box_axis best = best_face_of(&p, 0), other = best_face_of(&p, 1);
  if (other.gap > best.gap + tie) best = other;
  if (best.gap > reach) return false;
  other = best_edges(&p);
  if (beats_face(other.gap, best.gap, tie)) best = other;
  if (best.gap > reach || best.gap == -INFINITY) return false;
  normal_of(&p, &best, axis);
  return true;
}

bool stc_axis_is_listed(const stc_convex *a, const stc_convex *b) {
  return a->core < STC_CORE_CYLINDER && b->core < STC_CORE_CYLINDER &&
         stc_convex_faces(a) <= MOST_FACES && stc_convex_faces(b) <= MOST_FACES &&
         stc_convex_edges(a) * (long)stc_convex_edges(b) <= MOST_EDGE_PAIRS;
}

bool stc_axis_listed(const stc_convex *a, const stc_convex *b, double reach, stc_axis *axis) {
  if (a->core == STC_CORE_BOX && b->core == STC_CORE_BOX) return find_box_axis(a, b, reach, axis);
  *axis = (stc_axis){.gap = -INFINITY, .normal = {0, 0, 1}};
  try_faces(a, b, axis);
  if (axis->gap > reach) return false;
  try_edges(a, b, axis);
  if (axis->gap == -INFINITY) axis->gap = stc_axis_gap(a, b, axis->normal);
  return axis->gap <= reach;
}

static void separate(const stc_convex *a, const stc_convex *b, const stc_axis *axis,
                     stc_nearest *nearest) {
  double shift[3], apart = APART * (a->size + b->size) - axis->gap;
  stc_scale3(apart, axis->normal, shift);
  stc_gjk(a, b, shift, nearest);
}

void stc_axis_witness(const stc_convex *a, const stc_convex *b, const stc_axis *axis,
                      stc_nearest *nearest) {
  double back[3];
  separate(a, b, axis, nearest);
  if (nearest->distance > 0) return;
  stc_scale3(-1, axis->normal, back);  // rounding: the farthest point of a, and across the gap
  stc_convex_support(a, back, nearest->pa);
  stc_combine3(nearest->pa, -axis->gap, axis->normal, nearest->pb);
}

typedef struct counted {
  const stc_convex *convex;
  int *left;
} counted;

static void ccd_support(const void *object, const ccd_vec3_t *d, ccd_vec3_t *p) {
  const counted *c = object;
  if (--*c->left < 0)
    memset(p->v, 0, sizeof p->v);  // two such points are not a support: libccd gives up
  else
    stc_convex_support(c->convex, d->v, p->v);
}

static void ccd_centre(const void *object, ccd_vec3_t *centre) {
  stc_copy3(((const counted *)object)->convex->centre, centre->v);
}

// The direction libccd would push overlapping cores apart in.
static void try_portal(const stc_convex *a, const stc_convex *b, stc_axis *best) {
  int left = MOST_SUPPORTS;
  counted first = {a, &left}, second = {b, &left};
  ccd_t ccd;
  ccd_real_t depth;
  ccd_vec3_t d, at;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = ccd_support;
  ccd.center1 = ccd.center2 = ccd_centre;
  ccd.max_iterations = MOST_STEPS;
  ccd.mpr_tolerance = 1e-6 * (a->size + b->size);
  if (ccdMPRPenetration(&first, &second, &ccd, &depth, &d, &at)) return;
  stc_scale3(-1, d.v, d.v);
  if (stc_unit3(d.v) > 0) try_axis(a, b, d.v, 0, false, best);
}

// Directions across cylinders: from their axis to the other core's middle.
static void try_across(const stc_convex *a, const stc_convex *b, stc_axis *best) {
  double d[3], axis[3];
  stc_sub3(a->centre, b->centre, d);
  for (int k = 0; k < 2; k++) {
    const stc_convex *c = k ? b : a;
    double n[3];
    if (c->core != STC_CORE_CYLINDER) continue;
    stc_column3(c->R, 2, axis);
    stc_combine3(d, -stc_dot3(d, axis), axis, n);
    if (stc_unit3(n) > 0) try_axis(a, b, n, 0, false, best);
  }
}

void stc_axis_climb(const stc_convex *a, const stc_convex *b, stc_axis *axis) {
  double settled = SETTLED * (a->size + b->size);
  stc_nearest nearest;
  for (int step = 0; step < MOST_STEPS; step++) {
    double before = axis->gap;
    separate(a, b, axis, &nearest);
    if (!(nearest.distance > 0)) return;
    try_axis(a, b, nearest.normal, settled, false, axis);
    if (axis->gap == before) return;
  }
}

void stc_axis_snap(const stc_convex *a, const stc_convex *b, stc_axis *axis) {
  stc_feature f;
  double n[3], d[3];
  for (int k = 0; k < 2; k++) {
    double sign = k ? 1 : -1;
    stc_scale3(sign, axis->normal, n);
    stc_convex_feature(k ? b : a, n, &f);
    if (f.face < 0) continue;
    stc_sub3(f.normal, n, d);
    if (stc_norm3(d) > ALIGNED) continue;
    stc_scale3(sign, f.normal, axis->normal);
    axis->face = true;
    return;
  }
}

// Climbs from the best listed direction, and from where libccd begins; the better end counts.
static void search(const stc_convex *a, const stc_convex *b, const stc_nearest *nearest,
                   stc_axis *best) {
  stc_axis other = {.gap = -INFINITY, .normal = {0, 0, 1}};
  stc_axis_climb(a, b, best);
  if (nearest->distance > 0)
    try_axis(a, b, nearest->normal, 0, false, &other);
  else
    try_portal(a, b, &other);
  if (other.gap == -INFINITY) return;
  stc_axis_climb(a, b, &other);
  if (other.gap > best->gap) *best = other;
}

bool stc_axis_general(const stc_convex *a, const stc_convex *b, double reach, stc_axis *axis) {
  double scale = a->size + b->size;
  stc_nearest nearest;
  *axis = (stc_axis){.gap = -INFINITY, .normal = {0, 0, 1}};
  stc_gjk(a, b, (double[3]){0}, &nearest);
  if (nearest.distance > reach) return false;
  if (stc_convex_faces(a) <= MOST_FACES && stc_convex_faces(b) <= MOST_FACES) try_faces(a, b, axis);
  if (stc_convex_edges(a) * (long)stc_convex_edges(b) <= MOST_EDGE_PAIRS) try_edges(a, b, axis);
  try_across(a, b, axis);
  try_axis(a, b, axis->normal, 0, false, axis);
  stc_axis best = *axis;
  if (nearest.distance > APART * scale) {
    best = (stc_axis){.gap = nearest.distance};
    stc_copy3(nearest.normal, best.normal);
  } else {
    search(a, b, &nearest, &best);
  }
  if (best.gap > axis->gap + GAIN * scale) *axis = best;
  stc_axis_snap(a, b, axis);
  return axis->gap <= reach;
}
