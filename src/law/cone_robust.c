// One contact for any W and c: candidates of every mode, each judged by the textbook law.
//   u = W r + c, r in { |r_T| <= r_N }:   r = 0, u_N >= 0  |  u = 0  |  u_N = 0, u_T = -lambda r_T
// The slip candidates are the zeros on the circle t = (cos, sin) of
//   t x [ c_T (a + W_NT . t) - c_N (W_TN + W_TT t) ],      r = -c_N / (a + W_NT . t) (1, t),
// a quartic in the tangent of the half angle that needs no inverse, so W may have any rank. The
// stick candidates solve W r = -c by elimination and, for a singular W, near the start.
#include "cone_robust.h"

#include "../linalg/small.h"
#include "cone_kernel.h"
#include "law_ops.h"
#include "quartic.h"

#include <float.h>
#include <string.h>

enum { N = 3 };

// A violation is relative to the largest velocity. Below FINE candidates differ by rounding only;
// below STC_CONE_ANSWER they are still answers (c in the range of a singular W up to rounding).
#define FINE 1e-12

// W is regular if its smallest eigenvalue with unit diagonal is above REGULAR: an answer exists
// then, however large r is, and rounding of u = W r + c is forgiven. With a singular W rounding
// brings up huge reactions that cancel to any c (jamming), also where no answer exists: nothing is
// forgiven, and terms that cancel to more digits than JAMMED are refused with a violation that
// makes r = 0 look better.
#define REGULAR 1e-11
#define JAMMED  1e10
#define REFUSED 2.0

typedef struct one_contact {
  int n;
  const double *W, *c, *D, *start;
  bool regular;      // W is safely positive definite
  double r[N];       // best candidate so far
  double violation;  // of the best candidate
  double distance;   // of the best candidate to the start
} one_contact;

static double tangent_norm(int n, const double *x) {
  return n == 3 ? hypot(x[1], x[2]) : n == 2 ? fabs(x[1]) : 0.0;
}

// What a reaction does.
typedef struct motion {
  double u[N];      // W r + c
  double terms[N];  // sums of the magnitudes of the terms of W r
  double speed;     // the largest of c and u in physical units
} motion;

static motion move_along(const one_contact *k, const double *r) {
  motion m = {.speed = DBL_MIN};
  for (int i = 0; i < k->n; i++) {
    m.u[i] = k->c[i];
    for (int j = 0; j < k->n; j++) {
      m.u[i] += k->W[i + k->n * j] * r[j];
      m.terms[i] += fabs(k->W[i + k->n * j] * r[j]);
    }
    m.speed = fmax(m.speed, fmax(fabs(k->c[i]), fabs(m.u[i])) / k->D[i]);
  }
  return m;
}

// lambda >= 0 that brings u_T + lambda r_T closest to zero; 0 in the interior of the cone.
static double multiplier(int n, const double *u, const double *r) {
  double t = tangent_norm(n, r);
  if (!(t > 0.0) || t < r[0] * (1.0 - FINE)) return 0.0;
  double along = 0.0;
  for (int i = 1; i < n; i++) along -= u[i] * (r[i] / t);
  return fmax(along / t, 0.0);
}

// The largest |u_N|, |u_T + lambda r_T| beyond rounding, relative to the speed. In slip a
// tangential part is an angle between r_T and u_T: it counts in the units of the larger
// coefficient.
static double unbalanced(const one_contact *k, const motion *m, const double *r, double lambda) {
  double worst = 0.0, t = tangent_norm(k->n, r), most = k->n == 3 ? fmax(k->D[1], k->D[2]) : 0.0;
  for (int i = 0; i < k->n; i++) {
    double e = i == 0 ? m->u[i] : m->u[i] + lambda * r[i];
    double unit = i == 0 || lambda == 0.0 ? k->D[i] : fmax(most, k->D[i]);
    double terms = (k->regular ? m->terms[i] : 0.0) + (i == 0 ? 0.0 : lambda * t);
    worst = fmax(worst, (fabs(e) - STC_CONE_ROUNDING * terms) / (unit * m->speed));
  }
  return worst;
}

// How far the closed contact r is from sticking or slipping, relative to the speed; 0 is perfect.
static double violation(const one_contact *k, const double *r) {
  motion m = move_along(k, r);
  for (int i = 0; i < k->n; i++)
    if (!k->regular && !(m.terms[i] <= JAMMED * k->D[i] * m.speed)) return REFUSED;
  double t = tangent_norm(k->n, r), outside = t > r[0] ? (t - r[0]) / (t + fabs(r[0])) : 0.0;
  double worst = fmax(outside, unbalanced(k, &m, r, multiplier(k->n, m.u, r)));
  return isfinite(m.speed) && isfinite(worst) ? worst : REFUSED;
}

static int grade(double v) { return v <= FINE ? 0 : v <= STC_CONE_ANSWER ? 1 : 2; }

// Keeps a candidate if it is of a better grade, or nearer to the start, or less wrong.
static void offer_judged(one_contact *k, const double *r, double v) {
  double distance = 0.0;
  for (int i = 0; i < k->n; i++) distance = fmax(distance, k->D[i] * fabs(r[i] - k->start[i]));
  int mine = grade(v), best = grade(k->violation);
  bool better = mine < best || (mine == best && mine < 2 && distance < k->distance) ||
                (mine == best && mine == 2 && v < k->violation);
  if (!better || !isfinite(distance)) return;
  memcpy(k->r, r, (size_t)k->n * sizeof *r);
  k->violation = v;
  k->distance = distance;
}

static void offer(one_contact *k, const double *r) { offer_judged(k, r, violation(k, r)); }

// r := r - W^-1 (W r + c), starting from r = 0 and once more to remove rounding.
static void offer_stick(one_contact *k) {
  double r[N] = {0.0}, dr[N];
  for (int pass = 0; pass < 2; pass++) {
    motion m = move_along(k, r);
    if (!stc_small_solve(k->n, k->W, m.u, dr)) return;
    for (int i = 0; i < k->n; i++) r[i] -= dr[i];
    offer(k, r);
  }
}

// The symmetric part of W with unit diagonal, W = S V diag(value) V^T S; S = 1 in zero rows.
typedef struct spectrum {
  double S[N], value[N], vector[N * N];
} spectrum;

static spectrum decompose(const one_contact *k) {
  spectrum s;
  double A[N * N];
  int n = k->n;
  for (int i = 0; i < n; i++) s.S[i] = k->W[i + n * i] > 0.0 ? sqrt(k->W[i + n * i]) : 1.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i + n * j] = 0.5 * (k->W[i + n * j] + k->W[j + n * i]) / s.S[i] / s.S[j];
  stc_small_eigen(n, A, s.value, s.vector);
  return s;
}

static double dot_scaled(const one_contact *k, const spectrum *s, int e, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < k->n; i++) sum += s->vector[i + k->n * e] * (x[i] / s->S[i]);
  return sum;
}

// W = S v v^T S e: the plane h . r = gamma meets the cone if the projection of +-h on it does not
// vanish, and then in a multiple of that projection.
static void offer_null_plane(one_contact *k, const spectrum *s) {
  int last = k->n - 1;
  double h[N], y[N], length = 0.0, gamma = -dot_scaled(k, s, last, k->c) / s->value[last];
  for (int i = 0; i < k->n; i++) h[i] = copysign(1.0, gamma) * s->S[i] * s->vector[i + k->n * last];
  stc_circular_project(k->n, 1.0, h, y);
  for (int i = 0; i < k->n; i++) length += y[i] * y[i];
  if (!(length > 0.0)) return;
  for (int i = 0; i < k->n; i++) y[i] *= fabs(gamma) / length;
  offer(k, y);
}

// Newton's method for  u_N = 0,  (|r_T|^2 - r_N^2) / 2 = 0,  r_T x u_T = 0.
static bool slip_step(const one_contact *k, double *r) {
  motion m = move_along(k, r);
  const double *W = k->W, *u = m.u;
  double J[N * N], dr[N];
  double E[N] = {u[0], 0.5 * (r[1] * r[1] + r[2] * r[2] - r[0] * r[0]), r[1] * u[2] - r[2] * u[1]};
  for (int j = 0; j < N; j++) {
    J[N * j] = W[N * j];
    J[1 + N * j] = j == 0 ? -r[0] : r[j];
    J[2 + N * j] = r[1] * W[2 + N * j] - r[2] * W[1 + N * j];
  }
  J[2 + N * 1] += u[2];
  J[2 + N * 2] -= u[1];
  if (!stc_small_solve(N, J, E, dr)) return false;
  for (int i = 0; i < N; i++) r[i] -= dr[i];
  return true;
}

// The candidate of direction t, polished as long as it improves.
static void offer_slip(one_contact *k, double cosine, double sine) {
  const int most_steps = 4;
  double r_N = -k->c[0] / (k->W[0] + k->W[3] * cosine + k->W[6] * sine);
  double r[N] = {r_N, r_N * cosine, r_N * sine};
  if (!(r_N > 0.0 && isfinite(r_N))) return;
  double v = violation(k, r);
  offer_judged(k, r, v);
  for (int step = 0; step < most_steps && v > 0.0 && slip_step(k, r); step++) {
    double next = violation(k, r);
    if (!(next < v)) return;
    v = next;
    offer_judged(k, r, v);
  }
}

// The function on the circle as  h[0] + h[1] cos + h[2] sin + h[3] cos 2 + h[4] sin 2.
static bool slip_harmonics(const one_contact *k, double h[5]) {
  const double *W = k->W, *c = k->c;
  double e1 = c[1] * W[0] - c[0] * W[1], e2 = c[2] * W[0] - c[0] * W[2];
  double m11 = c[1] * W[3] - c[0] * W[4], m12 = c[1] * W[6] - c[0] * W[7];
  double m21 = c[2] * W[3] - c[0] * W[5], m22 = c[2] * W[6] - c[0] * W[8];
  double unscaled[5] = {0.5 * (m21 - m12), e2, -e1, 0.5 * (m21 + m12), 0.5 * (m22 - m11)};
  double unit = stc_law_unit(unscaled, 5), sum = 0.0;
  for (int j = 0; j < 5; j++) sum += fabs(h[j] = unscaled[j] / unit);
  return sum > 0.0 && isfinite(sum);
}

// Two charts z = tan(angle / 2), around the angles 0 and pi, each on [-1, 1].
static void offer_slips_3d(one_contact *k) {
  double h[5], root[STC_QUARTIC_MAX];
  if (!slip_harmonics(k, h)) return;
  for (int side = 1; side >= -1; side -= 2) {
    double h1 = side * h[1], h2 = side * h[2];
    double quartic[] = {h[0] + h1 + h[3], 2.0 * h2 + 4.0 * h[4], 2.0 * h[0] - 6.0 * h[3],
                        2.0 * h2 - 4.0 * h[4], h[0] - h1 + h[3]};
    int count = stc_quartic_roots(quartic, root);
    for (int j = 0; j < count; j++) {
      double z = root[j], scale = side / (1.0 + z * z);
      offer_slip(k, scale * (1.0 - z * z), scale * 2.0 * z);
    }
  }
}

// In the frictional cone every reaction r has u_N >= c_N + r_N (a - |W_NT|).
static bool only_open(const one_contact *k) {
  double row[N] = {0.0};
  for (int j = 0; j < k->n; j++) row[j] = k->W[k->n * j];
  return k->c[0] >= 0.0 && row[0] >= tangent_norm(k->n, row);
}

// Stick where W is singular: a line of answers ends on the boundary of the cone, where slip with
// lambda = 0 finds it; only what is nearer to the start, and planes, need a word of their own.
static void offer_singular_stick(one_contact *k, const spectrum *s) {
  // The start, moved by the eigenvectors from `first` on to where W r = -c: with a singular W, the
  // stick nearest to it. Two passes, as W may be slightly unsymmetric.
  for (int first = 1; first < k->n && s->value[first] > 0.0; first++) {
    double r[N];
    memcpy(r, k->start, (size_t)k->n * sizeof *r);
    for (int pass = 0; pass < 2; pass++) {
      motion m = move_along(k, r);
      for (int e = first; e < k->n; e++) {
        double step = dot_scaled(k, s, e, m.u) / s->value[e];
        for (int i = 0; i < k->n; i++) r[i] -= step * s->vector[i + k->n * e] / s->S[i];
      }
    }
    offer(k, r);
  }
  if (k->n == 3 && s->value[2] > 0.0) offer_null_plane(k, s);
}

// The violation of r = 0.
static double approach(const one_contact *k) {
  double speed = DBL_MIN;
  for (int i = 0; i < k->n; i++) speed = fmax(speed, fabs(k->c[i]) / k->D[i]);
  return fmax(-k->c[0], 0.0) / speed;
}

bool stc_cone_solve_weighted(int dim, const double *W, const double *c, const double *D,
                             double *r) {
  const double zero[N] = {0.0};
  double start[N];
  memcpy(start, r, (size_t)dim * sizeof *r);
  one_contact k = {.n = dim, .W = W, .c = c, .D = D, .start = start};
  k.violation = 2.0 * REFUSED;
  if (c[0] >= 0.0) offer_judged(&k, zero, 0.0);
  if (!only_open(&k)) {
    spectrum s = decompose(&k);
    k.regular = s.value[0] > REGULAR;
    offer_stick(&k);
    if (!k.regular) offer_singular_stick(&k, &s);
    if (k.n == 2) {
      for (int sign = -1; sign <= 1; sign += 2) {
        double r_N = -k.c[0] / (k.W[0] + sign * k.W[2]);
        if (r_N > 0.0 && isfinite(r_N)) offer(&k, (double[]){r_N, sign * r_N});
      }
    }
    if (k.n == 3) offer_slips_3d(&k);
  }
  if (grade(k.violation) > 0) offer_judged(&k, zero, approach(&k));
  memcpy(r, k.r, (size_t)dim * sizeof *r);
  return grade(k.violation) < 2;
}
