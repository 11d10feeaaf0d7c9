// The simulation: what it refuses, how it stops, what it keeps, large systems.
#include "motion_support.h"

#include <stdio.h>

enum { MOST = 8 };

// A point of mass 1 over a floor y >= 0 that does what the test asks for at a given step.
typedef struct puppet {
  int dofs, calls;
  double mass[MOST * MOST];
  double force[MOST];
  bool stop_mass, stop_force, stop_wall, stop_potential;
  double bad_gradient, bad_velocity, bad_potential;
  stc_wall wall;  // law, coefficient, restitution, tangents
} puppet;

static bool give_mass(void *user, double t, const double *q, double *M) {
  const puppet *p = user;
  for (int k = 0; k < p->dofs * p->dofs; k++) M[k] = p->mass[k];
  return !p->stop_mass;
}

static bool give_force(void *user, double t, const double *q, const double *u, double *Q) {
  const puppet *p = user;
  for (int k = 0; k < p->dofs; k++) Q[k] = p->force[k];
  return !p->stop_force;
}

static bool give_potential(void *user, double t, const double *q, double *V) {
  const puppet *p = user;
  *V = p->bad_potential;
  return !p->stop_potential;
}

static bool give_wall(void *user, int j, double t, const double *q, stc_wall_part part,
                      stc_wall *wall) {
  puppet *p = user;
  p->calls++;
  wall->f = -q[1];
  wall->gradient[0] = p->bad_gradient;
  wall->gradient[1] = -1;
  wall->velocity[0] = p->bad_velocity;
  wall->tangents = p->wall.tangents;
  wall->law = p->wall.law;
  wall->coefficient = p->wall.coefficient;
  wall->restitution = p->wall.restitution;
  return !p->stop_wall;
}

static puppet make_puppet(void) {
  puppet p = {.dofs = 2, .mass = {1, 0, 0, 1}, .force = {0, -10}};
  p.wall.law = stc_law_coulomb(2, 0.5);
  p.wall.coefficient = stc_coefficient_constant(0.5);
  return p;
}

static stc_system make_system(puppet *p) {
  stc_system system = plain_system(p->dofs, 1, 2, p);
  system.diagonal = false;
  system.mass = give_mass, system.force = give_force;
  system.potential = give_potential, system.wall = give_wall;
  return system;
}

static stc_error step(stc_simulation *sim) {
  stc_step_report report;
  stc_error error = stc_simulation_step(sim, &report);
  assert_true(error || report.accepted);
  return error;
}

static stc_error begin(puppet *p, stc_simulation **sim) {
  stc_system system = make_system(p);
  stc_stepping stepping = stc_default_stepping();
  assert_int_equal(stc_simulation_create(&system, &stepping, sim), STC_OK);
  return stc_simulation_place(*sim, 0, (double[MOST]){0}, (double[MOST]){1});
}

// --- Refusals ---

static void refuse_system(stc_system system, stc_error code, const char *words) {
  stc_stepping stepping = stc_default_stepping();
  stc_simulation *sim = NULL;
  expect_failure(stc_simulation_create(&system, &stepping, &sim), code, words);
  assert_null(sim);
}

static void test_refuses_systems(void **state) {
  puppet p = make_puppet();
  stc_system good = make_system(&p), bad = good;
  bad.dofs = 0;
  refuse_system(bad, STC_ERR_DIMENSION, "dofs = 0");
  bad = good;
  bad.walls = -1;
  refuse_system(bad, STC_ERR_DIMENSION, "walls = -1");
  bad = good;
  bad.dim = 6;
  refuse_system(bad, STC_ERR_DIMENSION, "dim = 6");
  bad = good;
  bad.force = NULL;
  refuse_system(bad, STC_ERR_ARGUMENT, "mass and force");
  bad = good;
  bad.wall = NULL;
  refuse_system(bad, STC_ERR_ARGUMENT, "1 walls");
  stc_simulation *sim = NULL;
  expect_failure(stc_simulation_create(NULL, NULL, &sim), STC_ERR_ARGUMENT, "needs a system");
}

static void test_refuses_stepping(void **state) {
  puppet p = make_puppet();
  stc_system system = make_system(&p);
  stc_simulation *sim = NULL;
  stc_stepping stepping = stc_default_stepping();
  stepping.h = 0;
  expect_failure(stc_simulation_create(&system, &stepping, &sim), STC_ERR_VALUE, "stepping.h = 0");
  stepping = stc_default_stepping();
  stepping.correction = NAN;
  expect_failure(stc_simulation_create(&system, &stepping, &sim), STC_ERR_VALUE, "correction");
  stepping = stc_default_stepping();
  stepping.tol = 1e-6;
  expect_failure(stc_simulation_create(&system, &stepping, &sim), STC_ERR_VALUE,
                 "tol = 1e-06 is above accept = 1e-08");
  stepping = (stc_stepping){.h = 1e-3, .tol = 1e-10, .accept = 1e-8};  // forgotten solver
  expect_failure(stc_simulation_create(&system, &stepping, &sim), STC_ERR_ARGUMENT,
                 "stc_default_settings");
  assert_null(sim);
}

static void test_refuses_places(void **state) {
  puppet p = make_puppet();
  stc_simulation *sim = NULL;
  assert_int_equal(begin(&p, &sim), STC_OK);
  const double zero[2] = {0, 0}, bad[2] = {0, INFINITY};
  expect_failure(stc_simulation_place(sim, 0, bad, zero), STC_ERR_VALUE, "q[1] = inf");
  expect_failure(stc_simulation_place(sim, 0, zero, bad), STC_ERR_VALUE, "u[1] = inf");
  expect_failure(stc_simulation_place(sim, NAN, zero, zero), STC_ERR_VALUE, "t[0] = nan");
  expect_failure(stc_simulation_place(sim, 0, zero, (double[]){1e300, 0}), STC_ERR_VALUE,
                 "the energy of this place is inf");
  stc_simulation_free(&sim);
  stc_simulation_free(&sim);  // twice is safe
}

static void test_needs_a_place(void **state) {
  puppet p = make_puppet();
  stc_system system = make_system(&p);
  stc_stepping stepping = stc_default_stepping();
  stc_simulation *sim = NULL;
  assert_int_equal(stc_simulation_create(&system, &stepping, &sim), STC_OK);
  expect_failure(step(sim), STC_ERR_ARGUMENT, "placed");
  assert_int_equal(stc_simulation_place(sim, 0, (double[]){0, 0}, (double[]){0, 0}), STC_OK);
  expect_failure(stc_simulation_step(sim, NULL), STC_ERR_ARGUMENT, "report");  // no silent failure
  stc_simulation_free(&sim);
}

/// The step fails with the sentence and leaves the state alone; put right, it goes on.
static void fail_step(puppet *p, stc_error code, const char *words) {
  stc_simulation *sim = NULL;
  puppet good = make_puppet(), bad = *p;
  *p = good;
  assert_int_equal(begin(p, &sim), STC_OK);
  assert_int_equal(step(sim), STC_OK);
  size_t size = stc_simulation_state_size(sim);
  double *before = calloc(size, sizeof *before), *after = calloc(size, sizeof *after);
  stc_simulation_save(sim, before);
  *p = bad;
  expect_failure(step(sim), code, words);
  stc_simulation_save(sim, after);
  assert_memory_equal(before, after, size * sizeof *before);
  *p = good;
  assert_int_equal(step(sim), STC_OK);
  assert_int_equal(stc_simulation_steps(sim), 2);
  free(before);
  free(after);
  stc_simulation_free(&sim);
}

#define FAIL(field, value, code, words)                                                            \
  do {                                                                                             \
    puppet p = make_puppet();                                                                      \
    p.field = value;                                                                               \
    fail_step(&p, code, words);                                                                    \
  } while (0)

static void test_bad_answers(void **state) {
  FAIL(force[1], NAN, STC_ERR_VALUE, "force[1] = nan at t = 0.0015");
  FAIL(mass[0], NAN, STC_ERR_VALUE, "M(0, 0) = nan at t = 0.0015");
  FAIL(mass[3], 0, STC_ERR_VALUE, "M(1, 1) = 0");
  FAIL(mass[1], 0.5, STC_ERR_VALUE, "symmetric");
  FAIL(bad_gradient, NAN, STC_ERR_VALUE, "wall 0: gradient[0] = nan");
  FAIL(bad_velocity, INFINITY, STC_ERR_VALUE, "wall 0: velocity[0] = inf");
  FAIL(bad_potential, NAN, STC_ERR_VALUE, "potential = nan");
  FAIL(force[0], 1e308, STC_ERR_VALUE, "the energy leaves the range");
  FAIL(wall.restitution, 1.5, STC_ERR_VALUE, "restitution = 1.5");
  FAIL(wall.law.dim, 3, STC_ERR_DIMENSION, "wall 0: its law has 3 components");
  FAIL(wall.law.kind, (stc_law_kind)77, STC_ERR_ARGUMENT, "wall 0: ");
  FAIL(wall.coefficient.mu_s, -0.1, STC_ERR_VALUE, "wall 0");
  FAIL(wall.tangents, 2, STC_ERR_DIMENSION, "2 tangents");
}

static void test_singular_mass(void **state) {
  // (1 2; 2 4) has no inverse
  puppet p = make_puppet();
  memcpy(p.mass, (double[]){1, 2, 2, 4}, 4 * sizeof(double));
  fail_step(&p, STC_ERR_NUMERIC, "M is not positive definite");
}

static void test_callbacks_stop(void **state) {
  FAIL(stop_mass, true, STC_ERR_CALLBACK, "mass callback stopped the run at t = 0.0015");
  FAIL(stop_force, true, STC_ERR_CALLBACK, "force callback");
  FAIL(stop_wall, true, STC_ERR_CALLBACK, "wall 0 callback");
  FAIL(stop_potential, true, STC_ERR_CALLBACK, "potential callback");
}

static void test_needs_tangents(void **state) {
  // three coordinates and contacts of two components: nothing natural, unless without friction
  puppet p = make_puppet();
  stc_simulation *sim = NULL;
  p.dofs = 3;
  memcpy(p.mass, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof(double));
  assert_int_equal(begin(&p, &sim), STC_OK);
  expect_failure(step(sim), STC_ERR_DIMENSION, "no tangents");
  p.wall.law = stc_law_frictionless(2);
  assert_int_equal(step(sim), STC_OK);
  double r[2];
  assert_true(stc_simulation_contact(sim, 0, r, NULL));
  expect_near(r[0], 1e-2, 1e-15);
  stc_simulation_free(&sim);
}

static void test_docs_show_the_settings(void **state) {
  enum { LENGTH = 100000 };
  char *text = calloc(LENGTH, 1), row[300];
  FILE *file = fopen("docs/time-stepping.md", "r");
  assert_non_null(file);
  assert_true(fread(text, 1, LENGTH - 1, file) < LENGTH - 1);
  fclose(file);
#define SHOWN(type, name, initial, least, greatest, meaning)                                       \
  snprintf(row, sizeof row, "| `%s` | %g | %g to %g | %s |\n", #name, (double)(initial),           \
           (double)(least), (double)(greatest), meaning);                                          \
  if (!strstr(text, row)) print_error("docs/time-stepping.md lacks %s", row);                      \
  assert_non_null(strstr(text, row));
  STC_STEPPING_FIELDS(SHOWN)
#undef SHOWN
  free(text);
}

// --- Laws and coefficients ---

/// Speed after `steps` steps of 1 ms on a floor under 10 m/s^2, from 1 m/s.
static double speed_after(puppet *p, int steps) {
  stc_simulation *sim = NULL;
  assert_int_equal(begin(p, &sim), STC_OK);
  for (int k = 0; k < steps; k++) assert_int_equal(step(sim), STC_OK);
  double u = stc_simulation_u(sim)[0];
  stc_simulation_free(&sim);
  return u;
}

static void test_coefficients(void **state) {
  puppet p = make_puppet();
  expect_near(speed_after(&p, 10), 1 - 0.5 * 0.1, 1e-14);
  p.wall.coefficient = stc_coefficient_constant(0.2);  // overrides the law's 0.5
  expect_near(speed_after(&p, 10), 1 - 0.2 * 0.1, 1e-14);
  p.wall.coefficient = stc_coefficient_static_kinetic(0.6, 0.3, 1e-9);  // it moves: kinetic
  expect_near(speed_after(&p, 10), 1 - 0.3 * 0.1, 1e-14);
  // mu falls from 0.06 to 0 over D = 0.1 m: v dv/dx = -0.6 (1 - x/D), so v^2 = 1 - 0.6 D beyond D
  p.wall.coefficient = stc_coefficient_slip_weakening(0.06, 0, 0.1);
  expect_near(speed_after(&p, 150), sqrt(1 - 0.6 * 0.1), 5e-4);
}

static double broken_mu(void *user, const stc_contact_past *past) { return NAN; }

static void test_broken_coefficient(void **state) {
  puppet p = make_puppet();
  p.wall.coefficient = stc_coefficient_function(broken_mu, NULL);
  fail_step(&p, STC_ERR_VALUE, "wall 0");
}

static void test_default_wall_is_smooth(void **state) {
  puppet p = make_puppet();
  p.wall.law = stc_law_coulomb(2, 0.25);
  p.wall.coefficient = stc_coefficient_constant(NAN);  // as a callback finds it
  expect_near(speed_after(&p, 10), 1 - 0.25 * 0.1, 1e-14);
}

// --- A restart ---

static void test_state_round_trip(void **state) {
  puppet p = make_puppet();
  p.wall.coefficient = stc_coefficient_slip_weakening(0.6, 0.1, 5e-3);
  p.wall.restitution = 0.5;
  stc_simulation *one = NULL, *other = NULL;
  assert_int_equal(begin(&p, &one), STC_OK);
  assert_int_equal(begin(&p, &other), STC_OK);
  for (int k = 0; k < 137; k++) assert_int_equal(step(one), STC_OK);
  size_t size = stc_simulation_state_size(one);
  double *a = calloc(size, sizeof *a), *b = calloc(size, sizeof *b);
  stc_simulation_save(one, a);
  assert_int_equal(stc_simulation_restore(other, a, size), STC_OK);
  assert_int_equal(stc_simulation_steps(other), 137);
  for (int k = 0; k < 300; k++) {
    assert_int_equal(step(one), STC_OK);
    assert_int_equal(step(other), STC_OK);
    stc_simulation_save(one, a);
    stc_simulation_save(other, b);
    assert_memory_equal(a, b, size * sizeof *a);
  }
  expect_failure(stc_simulation_restore(other, a, size - 1), STC_ERR_DIMENSION, "numbers");
  a[4] *= 2;
  expect_failure(stc_simulation_restore(other, a, size), STC_ERR_VALUE, "h = ");
  a[4] /= 2;
  a[7] = NAN;
  expect_failure(stc_simulation_restore(other, a, size), STC_ERR_VALUE, "damaged");
  stc_simulation_save(other, a);
  assert_memory_equal(a, b, size * sizeof *a);  // untouched by what was refused
  free(a);
  free(b);
  stc_simulation_free(&one);
  stc_simulation_free(&other);
}

// --- Large systems ---

// A row of n blocks of 1 kg on a floor, x_0 < x_1 < ..., side by side; the first is pushed. Walls
// 0 .. n-1 are the floor under each, n .. 2n-2 the faces between neighbours.
typedef struct row {
  int n;
  double push, mu;
} row;

static bool row_mass(void *user, double t, const double *q, double *M) {
  for (int i = 0; i < 2 * ((const row *)user)->n; i++) M[i] = 1;
  return true;
}

static bool row_force(void *user, double t, const double *q, const double *u, double *Q) {
  const row *r = user;
  for (int i = 0; i < r->n; i++) Q[2 * i + 1] = -10;
  Q[0] = r->push;
  return true;
}

static bool row_wall(void *user, int j, double t, const double *q, stc_wall_part part,
                     stc_wall *wall) {
  const row *r = user;
  wall->tangents = 1;
  if (j < r->n) {
    wall->f = -q[2 * j + 1];
    wall->gradient[2 * j + 1] = -1;
    wall->tangent[2 * j] = 1;
    wall->law = stc_law_coulomb(2, r->mu);
  } else {
    int i = j - r->n;
    wall->f = 1 - (q[2 * i + 2] - q[2 * i]);
    wall->gradient[2 * i] = 1;
    wall->gradient[2 * i + 2] = -1;
    wall->tangent[2 * i + 1] = 1;
    wall->tangent[2 * i + 3] = -1;
    wall->law = stc_law_frictionless(2);
  }
  return true;
}

static void push_row(int n, double push, double mu, int steps) {
  // all move with a = push/n - mu g, or rest if push < mu n g; the last face carries a + mu g
  row r = {.n = n, .push = push, .mu = mu};
  double a = push / n - mu * 10, h = 1e-3, impulse[2];
  stc_system system = plain_system(2 * n, 2 * n - 1, 2, &r);
  system.mass = row_mass, system.force = row_force, system.wall = row_wall;
  stc_stepping stepping = stc_default_stepping();
  stepping.h = h;
  stepping.rest = 1e-9;
  double *q = calloc(2 * (size_t)n, sizeof *q), *u = calloc(2 * (size_t)n, sizeof *u);
  for (int i = 0; i < n; i++) q[2 * i] = i;
  stc_simulation *sim = begin_with(&system, &stepping, q, u);
  for (int k = 0; k < steps; k++) assert_int_equal(stage_step(sim).contacts, 2 * n - 1);
  for (int i = 0; i < n; i++)
    expect_near(stc_simulation_u(sim)[2 * i], fmax(a, 0) * steps * h, 1e-9);
  stc_simulation_contact(sim, 2 * n - 2, impulse, NULL);
  if (a > 0) expect_near(impulse[0], h * (a + mu * 10), 1e-9);
  expect_near(stc_simulation_ledger(sim)->error, 0, 1e-10);
  free(q);
  free(u);
  stc_simulation_free(&sim);
}

static void test_thousand_walls(void **state) {
  push_row(3, 25, 0.3, 20);
  push_row(40, 150, 0.3, 5);
  push_row(40, 100, 0.3, 5);
  push_row(500, 1600, 0.3, 2);  // 999 walls, 1000 coordinates
}

// M = I + 1 1^T/n has M^-1 = I - 1 1^T/(2 n).
static bool full_mass(void *user, double t, const double *q, double *M) {
  int n = *(const int *)user;
  for (int k = 0; k < n * n; k++) M[k] = 1.0 / n + (k % (n + 1) == 0);
  return true;
}

static bool ramp(void *user, double t, const double *q, const double *u, double *Q) {
  int n = *(const int *)user;
  for (int i = 0; i < n; i++) Q[i] = i;
  return true;
}

static void test_full_mass(void **state) {
  // u = t M^-1 Q, Q_i = i: u_i = t (i - (n - 1)/4)
  int n = 300;
  stc_system system = {.dofs = n, .dim = 2, .user = &n, .mass = full_mass, .force = ramp};
  stc_stepping stepping = stc_default_stepping();
  stc_simulation *sim = NULL;
  double *zero = calloc((size_t)n, sizeof *zero);
  assert_int_equal(stc_simulation_create(&system, &stepping, &sim), STC_OK);
  assert_int_equal(stc_simulation_place(sim, 5, zero, zero), STC_OK);
  for (int k = 0; k < 10; k++) assert_int_equal(step(sim), STC_OK);
  for (int i = 0; i < n; i++)
    expect_near(stc_simulation_u(sim)[i], 0.01 * (i - (n - 1) / 4.0), 1e-12);
  expect_near(stc_simulation_time(sim), 5.01, 1e-14);
  const stc_ledger *l = stc_simulation_ledger(sim);
  expect_near(l->kinetic, l->work, 1e-12 * l->kinetic);
  free(zero);
  stc_simulation_free(&sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refuses_systems),
      cmocka_unit_test(test_refuses_stepping),
      cmocka_unit_test(test_refuses_places),
      cmocka_unit_test(test_needs_a_place),
      cmocka_unit_test(test_bad_answers),
      cmocka_unit_test(test_singular_mass),
      cmocka_unit_test(test_callbacks_stop),
      cmocka_unit_test(test_needs_tangents),
      cmocka_unit_test(test_coefficients),
      cmocka_unit_test(test_broken_coefficient),
      cmocka_unit_test(test_default_wall_is_smooth),
      cmocka_unit_test(test_state_round_trip),
      cmocka_unit_test(test_thousand_walls),
      cmocka_unit_test(test_full_mass),
      cmocka_unit_test(test_docs_show_the_settings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
