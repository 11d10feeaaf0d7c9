// Cones over intervals and polygons: which there are, and their rays.
#include "polygon.h"

#include "../../base/fail.h"

#include <math.h>

// --- Which laws are served ---

/// x = a b - c d of doubles.
static void cross_of(double a, double b, double c, double d, stc_q x) {
  STC_Q left = {0}, right = {0};
  stc_q_set_d(x, 0);
  stc_q_set_d(left, b);
  stc_rational_fma_d(x, a, left);
  stc_q_set_d(right, d);
  stc_rational_fma_d(x, -c, right);
}

/// The sign of (b - a) x (c - a).
static int side_of(const double *a, const double *b, const double *c) {
  STC_Q sum = {0}, term = {0};
  cross_of(a[0], b[1], a[1], b[0], sum);
  cross_of(b[0], c[1], b[1], c[0], term);
  stc_q_add(sum, sum, term);
  cross_of(c[0], a[1], c[1], a[0], term);
  stc_q_add(sum, sum, term);
  return stc_q_sgn(sum);
}

/// Whether every corner, and 0, lie to the left of every edge, and corners are corners.
static bool is_exactly_convex(int m, const double *p) {
  static const double ZERO[2] = {0, 0};
  for (int k = 0; k < m; k++) {
    const double *a = p + 2 * k, *b = p + 2 * ((k + 1) % m);
    if (side_of(a, b, ZERO) < 0 || side_of(a, b, p + 2 * ((k + 2) % m)) <= 0) return false;
    for (int j = 0; j < m; j++)
      if (side_of(a, b, p + 2 * j) < 0) return false;
  }
  return true;
}

static stc_error check_polygon(const stc_law *law, int contact) {
  double corner[2 * STC_POLYGON_CORNERS];
  int corners = stc_cone_section_corners(law->section, NULL);
  if (corners == 0)
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "contact %d: the section of its cone is round; of sections only intervals and "
                    "polygons have certificates: give corners inside or around it",
                    contact);
  if (corners > STC_POLYGON_CORNERS)
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "contact %d: the section of its cone has %d corners; certificates serve "
                    "polygons of up to %d",
                    contact, corners, STC_POLYGON_CORNERS);
  stc_cone_section_corners(law->section, corner);
  if (corners > 2 && !is_exactly_convex(corners, corner))
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "contact %d: the polygon of its cone is convex around 0 up to rounding only, "
                    "which is not enough for a proof: move its corners outwards",
                    contact);
  return STC_OK;
}

stc_error stc_polygon_serves(const stc_law *law, int contact) {
  if (law->dilatancy > 0)
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "contact %d: its law dilates; certificates are about friction, dilatancy = 0",
                    contact);
  if (law->kind == STC_LAW_SECTION) return check_polygon(law, contact);
  if (law->kind <= STC_LAW_ELLIPTIC) return STC_OK;
  return stc_fail(STC_ERR_UNSUPPORTED,
                  "contact %d: the law %s has no certificates; coulomb, elliptic, frictionless and "
                  "polygonal section laws do",
                  contact, stc_law_name((int)law->kind));
}

// --- Rays ---

static bool is_smooth(const stc_law *law) {
  if (law->kind == STC_LAW_FRICTIONLESS) return true;
  if (law->kind != STC_LAW_SECTION) return law->mu[0] == 0 && (law->dim == 2 || law->mu[1] == 0);
  const double forth[2] = {1, 0}, back[2] = {-1, 0};
  bool line = law->dim == 2 && stc_cone_section_reach(law->section, forth, NULL) == 0 &&
              stc_cone_section_reach(law->section, back, NULL) == 0;
  return law->mu[0] == 0 || line;
}

/// Corners of the section, without mu; 0: it is round.
static int corners_of(const stc_law *law, double *corner) {
  const double ends[4] = {-1, 0, 1, 0};
  if (is_smooth(law)) return 1;
  if (law->kind == STC_LAW_SECTION) return stc_cone_section_corners(law->section, corner);
  if (law->dim == 3) return 0;
  for (int k = 0; k < 4; k++) corner[k] = ends[k];
  return 2;
}

stc_error stc_polygon_create(const stc_law *law, stc_polygon *polygon) {
  double corner[2 * STC_POLYGON_CORNERS] = {0};
  STC_Q mu = {0}, x = {0};
  *polygon = (stc_polygon){.corners = corners_of(law, corner)};
  STC_TRY(stc_rationals_create(&polygon->p, 2 * (size_t)polygon->corners));
  stc_q_set_d(mu, polygon->corners > 1 ? law->mu[0] : 0);
  for (int k = 0; k < 2 * polygon->corners; k++) {
    stc_q_set_d(x, corner[k]);
    stc_q_mul(polygon->p.at[k], mu, x);
  }
  return STC_OK;
}

void stc_polygon_free(stc_polygon *polygon) {
  stc_rationals_free(&polygon->p);
  *polygon = (stc_polygon){0};
}

// --- Edges ---

void stc_polygon_edge(const stc_polygon *g, int k, stc_q x, stc_q y) {
  int from = stc_polygon_wrap(g, k), to = stc_polygon_wrap(g, k + 1);
  stc_q_sub(x, g->p.at[2 * to], g->p.at[2 * from]);
  stc_q_sub(y, g->p.at[2 * to + 1], g->p.at[2 * from + 1]);
}

static void rounded_edge(const stc_polygon *g, int k, double e[2]) {
  STC_Q x = {0}, y = {0};
  stc_polygon_edge(g, k, x, y);
  e[0] = stc_q_get_d(x);
  e[1] = stc_q_get_d(y);
}

int stc_polygon_reach(const stc_polygon *g, int first, int last) {
  static const double ROUND = 1e-6;  // the sine of what is left of half a circle
  double before[2], after[2];
  int end = first;
  rounded_edge(g, first - 1, before);
  for (; end < last; end++) {
    rounded_edge(g, end + 1, after);
    double size = hypot(before[0], before[1]) * hypot(after[0], after[1]);
    if (!(before[0] * after[1] - before[1] * after[0] > ROUND * size)) break;
  }
  return end;
}
