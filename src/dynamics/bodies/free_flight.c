// Free flight over k = h/2: x + k v, and for the rotation the midpoint rule with Cayley's map,
//   2 J (m - omega) + k m x J m = 0,   rotation by cay(k m),   omega+ = 2 m - omega,
// which keeps the energy and the angular momentum in space exactly   [Simo and Wong 1991].
#include "world_data.h"

#include <float.h>

// Newton's method for m converges quadratically from omega; more steps than this mean that the body
// rotates too far in a step.
enum { NEWTON_STEPS = 30 };  // [bound]

// m is found when its change is rounding, against omega.
static const double SMALL_CHANGE = 4 * DBL_EPSILON;

/// F = 2 J (m - omega) + k m x J m, and its Jacobian A = 2 J + k (m^ J - (J m)^).
static void equation(const double J[9], double k, const double omega[3], const double m[3],
                     double F[3], double A[9]) {
  double change[3], momentum[3], gyroscopic[3];
  stc_sub3(m, omega, change);
  stc_mul3(J, change, F);
  stc_mul3(J, m, momentum);
  stc_cross3(m, momentum, gyroscopic);
  for (int i = 0; i < 3; i++) F[i] = 2 * F[i] + k * gyroscopic[i];
  for (int j = 0; j < 3; j++) {
    double column[3] = {J[j], J[3 + j], J[6 + j]}, e[3] = {j == 0, j == 1, j == 2}, a[3], b[3];
    stc_cross3(m, column, a);
    stc_cross3(momentum, e, b);
    for (int i = 0; i < 3; i++) A[3 * i + j] = 2 * J[3 * i + j] + k * (a[i] - b[i]);
  }
}

/// Mean angular velocity m of a flight over k; false where it is not found.
static bool find_mean_rate(const double J[9], double k, const double omega[3], double m[3]) {
  memcpy(m, omega, 3 * sizeof *m);
  for (int step = 0; step < NEWTON_STEPS; step++) {
    double F[3], A[9], d[3];
    equation(J, k, omega, m, F, A);
    if (!stc_solve3(A, F, d)) return false;
    stc_add3(m, -1, d);
    if (stc_norm3(d) <= SMALL_CHANGE * stc_norm3(omega)) return true;
  }
  return false;
}

static bool turns_evenly(const stc_world *world, const stc_body_data *node) {
  const double *J = node->inertia;
  bool ball = J[0] == J[4] && J[4] == J[8] && J[1] == 0 && J[2] == 0 && J[5] == 0;
  return world->settings.plane || node->dof < 0 || ball;
}

static bool rests(const stc_place *place) {
  for (int i = 0; i < 3; i++)
    if (place->v[i] != 0 || place->omega[i] != 0) return false;
  return true;
}

static stc_error fly_body(const stc_world *world, int b, double k, stc_place *place) {
  const stc_body_data *node = &STC_NODES(world)[b];
  double m[3], angle[3];
  if (rests(place)) return STC_OK;
  stc_add3(place->x, k, place->v);
  memcpy(m, place->omega, sizeof m);
  if (!turns_evenly(world, node)) {
    if (!find_mean_rate(node->inertia, k, place->omega, m))
      return stc_fail(STC_ERR_VALUE,
                      "body %s rotates at %g rad/s, too fast for steps of %g s; take a smaller h",
                      node->name, stc_norm3(place->omega), world->settings.h);
    for (int i = 0; i < 3; i++) place->omega[i] = 2 * m[i] - place->omega[i];
  }
  for (int i = 0; i < 3; i++) angle[i] = k * m[i];
  stc_rotation_by(place->rotation, angle, node->dof >= 0);
  return STC_OK;
}

/// Bodies that joints hold fly together, after the others.
static bool is_joined(const stc_world *world, int b) {
  return world->links > 0 && ((const int *)world->member.data)[b] >= 0;
}

stc_error stc_world_fly(stc_world *world, const stc_place *from, stc_place *to) {
  if (world->links > 0) memcpy(world->origin.data, from, (size_t)world->bodies * sizeof(stc_place));
  for (int b = 0; b < world->bodies; b++) {
    to[b] = from[b];
    if (!is_joined(world, b) && !STC_NODES(world)[b].out)
      STC_TRY(fly_body(world, b, world->settings.h / 2, &to[b]));
  }
  return stc_world_fly_joined(world, to);
}
