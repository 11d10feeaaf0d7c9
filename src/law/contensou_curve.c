// Coulomb–Contensou friction of a Hertz patch [Contensou 1962; Zhuravlev 1998]: with k = v / w,
// theta = asin(1/k), s = sqrt(k^2 - 1), z = 1/k^2,
//          k <= 1                           1 < k <= 2                                k > 2
//   F   3pi/32 k (4 - k^2)         3/16 [k (4 - k^2) theta + s (k + 2/k)]         H(-1/2, 1/2, 5/2)
//   M   3pi/128 (8 - 8k^2 + 3k^4)  3/64 [(8 - 8k^2 + 3k^4) theta + (6 - 3k^2) s]  H(1/2, 1/2,
//   7/2)/5k F'  3pi/32 (4 - 3k^2)          3/16 [(4 - 3k^2) theta + s (3 - 2z)]           H(1/2,
//   3/2, 7/2)z/5k
// where H(a, b, c) = 1 + ab/c z + a(a+1)b(b+1)/(c(c+1)2) z^2 + ... For large k the closed forms
// cancel (k^4 digits of M); at k = 2 both sides agree to 1e-15. D = v F + w M, and M' = -k F' makes
// (v, w) the normal at (F, M).
#include "contensou_curve.h"

#include <stiction/law.h>

#include <float.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// Beyond this k the series are used.
static const double LARGE_K = 2.0;

// H(a, b, c) at 0 <= z <= 1/4. Terms fall by more than four each.
static double series(double a, double b, double c, double z) {
  double sum = 1.0, term = 1.0;
  for (int n = 0; fabs(term) > 0.25 * DBL_EPSILON; n++) {
    term *= (a + n) * (b + n) / ((c + n) * (1 + n)) * z;
    sum += term;
  }
  return sum;
}

// bend = F' (1 + k^2)^(3/2), which stays finite.
static stc_contensou_point far_point(double ratio) {
  double z = ratio * ratio;
  return (stc_contensou_point){.F = series(-0.5, 0.5, 2.5, z),
                               .M = 0.2 * ratio * series(0.5, 0.5, 3.5, z),
                               .bend = 0.2 * series(0.5, 1.5, 3.5, z) * (1.0 + z) * sqrt(1.0 + z)};
}

static stc_contensou_point near_point(double k) {
  double kk = k * k, s = k > 1.0 ? sqrt((k - 1.0) * (k + 1.0)) : 0.0;
  double theta = k > 1.0 ? atan2(1.0, s) : 0.5 * PI, z = k > 1.0 ? 1.0 / kk : 0.0;
  double slope = 3.0 / 16.0 * ((4.0 - 3.0 * kk) * theta + s * (3.0 - 2.0 * z));
  return (stc_contensou_point){.F = 3.0 / 16.0 * k * ((4.0 - kk) * theta + s * (1.0 + 2.0 * z)),
                               .M = 3.0 / 64.0 *
                                    ((8.0 + kk * (3.0 * kk - 8.0)) * theta + (6.0 - 3.0 * kk) * s),
                               .bend = slope * (1.0 + kk) * sqrt(1.0 + kk)};
}

stc_contensou_point stc_contensou_at(double v, double w) {
  return v > LARGE_K * w ? far_point(w / v) : near_point(v / w);
}

void stc_contensou(double k, double *F, double *M) {
  stc_contensou_point p = k > LARGE_K ? far_point(1.0 / k) : near_point(k);
  *F = p.F;
  *M = p.M;
}

// v H(-1/2, -1/2, 5/2) for large k: v F + w M in one sum.
double stc_contensou_potential(double v, double w) {
  double slide = fabs(v), spin = fabs(w);
  if (slide > LARGE_K * spin) {
    double ratio = spin / slide;
    return slide * series(-0.5, -0.5, 2.5, ratio * ratio);
  }
  if (!(spin > 0.0)) return spin;  // no motion, or not a number
  stc_contensou_point p = near_point(slide / spin);
  return slide * p.F + spin * p.M;
}

void stc_contensou_pade(double k, double *F, double *M) {
  const double a = 8.0 / (3.0 * PI), b = 15.0 * PI / 16.0, at_rest = 3.0 * PI / 16.0;
  *F = k < INFINITY ? k / (k + a) : 1.0;
  *M = at_rest / (1.0 + b * k);
}

// ---- projections ----

// A point to project on { y_N (scale[0] F, scale[1] M) }, at one y_N or on the cone of all.
typedef struct target {
  const double *scale, *x;
  double x_N;  // y_N itself where `cone` is false
  bool cone;
} target;

// The boundary point with the normal (v, w) in the plane of C, hence p = (v / scale[0],
// w / scale[1]) in the section. Where x - y = depth p and x_N - y_N = -depth D hold but for
//   gap = scale[0] w (x_0 - y_0) - scale[1] v (x_1 - y_1),
// gap = 0 is left to solve. For x outside, gap changes its sign once on the way from v = 0, where
// it is positive, to w = 0: on the side of the set that x is on no other normal meets x.
typedef struct trial {
  double v, w;
  stc_contensou_point at;
  double y_N, depth;
  double gap, slope;  // slope: the derivative by the angle atan(v / w) where gap = 0
} trial;

static trial evaluate_curve(const target *g, double v, double w) {
  trial t = {.v = v, .w = w, .at = stc_contensou_at(v, w), .y_N = g->x_N};
  double a = g->scale[0], b = g->scale[1], F = t.at.F, M = t.at.M, D = v * F + w * M;
  double p[2] = {v / a, w / b}, P = p[0] * p[0] + p[1] * p[1];
  double along = g->x[0] * p[0] + g->x[1] * p[1], rotation = 0.0;
  t.depth = (along - D * g->x_N) / (g->cone ? P + D * D : P);
  if (g->cone) {
    t.y_N = (P * g->x_N + D * along) / (P + D * D);
    double dP = p[0] * (w / a) - p[1] * (v / b);  // half of it
    rotation = t.depth * (P * (F * w - M * v) - D * dP) / (P + D * D);
  }
  t.gap = a * w * (g->x[0] - t.y_N * a * F) - b * v * (g->x[1] - t.y_N * b * M);
  double aw = a * w, bv = b * v;
  t.slope =
      -t.y_N * t.at.bend * (aw * aw + bv * bv) - t.depth - rotation * (a * aw * F - b * bv * M);
  return t;
}

// `angle` is counted from the axis v = 0, or from the axis w = 0, so that both ends are resolved.
static trial evaluate_near(const target *g, bool from_w_axis, double angle) {
  double large = cos(angle), small = sin(angle);
  return from_w_axis ? evaluate_curve(g, large, small) : evaluate_curve(g, small, large);
}

// Newton's method kept inside a bracket.
static trial find_foot(const target *g) {
  const int most_steps = 400;  // sixteenths and halves alone take fewer
  double low = 0.0, high = 0.25 * PI, angle = high;
  trial t = evaluate_near(g, false, angle);
  bool from_w_axis = t.gap > 0.0;
  for (int step = 0; step < most_steps && t.gap != 0.0; step++) {
    double gap = from_w_axis ? -t.gap : t.gap;  // decreases with the angle
    *(gap > 0.0 ? &low : &high) = angle;
    double next = angle - gap / t.slope;
    if (!(next > low && next < high)) next = low > 0.0 ? 0.5 * (low + high) : 0.0625 * high;
    bool done = fabs(next - angle) <= 2.0 * DBL_EPSILON * angle || next < DBL_MIN;
    angle = next;
    t = evaluate_near(g, from_w_axis, angle);
    if (done) break;
  }
  return t;
}

// Beyond this scale rounding of F or M would show in y, and x less what is cut off is closer.
static const double STEEP = 1e3;

static stc_contensou_foot project_curve(const target *g) {
  trial t = g->x[0] == 0.0   ? evaluate_curve(g, 0.0, 1.0)
            : g->x[1] == 0.0 ? evaluate_curve(g, 1.0, 0.0)
                             : find_foot(g);
  double a = g->scale[0], b = g->scale[1], p[2] = {t.v / a, t.w / b}, length = hypot(p[0], p[1]);
  double wide = hypot(a * t.w, b * t.v);
  double y[2] = {t.y_N * a * t.at.F, t.y_N * b * t.at.M};
  for (int k = 0; k < 2; k++)
    if (g->scale[k] > STEEP) y[k] = g->x[k] - t.depth * p[k];
  return (stc_contensou_foot){.y_N = t.y_N,
                              .y = {y[0], y[1]},
                              .normal = {p[0] / length, p[1] / length},
                              .depth = t.depth * length,
                              .bend = t.y_N * t.at.bend * wide * wide * length};
}

stc_contensou_foot stc_contensou_section(const double scale[2], double y_N, const double x[2]) {
  return project_curve(&(target){.scale = scale, .x = x, .x_N = y_N, .cone = false});
}

stc_contensou_foot stc_contensou_cone(const double scale[2], double x_N, const double x[2]) {
  return project_curve(&(target){.scale = scale, .x = x, .x_N = x_N, .cone = true});
}

double stc_contensou_project(const double x[2], double y[2], double *J) {
  static const double scale[2] = {1.0, 1.0};
  double size[2] = {fabs(x[0]), fabs(x[1])};
  double sign[2] = {copysign(1.0, x[0]), copysign(1.0, x[1])};
  stc_contensou_foot f = stc_contensou_section(scale, 1.0, size);
  bool inside = f.depth <= 0.0;
  if (J && inside) memcpy(J, (double[]){1.0, 0.0, 0.0, 1.0}, 4 * sizeof *J);
  if (J && !inside) {
    // With the tangent t and the radius of curvature rho:  dy/dx = rho / (rho + depth) t t^T.
    double t[2] = {sign[0] * f.normal[1], -sign[1] * f.normal[0]};
    double weight = f.bend / (f.bend + f.depth);
    for (int k = 0; k < 4; k++) J[k] = weight * t[k % 2] * t[k / 2];
  }
  for (int k = 0; k < 2; k++) y[k] = inside ? x[k] : sign[k] * f.y[k];
  return inside ? 0.0 : f.depth;
}
