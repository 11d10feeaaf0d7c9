// The ball of radius R that slides with v and spins with u = R omega on a plane [Zhuravlev 1998,
// section 3]: with the patch eps = ratio R, k = v / (ratio u) and s = mu g t
//   dv/ds = -7/2 F(k),   du/ds = -5/2 ratio M(k)                                    (3.3) in u, v
// for the exact F and M or the fractions of the paper. Its first integral for the fractions is
//   ln v + 7/(7 - m) ln q + (14/(14 - 5 m) - 7/(7 - m)) ln(A q + B),   q = u / v, m = ratio^2,
//   A = 8 ratio (14 - 5 m),  B = 15 pi (7 - m).
#include <stiction/law.h>

#include <math.h>

static const double PI = 3.14159265358979323846;

void stc_contensou_scaled(double v, double w, double *F, double *M) {
  double sum = fabs(v) + fabs(w), moment = 2.0 * fabs(w) + 5.0 * fabs(v);
  *F = sum > 0.0 ? v / sum : 0.0;
  *M = moment > 0.0 ? 2.0 * w / moment : 0.0;
}

void stc_contensou_ball(double ratio, bool pade, double u, double v, double *du, double *dv) {
  double F = 0.0, M = 0.0, slide = fabs(v), spin = ratio * fabs(u);
  if (slide > 0.0 || spin > 0.0)
    (pade ? stc_contensou_pade : stc_contensou)(spin > 0.0 ? slide / spin : INFINITY, &F, &M);
  *dv = -3.5 * copysign(F, v);
  *du = -2.5 * ratio * copysign(M, u);
}

double stc_contensou_ball_integral(double ratio, double u, double v) {
  double m = ratio * ratio, A = 8.0 * ratio * (14.0 - 5.0 * m), B = 15.0 * PI * (7.0 - m);
  double q = u / v, first = 7.0 / (7.0 - m), second = 14.0 / (14.0 - 5.0 * m) - first;
  return log(v) + first * log(q) + second * log(fabs(A * q + B));
}

// --- The stop by quadrature, in d sigma = ds / |(u, v)|, in which what is left decays steadily ---

enum { U, V, S, UNKNOWNS };

typedef struct ball_motion {
  double ratio;
  bool pade;
} ball_motion;

static void ball_rates(const ball_motion *b, const double *y, double *rate) {
  double size = hypot(y[U], y[V]);
  stc_contensou_ball(b->ratio, b->pade, y[U], y[V], &rate[U], &rate[V]);
  rate[U] *= size;
  rate[V] *= size;
  rate[S] = size;
}

// A step of Runge and Kutta with Dormand's and Prince's coefficients; returns the largest relative
// difference between the orders 5 and 4.
static double ball_step(const ball_motion *b, double h, const double *y, double *next) {
  static const double a[7][6] = {
      {0},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static const double less[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                 -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  double rate[7][UNKNOWNS], worst = 0.0;
  for (int stage = 0; stage < 7; stage++) {
    for (int k = 0; k < UNKNOWNS; k++) {
      next[k] = y[k];
      for (int j = 0; j < stage; j++) next[k] += h * a[stage][j] * rate[j][k];
    }
    if (next[U] < 0.0 || next[V] < 0.0) return INFINITY;
    ball_rates(b, next, rate[stage]);
  }
  for (int k = 0; k < UNKNOWNS; k++) {
    double error = 0.0;
    for (int j = 0; j < 7; j++) error += h * less[j] * rate[j][k];
    if (next[k] > 0.0) worst = fmax(worst, fabs(error) / next[k]);
  }
  return worst;
}

double stc_contensou_ball_stop(double ratio, bool pade, double u, double v) {
  const double least = 1e-9, gone = 1e-17, tolerance = 1e-13, at_rest = 3.0 * PI / 16.0;
  const int most_steps = 100000;
  ball_motion b = {ratio, pade};
  double y[UNKNOWNS] = {[U] = fabs(u), [V] = fabs(v)}, start = hypot(u, v), h = 1e-3;
  if (!(ratio > 0.0) || y[U] == 0.0) return y[U] > 0.0 ? INFINITY : y[V] / 3.5;
  // Where next to nothing slides any more the moment is that of rest, but for k.
  for (int step = 0; step < most_steps && y[V] > least * ratio * y[U]; step++) {
    double next[UNKNOWNS], error = ball_step(&b, h, y, next);
    if (error <= tolerance)
      for (int k = 0; k < UNKNOWNS; k++) y[k] = next[k];
    h *= fmin(4.0, fmax(0.1, 0.9 * pow(tolerance / fmax(error, 1e-20), 0.2)));
    if (hypot(y[U], y[V]) <= gone * start) return y[S];
  }
  return y[S] + y[U] / (2.5 * ratio * at_rest);
}

// --- Hertz ---

double stc_contensou_radius(double N, double R, double stiffness) {
  return cbrt(0.75 * N * R / stiffness);
}

double stc_hertz_patch_radius(const stc_hertz_patch *patch, const stc_contact_past *past) {
  double N = past->force > 0.0 ? past->force : patch->load;
  return stc_contensou_radius(N, patch->R, patch->stiffness);
}
