// Asking the caller for M(q), Q(t, q, u), V(t, q) and the walls; NaN and infinite values are
// refused.
#include "../../base/fail.h"
#include "../../base/number.h"
#include "simulation.h"

#include <math.h>
#include <string.h>

/// A callback returned false: its own sentence stands if it left one.
static stc_error stopped(const char *what, double t) {
  if (stc_error_detail()[0] != '\0') return STC_ERR_CALLBACK;
  return stc_fail(STC_ERR_CALLBACK, "the %s callback stopped the run at t = %g", what, t);
}

static stc_error check_finite(const char *what, double t, const double *x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return stc_fail(STC_ERR_VALUE, "%s[%d] = %g at t = %g; the callback must give finite numbers",
                      what, i, x[i], t);
  return STC_OK;
}

stc_error stc_fail_wall(stc_error error, int j) {
  return error ? stc_fail(error, "wall %d: %s", j, stc_error_detail()) : STC_OK;
}

stc_error stc_ask_mass(stc_simulation *s, double t, const double *q) {
  memset(s->mass.asked, 0, s->mass.count * sizeof *s->mass.asked);
  if (!s->system.mass(s->system.user, t, q, s->mass.asked)) return stopped("mass", t);
  return stc_mass_check(&s->mass, t);
}

stc_error stc_ask_force(stc_simulation *s, double t, const double *q, const double *u, double *Q) {
  memset(Q, 0, (size_t)s->system.dofs * sizeof *Q);
  if (!s->system.force(s->system.user, t, q, u, Q)) return stopped("force", t);
  return check_finite("force", t, Q, s->system.dofs);
}

stc_error stc_ask_potential(stc_simulation *s, double t, const double *q, double *V) {
  *V = 0;
  if (!s->system.potential) return STC_OK;
  if (!s->system.potential(s->system.user, t, q, V)) return stopped("potential", t);
  if (isfinite(*V)) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "potential = %g at t = %g; the callback must give a finite number",
                  *V, t);
}

static stc_error check_rest(const stc_simulation *s, double t) {
  const stc_wall *wall = &s->wall;
  int dofs = s->system.dofs, tangents = s->system.dim - 1;
  if (wall->tangents != 0 && wall->tangents != tangents)
    return stc_fail(STC_ERR_DIMENSION, "%d tangents; give %d, or 0 for a point in space",
                    wall->tangents, tangents);
  STC_TRY(check_finite("tangent", t, wall->tangent, wall->tangents * dofs));
  if (!(wall->restitution >= 0 && wall->restitution <= 1))
    return stc_fail(STC_ERR_VALUE, "restitution = %g at t = %g; give a number from 0 to 1",
                    wall->restitution, t);
  return STC_OK;
}

static stc_error check_wall(const stc_simulation *s, double t, stc_wall_part part) {
  int dofs = s->system.dofs;
  if (part == STC_WALL_VELOCITY) return check_finite("velocity", t, s->wall.velocity, dofs);
  STC_TRY(check_finite("f", t, &s->wall.f, 1));
  STC_TRY(check_finite("gradient", t, s->wall.gradient, dofs));
  return part == STC_WALL_ALL ? check_rest(s, t) : STC_OK;
}

stc_error stc_ask_wall(stc_simulation *s, int j, double t, const double *q, stc_wall_part part) {
  char name[32];
  // A wall that sets nothing: the arrays that `part` reads are zeros. mu = NAN stands for a
  // coefficient that was left alone.
  size_t bytes = (size_t)s->system.dofs * sizeof(double);
  stc_wall *wall = &s->wall;
  memset(wall->gradient, 0, bytes);
  if (part != STC_WALL_GAP) memset(wall->velocity, 0, bytes);
  if (part == STC_WALL_ALL) memset(wall->tangent, 0, (STC_MAX_DIM - 1) * bytes);
  *wall = (stc_wall){.gradient = wall->gradient,
                     .tangent = wall->tangent,
                     .velocity = wall->velocity,
                     .law = {.kind = STC_LAW_FRICTIONLESS, .dim = s->system.dim},
                     .coefficient = {.kind = STC_COEFFICIENT_CONSTANT, .mu_s = NAN}};
  if (s->system.wall(s->system.user, j, t, q, part, &s->wall))
    return stc_fail_wall(check_wall(s, t, part), j);
  stc_snprintf(name, sizeof name, "wall %d", j);
  return stopped(name, t);
}

stc_error stc_ask_law(stc_simulation *s, int j, const stc_contact_past *past, stc_law *law) {
  char name[32];
  if (s->system.law(s->system.user, j, past, law)) return STC_OK;
  stc_snprintf(name, sizeof name, "law of wall %d", j);
  return stopped(name, past->t);
}
