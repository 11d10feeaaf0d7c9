// Friction of an elliptic Hertz patch, x^2/a^2 + y^2/b^2 <= 1, that slides with v and spins with
// omega: D(v, omega), the integral over the patch of pressure times |velocity|, and its gradient.
// In xi = x/a, eta = y/b the patch is the unit disc; of the lines e = (cos phi, sin phi) through
// the instantaneous centre each has a chord with the signed distance m from the middle of the disc,
// the half length h = sqrt(1 - m^2), and c from the instantaneous centre to its middle. Along a
// line the direction d = (-b sin phi, a cos phi)/s of the velocity, s = |(a cos phi, b sin phi)|,
// does not change, and the pressure (3/2 pi) sqrt(1 - xi^2 - eta^2) leaves   [Zhuravlev 1998 for a
// = b]
//   F = 3/4 int d h^2 c dphi,
//   M = 3/4 int h^2 (m c sin phi cos phi (a^2 - b^2)/s + s h^2/4) dphi,   D = v . F + omega M.
// The lines are all of a half turn for a centre inside; outside c dphi = dm, -1 < m < 1.
#include <stiction/law.h>

#include <math.h>

static const double PI = 3.14159265358979323846;

typedef struct patch_sums {
  double axes[2], F[2], M;
} patch_sums;

// The line e with the weight h^2 c dphi; `wide` is h^2 h^2 dphi / 4.
static void add_chord(patch_sums *p, const double e[2], double m, double weight, double wide) {
  double a = p->axes[0], b = p->axes[1], s = hypot(a * e[0], b * e[1]);
  p->F[0] -= weight * b * e[1] / s;
  p->F[1] += weight * a * e[0] / s;
  p->M += weight * m * e[0] * e[1] * (a - b) * (a + b) / s + wide * s;
}

// Smooth and periodic: the trapezoidal rule.
static void sum_inside(patch_sums *p, const double centre[2], int lines) {
  for (int i = 0; i < lines; i++) {
    double phi = PI * i / lines, e[2] = {cos(phi), sin(phi)}, dphi = PI / lines;
    double m = centre[0] * e[1] - centre[1] * e[0], c = -centre[0] * e[0] - centre[1] * e[1];
    double hh = fmax(0.0, (1.0 - m) * (1.0 + m));
    add_chord(p, e, m, hh * c * dphi, 0.25 * hh * hh * dphi);
  }
}

// Where the centre is near the rim c vanishes at the ends of the range: m = tanh(pi/2 sinh(tau))
// [Takahasi and Mori 1974].
static void sum_outside(patch_sums *p, const double centre[2], double k, int per_unit) {
  const int reach = 3 * per_unit;  // beyond that h^2 is below 1e-13 squared
  double toward[2] = {-centre[0] / k, -centre[1] / k};
  for (int i = -reach; i <= reach; i++) {
    double tau = (double)i / per_unit, u = 0.5 * PI * sinh(tau), m = tanh(u);
    double hh = 1.0 / (cosh(u) * cosh(u)), dm = hh * 0.5 * PI * cosh(tau) / per_unit;
    double c = sqrt((k - 1.0) * (k + 1.0) + hh), sine = -m / k, cosine = c / k;
    double e[2] = {toward[0] * cosine - toward[1] * sine, toward[1] * cosine + toward[0] * sine};
    add_chord(p, e, m, hh * dm, c > 0.0 ? 0.25 * hh * hh * dm / c : 0.0);
  }
}

double stc_contensou_ellipse(const double axes[2], const double v[2], double omega, double F[2],
                             double *M) {
  // Lines, and points for each unit of tau, that leave rounding for a circle; a flat ellipse needs
  // more in proportion.
  const double lines = 32.0, points = 16.0, flattest = 1000.0, far = 1e12;
  double a = axes[0], b = axes[1], speed = hypot(v[0], v[1]), size = fabs(omega);
  double centre[2] = {-v[1] / (size * a), v[0] / (size * b)}, k = hypot(centre[0], centre[1]);
  double ratio = fmin(flattest, fmax(a / b, b / a));
  F[0] = F[1] = *M = 0.0;
  if (speed == 0.0 && size == 0.0) return 0.0;
  if (!(k < far)) {
    for (int i = 0; i < 2; i++) F[i] = v[i] / speed;
    return speed;
  }
  patch_sums p = {.axes = {a, b}};
  if (omega < 0.0) centre[0] = -centre[0], centre[1] = -centre[1];
  if (k < 1.0)
    sum_inside(&p, centre, (int)ceil(lines * ratio));
  else
    sum_outside(&p, centre, k, (int)ceil(points * ratio));
  for (int i = 0; i < 2; i++) F[i] = copysign(0.75, omega) * p.F[i];
  *M = copysign(0.75, omega) * p.M;
  return v[0] * F[0] + v[1] * F[1] + omega * *M;
}
