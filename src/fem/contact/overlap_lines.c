// Two lines in the plane, straight or with three nodes, projected on each other along d:
//   int T_k M_l ds over the interval where both have points, by Gauss's rule between the breaks.
#include "mortar.h"

#include <math.h>
#include <string.h>

// x(xi) = c0 + c1 xi + c2 xi^2 in one component.
typedef struct parabola {
  double c[3];
} parabola;

static parabola component(const stc_facet *f, const double e[2]) {
  double s[3] = {0};
  for (int a = 0; a < f->nodes; a++) s[a] = e[0] * f->x[a][0] + e[1] * f->x[a][1];
  if (f->nodes == 2) return (parabola){{0.5 * (s[0] + s[1]), 0.5 * (s[1] - s[0]), 0}};
  return (parabola){{s[2], 0.5 * (s[1] - s[0]), 0.5 * (s[0] + s[1]) - s[2]}};
}

static double value(const parabola *p, double xi) {
  return p->c[0] + xi * (p->c[1] + xi * p->c[2]);
}
static double slope(const parabola *p, double xi) { return p->c[1] + 2 * xi * p->c[2]; }

// xi in [-1, 1] with p(xi) = s, for a p that rises or falls throughout.
static double invert(const parabola *p, double s) {
  double c1 = p->c[1], rest = s - p->c[0];
  double root = sqrt(fmax(0, c1 * c1 + 4 * p->c[2] * rest));
  double xi = 2 * rest / (c1 + copysign(root, c1));
  return fmax(-1, fmin(1, xi));
}

static void shape(int nodes, double xi, double N[STC_FACET_NODES]) {
  if (nodes == 2) {
    N[0] = 0.5 * (1 - xi);
    N[1] = 0.5 * (1 + xi);
    return;
  }
  N[0] = 0.5 * xi * (xi - 1);
  N[1] = 0.5 * xi * (xi + 1);
  N[2] = 1 - xi * xi;
}

// Test functions: shape functions, or on three nodes the hats of the two halves: the weights of
// the hats are positive even where a radius is a factor.
static void test(int nodes, double xi, double T[STC_FACET_NODES]) {
  if (nodes == 2) {
    shape(nodes, xi, T);
    return;
  }
  T[0] = fmax(0, -xi);
  T[1] = fmax(0, xi);
  T[2] = 1 - fabs(xi);
}

// Slave and master (NULL: none) as functions of their coordinates.
typedef struct pair {
  const stc_facet *slave, *master;
  parabola s_along, m_along;  // across d
  parabola s_x, s_y;
  double d[2];
  stc_area_measure measure;
} pair;

static double gap_at(const pair *p, const double *N, const double *M) {
  double gap = 0;
  for (int i = 0; i < 2; i++) {
    for (int a = 0; a < p->master->nodes; a++) gap += p->d[i] * M[a] * p->master->x[a][i];
    for (int a = 0; a < p->slave->nodes; a++) gap -= p->d[i] * N[a] * p->slave->x[a][i];
  }
  return gap;
}

// Adds a point of the slave with weight dxi.
static void add_point(const pair *p, double xi, double dxi, stc_overlap *o) {
  double T[STC_FACET_NODES] = {0}, N[STC_FACET_NODES] = {0}, M[STC_FACET_NODES] = {0};
  double w = dxi * p->measure.factor * hypot(slope(&p->s_x, xi), slope(&p->s_y, xi));
  if (p->measure.radial) w *= value(&p->s_x, xi);
  shape(p->slave->nodes, xi, N);
  test(p->slave->nodes, xi, T);
  o->area += w;
  for (int k = 0; k < p->slave->nodes; k++) {
    o->test[k] += w * T[k];
    for (int j = 0; j < p->slave->nodes; j++) o->slave[k][j] += w * T[k] * N[j];
  }
  if (!p->master) return;
  shape(p->master->nodes, invert(&p->m_along, value(&p->s_along, xi)), M);
  o->gap += w * gap_at(p, N, M);
  for (int k = 0; k < p->slave->nodes; k++)
    for (int l = 0; l < p->master->nodes; l++) o->master[k][l] += w * T[k] * M[l];
}

// Gauss's rule of four points: exact for any product of straight lines with a radius.
static void add_interval(const pair *p, double from, double to, stc_overlap *o) {
  static const double at[4] = {-0.86113631159405257522, -0.33998104358485626480,
                               0.33998104358485626480, 0.86113631159405257522};
  static const double weight[4] = {0.34785484513745385737, 0.65214515486254614263,
                                   0.65214515486254614263, 0.34785484513745385737};
  if (to <= from) return;
  double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  for (int g = 0; g < 4; g++) add_point(p, middle + half * at[g], half * weight[g], o);
}

// A line whose middle node is not in the middle has no polynomial as inverse; in this many parts
// the rule is exact to rounding all the same.
enum { CURVED_PARTS = 8 };

static bool even(const parabola *p) {
  return fabs(p->c[2]) <= 1e-14 * (fabs(p->c[0]) + fabs(p->c[1]));
}

static void add_parts(const pair *p, double from, double to, stc_overlap *o) {
  bool straight = even(&p->s_x) && even(&p->s_y) && (!p->master || even(&p->m_along));
  int parts = straight ? 1 : CURVED_PARTS;
  double h = (to - from) / parts;
  for (int k = 0; k < parts; k++) add_interval(p, from + k * h, from + (k + 1) * h, o);
}

// Hats have their kink in the middle.
static void add_range(const pair *p, double from, double to, stc_overlap *o) {
  if (p->slave->nodes == 3) {
    add_parts(p, from, fmin(to, 0), o);
    add_parts(p, fmax(from, 0), to, o);
  } else {
    add_parts(p, from, to, o);
  }
  if (o->area > 0) o->gap /= o->area;
}

static pair make_pair(const stc_facet *slave, stc_area_measure measure) {
  pair p = {.slave = slave, .measure = measure};
  p.s_x = component(slave, (double[]){1, 0});
  p.s_y = component(slave, (double[]){0, 1});
  return p;
}

bool stc_overlap_lines(const stc_facet *slave, const stc_facet *master, const double d[3],
                       stc_area_measure measure, stc_overlap *overlap) {
  double s = stc_dot3(slave->normal, d), m = stc_dot3(master->normal, d);
  memset(overlap, 0, sizeof *overlap);
  if (s < STC_FACING || m > -STC_FACING) return false;
  pair p = make_pair(slave, measure);
  double across[2] = {-d[1], d[0]};
  p.master = master;
  p.s_along = component(slave, across);
  p.m_along = component(master, across);
  memcpy(p.d, d, sizeof p.d);
  double sa = value(&p.s_along, -1), sb = value(&p.s_along, 1);
  double ma = value(&p.m_along, -1), mb = value(&p.m_along, 1);
  double low = fmax(fmin(sa, sb), fmin(ma, mb)), high = fmin(fmax(sa, sb), fmax(ma, mb));
  if (high - low <= STC_SLIVER * fabs(sb - sa)) return false;
  double from = invert(&p.s_along, low), to = invert(&p.s_along, high);
  add_range(&p, fmin(from, to), fmax(from, to), overlap);
  return overlap->area > 0;
}

void stc_overlap_own_line(const stc_facet *slave, stc_area_measure measure, stc_overlap *overlap) {
  pair p = make_pair(slave, measure);
  memset(overlap, 0, sizeof *overlap);
  add_range(&p, -1, 1, overlap);
}
