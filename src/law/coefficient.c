// Coefficients of friction that depend on the speed v of sliding or on the distance d slid so far.
//   static-kinetic  mu_s where v <= v_c, else mu_k           slip-weakening  mu_k + (mu_s - mu_k)
//   stribeck  mu_k + (mu_s - mu_k) exp(-(v / v_c)^exponent)                  max(0, 1 - d /
//   distance)
#include <stiction/law.h>

#include "../base/fail.h"

#include <assert.h>
#include <math.h>

static double constant(const stc_coefficient *c, double speed, double slip) {
  (void)speed, (void)slip;
  return c->mu_s;
}

static double static_kinetic(const stc_coefficient *c, double speed, double slip) {
  (void)slip;
  return speed <= c->v_c ? c->mu_s : c->mu_k;
}

static double stribeck(const stc_coefficient *c, double speed, double slip) {
  (void)slip;
  return c->mu_k + (c->mu_s - c->mu_k) * exp(-pow(speed / c->v_c, c->exponent));
}

static double slip_weakening(const stc_coefficient *c, double speed, double slip) {
  (void)speed;
  return slip < c->distance ? c->mu_s + (c->mu_k - c->mu_s) * (slip / c->distance) : c->mu_k;
}

static double table(const stc_coefficient *c, double speed, double slip) {
  (void)slip;
  int low = 0, high = c->points - 1;
  if (!(speed > c->speed[low])) return c->mu[low];
  if (speed >= c->speed[high]) return c->mu[high];
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    *(speed < c->speed[middle] ? &high : &low) = middle;
  }
  double part = (speed - c->speed[low]) / (c->speed[high] - c->speed[low]);
  return c->mu[low] + part * (c->mu[high] - c->mu[low]);
}

// What a kind needs besides mu_s.
enum needs { KINETIC = 1, SPEED = 2, POSITIVE_SPEED = 4, EXPONENT = 8, DISTANCE = 16 };

typedef struct model {
  const char *name, *summary;
  double (*mu)(const stc_coefficient *c, double speed, double slip);  // NULL: the caller's own
  unsigned needs;
} model;

static const model models[] = {
    [STC_COEFFICIENT_CONSTANT] = {"constant", "one coefficient", constant, 0},
    [STC_COEFFICIENT_STATIC_KINETIC] = {"static-kinetic",
                                        "mu_s at rest, mu_k once the contact slides",
                                        static_kinetic, KINETIC | SPEED},
    [STC_COEFFICIENT_STRIBECK] = {"stribeck", "falls from mu_s to mu_k with the speed of sliding",
                                  stribeck, KINETIC | POSITIVE_SPEED | EXPONENT},
    [STC_COEFFICIENT_SLIP_WEAKENING] = {"slip-weakening",
                                        "falls from mu_s to mu_k over a distance of sliding",
                                        slip_weakening, KINETIC | DISTANCE},
    [STC_COEFFICIENT_TABLE] = {"table", "straight lines between measured points", table, 0},
    [STC_COEFFICIENT_FUNCTION] = {"function", "a function of what the contact did before", NULL, 0},
};

enum { MODELS = sizeof models / sizeof *models };

static bool known_coefficient(int kind) { return kind >= 0 && kind < MODELS; }

const char *stc_coefficient_name(int kind) {
  return known_coefficient(kind) ? models[kind].name : NULL;
}
const char *stc_coefficient_summary(int kind) {
  return known_coefficient(kind) ? models[kind].summary : NULL;
}

stc_coefficient stc_coefficient_constant(double mu) {
  return (stc_coefficient){.kind = STC_COEFFICIENT_CONSTANT, .mu_s = mu, .mu_k = mu};
}

stc_coefficient stc_coefficient_static_kinetic(double mu_s, double mu_k, double v_c) {
  return (stc_coefficient){
      .kind = STC_COEFFICIENT_STATIC_KINETIC, .mu_s = mu_s, .mu_k = mu_k, .v_c = v_c};
}

stc_coefficient stc_coefficient_stribeck(double mu_s, double mu_k, double v_c, double exponent) {
  return (stc_coefficient){.kind = STC_COEFFICIENT_STRIBECK,
                           .mu_s = mu_s,
                           .mu_k = mu_k,
                           .v_c = v_c,
                           .exponent = exponent};
}

stc_coefficient stc_coefficient_slip_weakening(double mu_s, double mu_k, double distance) {
  return (stc_coefficient){
      .kind = STC_COEFFICIENT_SLIP_WEAKENING, .mu_s = mu_s, .mu_k = mu_k, .distance = distance};
}

stc_coefficient stc_coefficient_table(int points, const double *speed, const double *mu) {
  return (stc_coefficient){
      .kind = STC_COEFFICIENT_TABLE, .points = points, .speed = speed, .mu = mu};
}

stc_coefficient stc_coefficient_function(double (*user_function)(void *user,
                                                                 const stc_contact_past *past),
                                         void *user) {
  return (stc_coefficient){
      .kind = STC_COEFFICIENT_FUNCTION, .function = user_function, .user = user};
}

// ---- checks ----

static stc_error check_number(const stc_coefficient *c, const char *name, double value,
                              bool positive) {
  if (isfinite(value) && value >= 0.0 && (value > 0.0 || !positive)) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s coefficient: %s = %g, give a finite number %s 0",
                  models[c->kind].name, name, value, positive ? ">" : ">=");
}

static stc_error check_table(const stc_coefficient *c) {
  if (c->points < 1 || !c->speed || !c->mu)
    return stc_fail(STC_ERR_ARGUMENT,
                    "table coefficient: %d points, give at least one speed and mu", c->points);
  for (int k = 0; k < c->points; k++) {
    STC_TRY(check_number(c, "speed", c->speed[k], false));
    STC_TRY(check_number(c, "mu", c->mu[k], false));
    if (k > 0 && !(c->speed[k] > c->speed[k - 1]))
      return stc_fail(STC_ERR_VALUE, "table coefficient: speed[%d] = %g after %g, speeds increase",
                      k, c->speed[k], c->speed[k - 1]);
  }
  return STC_OK;
}

stc_error stc_coefficient_check(const stc_coefficient *c) {
  if (!known_coefficient((int)c->kind))
    return stc_fail(STC_ERR_ARGUMENT, "coefficient kind %d: there are kinds 0 to %d", (int)c->kind,
                    MODELS - 1);
  if (c->kind == STC_COEFFICIENT_TABLE) return check_table(c);
  if (c->kind != STC_COEFFICIENT_FUNCTION) {
    unsigned needs = models[c->kind].needs;
    STC_TRY(check_number(c, "mu_s", c->mu_s, false));
    if (needs & KINETIC) STC_TRY(check_number(c, "mu_k", c->mu_k, false));
    if (needs & SPEED) STC_TRY(check_number(c, "v_c", c->v_c, false));
    if (needs & POSITIVE_SPEED) STC_TRY(check_number(c, "v_c", c->v_c, true));
    if (needs & EXPONENT) STC_TRY(check_number(c, "exponent", c->exponent, true));
    if (needs & DISTANCE) STC_TRY(check_number(c, "distance", c->distance, true));
    return STC_OK;
  }
  if (c->function) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "function coefficient: the function is NULL");
}

double stc_coefficient_mu(const stc_coefficient *c, const stc_contact_past *past) {
  assert(known_coefficient((int)c->kind));
  if (c->kind == STC_COEFFICIENT_FUNCTION) return c->function(c->user, past);
  return models[c->kind].mu(c, past->speed, past->slip);
}
