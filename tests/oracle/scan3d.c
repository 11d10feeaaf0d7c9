// One contact in space: r = r_N (1, -mu d), u_T along d for a slip in the direction d. With
//   D(d) = W_NN - mu W_NT.d,   r_N = -q_N / D,   u_T = q_T + r_N (W_TN - mu W_TT d)
// u_T is along d or against it where d x (D u_T) = 0, a trigonometric polynomial of degree 2 in the
// angle of d, with four zeros at most.
#include "scan3d.h"

#include <math.h>
#include <string.h>

// Of the data, which are of size 1: what may become zero, and what is.
static const double CLOSE = 1e-6, NOTHING = 1e-12;

typedef struct slip {
  double d[2], D, r_N, across;
  double u[3];
} slip;

static slip slip_at(const double *W, const double *q, double mu, double angle) {
  slip s = {.d = {cos(angle), sin(angle)}};
  double Du[2];
  s.D = W[0] - mu * (W[1] * s.d[0] + W[2] * s.d[1]);
  s.r_N = -q[0] / s.D;
  for (int k = 0; k < 2; k++) {
    double push = W[3 * (k + 1)] - mu * (W[3 * (k + 1) + 1] * s.d[0] + W[3 * (k + 1) + 2] * s.d[1]);
    Du[k] = s.D * q[1 + k] - q[0] * push;
    s.u[1 + k] = Du[k] / s.D;
  }
  s.across = s.d[0] * Du[1] - s.d[1] * Du[0];
  return s;
}

static void keep(scan3d_solutions *all, const double *u, const double *r) {
  memcpy(all->u[all->count], u, 3 * sizeof *u);
  memcpy(all->r[all->count++], r, 3 * sizeof *r);
}

// A zero of `across` is a slip if r presses and u goes along d.
static void keep_slip(scan3d_solutions *all, const slip *s, double mu) {
  double along = s->d[0] * s->u[1] + s->d[1] * s->u[2];
  double r[3] = {s->r_N, -mu * s->r_N * s->d[0], -mu * s->r_N * s->d[1]};
  if (fabs(s->D) < NOTHING) return;  // D u_T vanishes with D: the reaction is infinite
  if (fabs(s->D) < CLOSE || fabs(s->r_N) < CLOSE || fabs(along) < CLOSE) all->clear = false;
  if (s->r_N > 0.0 && along > 0.0) keep(all, s->u, r);
}

static void scan_slips(const double *W, const double *q, double mu, scan3d_solutions *all) {
  const int steps = 4000;  // four zeros: two of them closer than a step are not clear
  const double step = 2.0 * acos(-1.0) / steps;
  double last = slip_at(W, q, mu, -0.5 * step).across, most = 0.0, least = INFINITY;
  for (int k = 0; k < steps; k++) {
    double low = (k - 0.5) * step, high = low + step, here = slip_at(W, q, mu, high).across;
    most = fmax(most, fabs(here));
    // an extremum near zero: two zeros may hide between two steps
    double slope = slip_at(W, q, mu, high + step).across - here;
    if ((here - last) * slope <= 0.0) least = fmin(least, fabs(here));
    for (int i = 0; last * here < 0.0 && i < 60; i++) {
      double middle = 0.5 * (low + high), value = slip_at(W, q, mu, middle).across;
      if (value * last > 0.0)
        low = middle;
      else
        high = middle;
    }
    slip s = slip_at(W, q, mu, 0.5 * (low + high));
    if (last * here < 0.0) keep_slip(all, &s, mu);
    last = here;
  }
  if (least < CLOSE * most) all->clear = false;
}

// r = -W^-1 q by Cramer's rule, if it is in the cone.
static void try_stick(const double *W, const double *q, double mu, scan3d_solutions *all) {
  double r[3], u[3] = {0.0, 0.0, 0.0}, det = 0.0;
  for (int k = -1; k < 3; k++) {
    double A[9];
    memcpy(A, W, sizeof A);
    for (int i = 0; k >= 0 && i < 3; i++) A[3 * i + k] = -q[i];
    double value = A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
                   A[2] * (A[3] * A[7] - A[4] * A[6]);
    if (k < 0)
      det = value;
    else
      r[k] = value / det;
  }
  double inside = mu * r[0] - hypot(r[1], r[2]);
  if (fabs(inside) < CLOSE || fabs(det) < CLOSE) all->clear = false;
  if (inside > 0.0) keep(all, u, r);
}

scan3d_solutions scan3d_all(const double *W, const double *q, double mu, bool regular) {
  scan3d_solutions all = {.clear = fabs(q[0]) > CLOSE};
  const double zero[3] = {0.0, 0.0, 0.0};
  if (q[0] >= 0.0) keep(&all, q, zero);
  if (regular) try_stick(W, q, mu, &all);
  scan_slips(W, q, mu, &all);
  return all;
}
