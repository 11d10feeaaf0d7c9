// The Coulomb law as textbooks state it: the distance of (u, r) to take-off, stick and slip.
#include "textbook.h"

#include <math.h>

static double max3(double x, double y, double z) { return fmax(x, fmax(y, z)); }

// r = 0, u_N >= 0.
static double take_off(int dim, double speed, const double *u, const double *r) {
  for (int k = 0; k < dim; k++)
    if (r[k] != 0.0) return INFINITY;
  return fmax(-u[0], 0.0) / speed;
}

// |D^-1 r_T| / r_N: below 1 inside the cone, infinity where r_N or mu = 0 forbid what is there.
static double friction_used(int dim, const double *mu, const double *r) {
  double used = 0.0;
  if (r[0] < 0.0) return INFINITY;
  for (int k = 1; k < dim; k++) {
    if (r[k] == 0.0) continue;
    if (r[0] == 0.0 || mu[k - 1] == 0.0) return INFINITY;
    used = hypot(used, r[k] / r[0] / mu[k - 1]);
  }
  return used;
}

// u = 0 along the normal and the tangents with friction, r in the cone.
static double stick(int dim, const double *mu, double speed, const double *u, const double *r) {
  double moving = fabs(u[0]);
  for (int k = 1; k < dim; k++)
    if (mu[k - 1] > 0.0) moving = fmax(moving, fabs(u[k]));
  return fmax(moving / speed, friction_used(dim, mu, r) - 1.0);
}

// u_N = 0, r on the boundary of the cone, D^-1 r_T opposed to D u_T. The angle between the two
// counts as the velocity it makes: a direction of a tiny u_T is only known to that accuracy.
static double slip(int dim, const double *mu, double speed, const double *u, const double *r) {
  double sliding = 0.0, most = 0.0, angle = 0.0, used = friction_used(dim, mu, r);
  for (int k = 1; k < dim; k++) {
    sliding = hypot(sliding, mu[k - 1] * u[k]);
    most = fmax(most, mu[k - 1]);
  }
  if (!(sliding > 0.0) || !(r[0] > 0.0) || !isfinite(used)) return INFINITY;
  for (int k = 1; k < dim; k++)
    if (mu[k - 1] > 0.0) angle = hypot(angle, r[k] / r[0] / mu[k - 1] + mu[k - 1] * u[k] / sliding);
  return max3(fabs(u[0]) / speed, fabs(used - 1.0), angle * (sliding / most / speed));
}

double textbook_distance(int dim, const double *mu, double speed, const double *u, const double *r,
                         textbook_mode *mode) {
  const double distance[] = {take_off(dim, speed, u, r), stick(dim, mu, speed, u, r),
                             slip(dim, mu, speed, u, r)};
  const textbook_mode modes[] = {TEXTBOOK_TAKE_OFF, TEXTBOOK_STICK, TEXTBOOK_SLIP};
  double best = INFINITY;
  *mode = TEXTBOOK_NONE;
  for (int k = 0; k < 3; k++) {
    if (!(distance[k] < best)) continue;
    best = distance[k];
    *mode = modes[k];
  }
  return best;
}

double textbook_contact(int dim, const double *mu, const double *W, const double *q,
                        const double *r, textbook_mode *mode) {
  const double rounding = 1e-5, jammed = 1e10;
  double u[3], speed = 0.0, terms = 0.0;
  *mode = TEXTBOOK_NONE;
  for (int i = 0; i < dim; i++) {
    double row = 0.0;
    u[i] = q[i];
    for (int j = 0; j < dim; j++) {
      u[i] += W[i + dim * j] * r[j];
      row += fabs(W[i + dim * j] * r[j]);
    }
    terms = fmax(terms, row);
    speed = max3(speed, fabs(q[i]), fabs(u[i]));
  }
  if (!isfinite(terms) || terms > jammed * speed) return INFINITY;
  speed += rounding * terms;
  return speed > 0.0 ? textbook_distance(dim, mu, speed, u, r, mode)
                     : textbook_distance(dim, mu, 1.0, u, r, mode);
}
