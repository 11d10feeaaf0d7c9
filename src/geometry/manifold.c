// Manifolds: the face of one core that looks along the normal is the reference; the feature of the
// other that looks back is clipped against its sides [Sutherland and Hodgman 1974], and what is
// left is measured from its plane.
#include "pairs.h"

// Length of n - n' below which a normal is that of a face.
static const double ALIGNED = 1e-9;
// Part of the sizes within which a corner on the side of a face is inside: its identity does not
// hang on rounding.
static const double ON_SIDE = 1e-6;
// Sine below which edges are parallel, and part of the sizes within which an edge is level.
static const double PARALLEL = 1e-6, LEVEL = 1e-6;

enum { MOST_CORNERS = 2 * STC_FEATURE };

typedef struct corner {
  double p[3];
  uint64_t id;
} corner;

typedef struct polygon {
  int count;
  bool closed;
  corner at[MOST_CORNERS];
} polygon;

uint64_t stc_identity(uint64_t family, uint64_t u, uint64_t v) {
  uint64_t x = family * 0x9E3779B97F4A7C15u + u * 0xBF58476D1CE4E5B9u + v * 0x94D049BB133111EBu + 1;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static bool same_point(const stc_manifold *m, const stc_contact_point *s,
                       const stc_contact_point *t) {
  double d[3];
  stc_sub3(s->x, t->x, d);
  if (stc_dot3(d, d) > m->near * m->near) return false;
  stc_sub3(s->normal, t->normal, d);
  return stc_norm3(d) < 1e-3;
}

// A point that is already there is kept once, with the smaller gap.
static void keep(stc_manifold *m, const stc_contact_point *t) {
  for (int k = 0; k < m->count; k++) {
    if (!same_point(m, &m->point[k], t)) continue;
    if (t->gap < m->point[k].gap) m->point[k] = *t;
    return;
  }
  if (m->count == STC_MANIFOLD_ROOM) stc_manifold_thin(m);
  m->point[m->count++] = *t;
}

void stc_manifold_add(stc_manifold *m, const stc_convex *a, const stc_convex *b, const double n[3],
                      const double pa[3], const double pb[3], uint64_t identity) {
  stc_contact_point t = {.identity = stc_identity(m->family, identity, 0)};
  double d[3];
  stc_sub3(pa, pb, d);
  t.gap = stc_dot3(d, n) - a->radius - b->radius;
  if (!(t.gap <= m->reach)) return;
  stc_copy3(n, t.normal);
  for (int k = 0; k < 3; k++) t.x[k] = 0.5 * (pa[k] + pb[k] + (b->radius - a->radius) * n[k]);
  keep(m, &t);
}

// How far two points are from each other, different normals counting as the width of them all.
static double apart(const stc_contact_point *s, const stc_contact_point *t, double width) {
  return stc_distance3(s->x, t->x) + width * stc_distance3(s->normal, t->normal);
}

static int outermost(const stc_manifold *m, double *width) {
  double middle[3] = {0};
  int best = 0;
  *width = -1;
  for (int k = 0; k < m->count; k++) stc_combine3(middle, 1.0 / m->count, m->point[k].x, middle);
  for (int k = 0; k < m->count; k++) {
    double d = stc_distance3(m->point[k].x, middle);
    if (d > *width) *width = d, best = k;
  }
  return best;
}

static void exchange(stc_manifold *m, double *away, int i, int j) {
  stc_contact_point t = m->point[i];
  double d = away[i];
  m->point[i] = m->point[j], m->point[j] = t;
  away[i] = away[j], away[j] = d;
}

int stc_manifold_thin(stc_manifold *m) {
  double away[STC_MANIFOLD_ROOM], width;
  if (m->count <= STC_MANIFOLD) return m->count;
  for (int k = 0; k < m->count; k++) away[k] = INFINITY;
  exchange(m, away, 0, outermost(m, &width));
  for (int taken = 1; taken < STC_MANIFOLD; taken++) {
    int best = taken;
    for (int k = taken; k < m->count; k++) {
      away[k] = fmin(away[k], apart(&m->point[k], &m->point[taken - 1], width));
      if (away[k] > away[best]) best = k;
    }
    exchange(m, away, taken, best);
  }
  // Puts the deepest of the points that were left out in the place of the last one taken, if it is
  // deeper than all those.
  int best = 0;
  for (int k = 1; k < m->count; k++)
    if (m->point[k].gap < m->point[best].gap - m->near) best = k;
  if (best >= STC_MANIFOLD) exchange(m, away, STC_MANIFOLD - 1, best);
  return m->count = STC_MANIFOLD;
}

// Where the edge from inside to outside crosses the side; numbered by the edge and the side.
static corner crossing(const corner *in, const corner *out, double d_in, double d_out,
                       uint64_t side) {
  corner c;
  double t = fmin(1, fmax(0, d_in / (d_in - d_out)));
  for (int k = 0; k < 3; k++) c.p[k] = in->p[k] + t * (out->p[k] - in->p[k]);
  uint64_t low = in->id < out->id ? in->id : out->id, high = in->id < out->id ? out->id : in->id;
  c.id = stc_identity(side + 1, low, high);
  return c;
}

// Cuts off what is more than `slack` beyond the side through p with inward unit normal s.
static void cut_polygon(polygon *poly, const double p[3], const double s[3], double slack,
                        uint64_t side) {
  polygon from;
  double d[MOST_CORNERS], x[3];
  from.count = poly->count;
  from.closed = poly->closed;
  memcpy(from.at, poly->at, (size_t)poly->count * sizeof *poly->at);
  for (int i = 0; i < from.count; i++) {
    stc_sub3(from.at[i].p, p, x);
    d[i] = stc_dot3(x, s);
  }
  poly->count = 0;
  for (int i = 0; i < from.count && poly->count < MOST_CORNERS - 2; i++) {
    int j = (i + 1) % from.count;
    bool in = d[i] >= -slack, next_in = d[j] >= -slack;
    if (in) poly->at[poly->count++] = from.at[i];
    if (in == next_in || (j == 0 && !from.closed)) continue;
    int inner = in ? i : j, outer = in ? j : i;
    poly->at[poly->count++] = crossing(&from.at[inner], &from.at[outer], d[inner], d[outer], side);
  }
}

static void clip(const stc_feature *face, double slack, polygon *poly) {
  for (int i = 0; i < face->count && poly->count; i++) {
    int j = (i + 1) % face->count;
    double e[3], s[3];
    stc_sub3(face->p[j], face->p[i], e);
    stc_cross3(face->normal, e, s);
    if (stc_unit3(s) > 0) cut_polygon(poly, face->p[i], s, slack, (uint64_t)face->id[i]);
  }
}

// Points of the polygon over the face of `ref`, which is a or b; n points from b to a.
static void add_over_face(stc_manifold *m, const stc_convex *a, const stc_convex *b,
                          const stc_feature *face, bool face_of_a, const double n[3],
                          const polygon *poly) {
  for (int i = 0; i < poly->count; i++) {
    const double *p = poly->at[i].p;
    double d[3], q[3];
    stc_sub3(p, face->p[0], d);
    stc_combine3(p, -stc_dot3(d, n), n, q);  // into the plane of the face
    uint64_t id = stc_identity(face_of_a, (uint64_t)face->face, poly->at[i].id);
    stc_manifold_add(m, a, b, n, face_of_a ? q : p, face_of_a ? p : q, id);
  }
}

// The edge of a feature that is level and highest along d; its first corner alone where none is.
static void highest_edge(const stc_feature *f, const double d[3], double slack, stc_feature *edge) {
  int top = 0;
  double h[STC_FEATURE];
  for (int i = 0; i < f->count; i++) {
    h[i] = stc_dot3(f->p[i], d);
    if (h[i] > h[top]) top = i;
  }
  int before = (top + f->count - 1) % f->count, after = (top + 1) % f->count;
  int other = h[before] > h[after] ? before : after;
  edge->face = -1;
  edge->count = f->count > 1 && h[other] > h[top] - slack ? 2 : 1;
  int pick[2] = {top < other ? top : other, top < other ? other : top};
  if (edge->count == 1) pick[0] = top;
  for (int i = 0; i < edge->count; i++) {
    stc_copy3(f->p[pick[i]], edge->p[i]);
    edge->id[i] = f->id[pick[i]];
  }
}

// Common part of two parallel edges: its two ends. False where they are not parallel, or apart.
static bool add_parallel(stc_manifold *m, const stc_convex *a, const stc_convex *b,
                         const stc_feature *ea, const stc_feature *eb, const double n[3]) {
  double u[3], w[3], c[3], d[3], t[2];
  if (ea->count != 2 || eb->count != 2) return false;
  stc_sub3(ea->p[1], ea->p[0], u);
  stc_sub3(eb->p[1], eb->p[0], w);
  double length = stc_unit3(u);
  stc_unit3(w);
  stc_cross3(u, w, c);
  if (stc_norm3(c) > PARALLEL) return false;
  for (int k = 0; k < 2; k++) {
    stc_sub3(eb->p[k], ea->p[0], d);
    t[k] = stc_dot3(d, u);
  }
  bool opposite = t[0] > t[1];
  double low = fmax(0, fmin(t[0], t[1])), high = fmin(length, fmax(t[0], t[1]));
  if (!(high > low)) return false;
  for (int k = 0; k < 2; k++) {
    double pa[3], pb[3], s = k ? high : low;
    stc_combine3(ea->p[0], s, u, pa);
    stc_combine3(eb->p[0], opposite ? t[0] - s : s - t[0], w, pb);
    uint64_t of_a = (uint64_t)(ea->id[0] + 1) << 32 | (uint64_t)ea->id[1];
    uint64_t of_b = (uint64_t)(eb->id[0] + 1) << 32 | (uint64_t)eb->id[1];
    stc_manifold_add(m, a, b, n, pa, pb, stc_identity((uint64_t)k + 7, of_a, of_b));
  }
  return true;
}

// Where two edges cross, seen along n: the nearest points of their lines. False where these lie
// beyond the ends.
static bool add_crossing(stc_manifold *m, const stc_convex *a, const stc_convex *b,
                         const stc_feature *ea, const stc_feature *eb, const double n[3]) {
  double u[3], w[3], d[3], across[3], pa[3], pb[3];
  if (ea->count != 2 || eb->count != 2) return false;
  stc_sub3(ea->p[1], ea->p[0], u);
  stc_sub3(eb->p[1], eb->p[0], w);
  stc_sub3(eb->p[0], ea->p[0], d);
  stc_cross3(w, n, across);
  double area = stc_dot3(u, across), s = stc_dot3(d, across) / area;
  stc_cross3(u, n, across);
  double t = stc_dot3(d, across) / area;
  if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return false;
  stc_combine3(ea->p[0], s, u, pa);
  stc_combine3(eb->p[0], t, w, pb);
  stc_manifold_add(m, a, b, n, pa, pb, STC_ALONE);
  return true;
}

static bool looks_along(const stc_feature *f, const double n[3], double sign) {
  double d[3];
  if (f->face < 0) return false;
  stc_combine3(f->normal, -sign, n, d);
  return stc_norm3(d) < ALIGNED;
}

bool stc_manifold_features(stc_manifold *m, const stc_convex *a, const stc_convex *b,
                           const double n[3]) {
  stc_feature fa, fb;
  double back[3], scale = a->size + b->size;
  int before = m->count;
  stc_scale3(-1, n, back);
  stc_convex_feature(a, back, &fa);
  stc_convex_feature(b, n, &fb);
  bool over_a = looks_along(&fa, n, -1), over_b = looks_along(&fb, n, 1);
  if (over_a || over_b) {
    const stc_feature *face = over_a ? &fa : &fb;
    polygon poly;
    const stc_feature *f = over_a ? &fb : &fa;
    poly.count = f->count;
    poly.closed = f->count > 2;
    for (int i = 0; i < f->count; i++) {
      stc_copy3(f->p[i], poly.at[i].p);
      poly.at[i].id = (uint64_t)f->id[i];
    }
    clip(face, ON_SIDE * scale, &poly);
    add_over_face(m, a, b, face, over_a, n, &poly);
    return m->count > before;
  }
  stc_feature ea, eb;
  highest_edge(&fa, back, LEVEL * scale, &ea);
  highest_edge(&fb, n, LEVEL * scale, &eb);
  bool added = add_parallel(m, a, b, &ea, &eb, n) || add_crossing(m, a, b, &ea, &eb, n);
  return added && m->count > before;
}
