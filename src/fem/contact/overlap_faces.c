// Two faces in space projected on a plane across d, triangle by triangle: the polygon they share is
// cut into triangles, where products of two linear functions are integrated exactly.
#include "mortar.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 3, MOST_CORNERS = 6 };

// A flat piece of a face: its corners on the plane and what each corner stands for in node values.
typedef struct piece {
  double p[CORNERS][2];                // places on the plane
  double x[CORNERS][3];                // places in space
  double N[CORNERS][STC_FACET_NODES];  // shape functions at the corners
  double normal[3];                    // of the piece, unit, outward
} piece;

static int cut_pieces(const stc_facet *f) { return f->nodes == 3 ? 1 : 4; }

static void corner_at(const stc_facet *f, int at, int a, piece *q) {
  memcpy(q->x[at], f->x[a], sizeof q->x[at]);
  q->N[at][a] = 1;
}

// Piece k: the whole triangle, or side k of a quadrilateral with the mean of its nodes.
static void make_piece(const stc_facet *f, int k, double e[2][3], piece *q) {
  memset(q, 0, sizeof *q);
  corner_at(f, 0, k, q);
  corner_at(f, 1, (k + 1) % f->nodes, q);
  if (f->nodes == 3)
    corner_at(f, 2, 2, q);
  else
    for (int a = 0; a < 4; a++) {
      q->N[2][a] = 0.25;
      for (int i = 0; i < 3; i++) q->x[2][i] += 0.25 * f->x[a][i];
    }
  double u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = q->x[1][i] - q->x[0][i];
    v[i] = q->x[2][i] - q->x[0][i];
  }
  stc_cross3(u, v, q->normal);
  double size = sqrt(stc_dot3(q->normal, q->normal));
  if (stc_dot3(q->normal, f->normal) < 0) size = -size;
  for (int i = 0; i < 3; i++) q->normal[i] /= size;
  for (int a = 0; a < CORNERS; a++)
    for (int i = 0; i < 2; i++) q->p[a][i] = stc_dot3(e[i], q->x[a]);
}

// Two unit vectors across d.
static void plane_axes(const double d[3], double e[2][3]) {
  double s = copysign(1, d[2]), a = -1 / (s + d[2]), b = d[0] * d[1] * a;
  e[0][0] = 1 + s * d[0] * d[0] * a;
  e[0][1] = s * b;
  e[0][2] = -s * d[0];
  e[1][0] = b;
  e[1][1] = s + d[1] * d[1] * a;
  e[1][2] = -d[1];
}

static double twice_area(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Keeps the part of a polygon left of the line a -> b (Sutherland and Hodgman).
static int clip(double (*poly)[2], int n, const double *a, const double *b) {
  double out[MOST_CORNERS + 2][2];
  int m = 0;
  for (int i = 0; i < n; i++) {
    const double *p = poly[i], *q = poly[(i + 1) % n];
    double sp = twice_area(a, b, p), sq = twice_area(a, b, q);
    if (sp >= 0) memcpy(out[m++], p, sizeof out[0]);
    if ((sp > 0 && sq < 0) || (sp < 0 && sq > 0)) {
      double t = sp / (sp - sq);
      for (int k = 0; k < 2; k++) out[m][k] = p[k] + t * (q[k] - p[k]);
      m++;
    }
  }
  memcpy(poly, out, (size_t)m * sizeof out[0]);
  return m;
}

// The polygon two triangles share, anticlockwise.
static int share(const piece *s, const piece *m, double (*poly)[2]) {
  bool flip = twice_area(m->p[0], m->p[1], m->p[2]) < 0;
  bool back = twice_area(s->p[0], s->p[1], s->p[2]) < 0;
  for (int a = 0; a < CORNERS; a++) memcpy(poly[a], m->p[flip ? 2 - a : a], sizeof poly[0]);
  int n = CORNERS;
  for (int a = 0; a < CORNERS && n >= CORNERS; a++) {
    const double *from = s->p[a], *to = s->p[(a + 1) % CORNERS];
    n = back ? clip(poly, n, to, from) : clip(poly, n, from, to);
  }
  return n;
}

// Shape functions of the face at a point of the plane; its place in space along d.
static double evaluate_face(const piece *q, const double *p, const double d[3], double *N) {
  double all = twice_area(q->p[0], q->p[1], q->p[2]), b[CORNERS], height = 0;
  b[0] = twice_area(p, q->p[1], q->p[2]) / all;
  b[1] = twice_area(q->p[0], p, q->p[2]) / all;
  b[2] = 1 - b[0] - b[1];
  for (int a = 0; a < STC_FACET_NODES; a++)
    N[a] = b[0] * q->N[0][a] + b[1] * q->N[1][a] + b[2] * q->N[2][a];
  for (int c = 0; c < CORNERS; c++) height += b[c] * stc_dot3(d, q->x[c]);
  return height;
}

// The middles of the sides integrate quadratic functions over a triangle.
static void add_triangle(const piece *s, const piece *m, const double *const corner_of[CORNERS],
                         const double d[3], stc_overlap *o) {
  double area = 0.5 * fabs(twice_area(corner_of[0], corner_of[1], corner_of[2]));
  double w = area / stc_dot3(s->normal, d) / 3;
  for (int a = 0; a < CORNERS; a++) {
    const double *u = corner_of[a], *v = corner_of[(a + 1) % CORNERS];
    const double *p = (double[]){0.5 * (u[0] + v[0]), 0.5 * (u[1] + v[1])};
    double N[STC_FACET_NODES], M[STC_FACET_NODES];
    double gap = evaluate_face(m, p, d, M) - evaluate_face(s, p, d, N);
    o->area += w;
    o->gap += w * gap;
    for (int k = 0; k < STC_FACET_NODES; k++) {
      o->test[k] += w * N[k];
      for (int l = 0; l < STC_FACET_NODES; l++) {
        o->slave[k][l] += w * N[k] * N[l];
        o->master[k][l] += w * N[k] * M[l];
      }
    }
  }
}

static void add_pieces(const piece *s, const piece *m, const double d[3], stc_overlap *o) {
  double poly[MOST_CORNERS + 2][2];
  if (stc_dot3(s->normal, d) < STC_FACING || stc_dot3(m->normal, d) > -STC_FACING) return;
  int n = share(s, m, poly);
  double whole = fabs(twice_area(s->p[0], s->p[1], s->p[2])), shared = 0;
  for (int i = 1; i + 1 < n; i++) shared += twice_area(poly[0], poly[i], poly[i + 1]);
  if (n < CORNERS || fabs(shared) <= STC_SLIVER * whole) return;
  for (int i = 1; i + 1 < n; i++)
    add_triangle(s, m, (const double *[]){poly[0], poly[i], poly[i + 1]}, d, o);
}

bool stc_overlap_faces(const stc_facet *slave, const stc_facet *master, const double d[3],
                       stc_overlap *overlap) {
  double e[2][3];
  plane_axes(d, e);
  memset(overlap, 0, sizeof *overlap);
  for (int i = 0; i < cut_pieces(slave); i++) {
    piece s, m;
    make_piece(slave, i, e, &s);
    for (int j = 0; j < cut_pieces(master); j++) {
      make_piece(master, j, e, &m);
      add_pieces(&s, &m, d, overlap);
    }
  }
  if (overlap->area > 0) overlap->gap /= overlap->area;
  return overlap->area > 0;
}

void stc_overlap_own_face(const stc_facet *slave, stc_overlap *overlap) {
  double e[2][3];
  plane_axes(slave->normal, e);
  memset(overlap, 0, sizeof *overlap);
  for (int i = 0; i < cut_pieces(slave); i++) {
    piece s;
    make_piece(slave, i, e, &s);
    add_triangle(&s, &s, (const double *[]){s.p[0], s.p[1], s.p[2]}, slave->normal, overlap);
  }
}
