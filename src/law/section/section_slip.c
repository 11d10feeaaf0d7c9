// Where a contact may slip on the boundary of its section, mode by mode: with p in mu S, n its
// normal and t across it,
//   corner  r = r_N (1, p),               u_N = 0
//   edge    r = r_N (1, p) + (0, tau t),  u_N = 0, u_T . t = 0
//   arc     r = r_N (1, p(n)),            u_N = 0, n x u_T = 0:  n x [q_T (W_NN + W_NT . p)
//           - q_N (W_TN + W_TT p)] = 0, whose roots are bracketed between directions
// Whether the signs are right is for the caller to judge.
#include "section_slip.h"

#include <math.h>

static void scaled_point(const stc_law *law, int arc, bool end, double p[2]) {
  double mu = stc_law_mu(law, 0);
  (end ? stc_curve_arc_end : stc_curve_arc_start)(law->section, arc, p);
  p[0] *= mu, p[1] *= mu;
}

// r = r_N (1, p) with u_N = 0; false where nothing presses.
static bool press(const double *W, const double *q, const double p[2], double *r) {
  r[0] = -q[0] / (W[0] + W[3] * p[0] + W[6] * p[1]);
  r[1] = r[0] * p[0], r[2] = r[0] * p[1];
  return r[0] > 0.0 && isfinite(r[0]);
}

static bool slip_on_edge(const stc_law *law, const double *W, const double *q, int arc, double *r) {
  const double *n = law->section->normal + 2 * arc;
  double p[2], first[3], second[3];
  scaled_point(law, arc, false, p);
  for (int i = 0; i < 3; i++) {
    first[i] = W[i] + W[i + 3] * p[0] + W[i + 6] * p[1];
    second[i] = -W[i + 3] * n[1] + W[i + 6] * n[0];
  }
  double a11 = first[0], a12 = second[0], b1 = -q[0];
  double a21 = -first[1] * n[1] + first[2] * n[0], a22 = -second[1] * n[1] + second[2] * n[0];
  double b2 = q[1] * n[1] - q[2] * n[0], det = a11 * a22 - a12 * a21;
  double r_N = (b1 * a22 - a12 * b2) / det, tau = (a11 * b2 - a21 * b1) / det;
  r[0] = r_N;
  r[1] = r_N * p[0] - tau * n[1];
  r[2] = r_N * p[1] + tau * n[0];
  return r_N > 0.0 && isfinite(r[1]) && isfinite(r[2]);
}

// The function whose roots on an arc are slips in the direction of its normal.
static double slip_defect(const stc_law *law, const double *W, const double *q, int arc,
                          double angle, double p[2]) {
  const stc_cone_section *s = law->section;
  double n[2] = {cos(angle), sin(angle)}, mu = stc_law_mu(law, 0);
  for (int k = 0; k < 2; k++) p[k] = mu * (s->centre[2 * arc + k] + s->radius[arc] * n[k]);
  double pressed = W[0] + W[3] * p[0] + W[6] * p[1];
  double x = q[1] * pressed - q[0] * (W[1] + W[4] * p[0] + W[7] * p[1]);
  double y = q[2] * pressed - q[0] * (W[2] + W[5] * p[0] + W[8] * p[1]);
  return n[0] * y - n[1] * x;
}

// Roots between directions so near that there is one at most.
static int slips_on_arc(const stc_law *law, const double *W, const double *q, int arc,
                        double r[][3]) {
  const double *angle = law->section->angle + arc;
  const double part = 0.1, turn = angle[1] - angle[0];
  const int bisections = 50, parts = (int)ceil(fmax(turn, 1e-300) / part);
  int found = 0;
  double p[2], before = slip_defect(law, W, q, arc, angle[0], p);
  for (int k = 0; k < parts && found < STC_SECTION_SLIPS - 1; k++) {
    double low = angle[0] + turn * k / parts, high = angle[0] + turn * (k + 1) / parts;
    double after = slip_defect(law, W, q, arc, high, p), rising = after > before ? 1.0 : -1.0;
    bool changes = (before <= 0.0 && after > 0.0) || (before > 0.0 && after <= 0.0);
    before = after;
    if (!changes) continue;
    for (int b = 0; b < bisections; b++) {
      double middle = 0.5 * (low + high), defect = slip_defect(law, W, q, arc, middle, p);
      *(rising * defect > 0.0 ? &high : &low) = middle;
    }
    slip_defect(law, W, q, arc, low, p);
    found += press(W, q, p, r[found]);
  }
  return found;
}

static bool slip_to_end(const double *W, const double *q, double p, double *r) {
  r[0] = -q[0] / (W[0] + W[2] * p);
  r[1] = r[0] * p;
  return r[0] > 0.0 && isfinite(r[0]);
}

int stc_section_pieces(const stc_law *law) { return law->dim == 3 ? law->section->arcs : 1; }

int stc_section_slips(const stc_law *law, const double *W, const double *q, int piece,
                      double r[][3]) {
  int found = 0;
  double p[2], mu = stc_law_mu(law, 0);
  if (law->dim == 2) {
    found += slip_to_end(W, q, mu * law->section->low, r[found]);
    found += slip_to_end(W, q, mu * law->section->high, r[found]);
    return found;
  }
  if (law->section->radius[piece] > 0.0) {
    found += slips_on_arc(law, W, q, piece, r);
  } else {
    scaled_point(law, piece, false, p);
    found += press(W, q, p, r[found]);
  }
  found += slip_on_edge(law, W, q, piece, r[found]);
  return found;
}
