// Mechanisms inside: which factor a step takes, what it solves, and quick flights against exact
// ones.
#include "../physics/yard.h"

#include "dynamics/joints/mechanism.h"

static int add_rod(stc_world *world, double x, double z) {
  stc_part rod = yard_box(0.15, 0.05, 0.05);
  stc_rigid_body body = yard_body(&rod, x, 0, z);
  return yard_add(world, &body);
}

static void join_rods(stc_world *world, stc_joint_kind kind, int a, int b, double x, double z) {
  stc_joint joint =
      yard_joint(world, (stc_joint){.kind = kind, .anchor = {x, 0, z}, .axis = {0, 1, 0}}, a, b);
  assert_int_equal(stc_world_add_joint(world, &joint, NULL), STC_OK);
}

/// A chain of `n` rods of 0.4 m along x, the first one on the world where `hung`, with a branch on
/// its second rod where there is one.
static stc_world *chain(stc_joint_kind kind, int n, bool hung, double flight_tol, double h) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h, settings.flight_tol = flight_tol;
  stc_world *world = yard_create(&settings);
  for (int k = 0; k < n; k++) {
    int body = add_rod(world, 0.2 + 0.4 * k, 0);
    if (k > 0 || hung) join_rods(world, kind, body, k - 1, 0.4 * k, 0);
  }
  if (n > 2) join_rods(world, STC_JOINT_BALL, add_rod(world, 0.6, 0.5), 1, 0.6, 0.25);
  yard_start(world);
  return world;
}

static double *take(int count) {
  double *x = calloc((size_t)count, sizeof *x);
  assert_non_null(x);
  return x;
}

static void expect_solves(stc_world *world) {
  // with A = G M^-1 G^T made of what multipliers do to the bodies and these to the rates, the
  // factor at hand gives x back from A x
  stc_mechanism *m = &world->mechanism[0];
  stc_place *places = STC_NEXT(world);
  double *x = take(m->rows), *b = take(m->rows), *y = take(m->rows);
  stc_mechanism_release(world, m);
  stc_mechanism_rows(world, m, places, places, m->end);
  assert_int_equal(stc_mechanism_factorise(world, m, m->end, places), STC_OK);
  for (int n = 0; n < world->bodies; n++)
    memset(places[n].v, 0, sizeof places->v), memset(places[n].omega, 0, sizeof places->omega);
  for (int i = 0; i < m->rows; i++) x[i] = sin(1 + 3.0 * i);
  stc_mechanism_wrench(world, m, m->end, x, world->wrench.data);
  stc_mechanism_push(world, m, 1, world->wrench.data, places);
  stc_mechanism_rates(world, m, m->end, places, b);
  assert_int_equal(stc_mechanism_solve(m, 1, b, y), STC_OK);
  for (int i = 0; i < m->rows; i++) expect_near(y[i], x[i], 1e-9);
  free(x), free(b), free(y);
}

static void test_trees_take_the_factor_of_trees(void **state) {
  // points that meet, other joints, a mechanism that floats: all of them trees
  const stc_joint_kind kind[] = {STC_JOINT_BALL, STC_JOINT_HINGE, STC_JOINT_UNIVERSAL};
  for (int k = 0; k < 6; k++) {
    stc_world *world = chain(kind[k % 3], 5, k < 3, 1e-3, 5e-3);
    yard_run(world, 20);
    const stc_mechanism *m = &world->mechanism[0];
    assert_int_equal(world->mechanisms, 1);
    assert_true(m->tree && m->straight);
    expect_solves(world);
    assert_true(m->straight);
    stc_world_free(&world);
  }
}

static void test_loops_take_the_sparse_factor(void **state) {
  // four rods that ball joints close to a loop, one of which the world holds
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  int low = add_rod(world, 0.2, 0), high = add_rod(world, 0.2, 0.3);
  for (int k = 0; k < 2; k++) {
    int side = add_rod(world, 0.4 * k, 0.15);
    join_rods(world, STC_JOINT_BALL, side, low, 0.4 * k, 0);
    join_rods(world, STC_JOINT_BALL, side, high, 0.4 * k, 0.3);
  }
  join_rods(world, STC_JOINT_BALL, low, -1, 0.2, 0);
  yard_start(world);
  yard_run(world, 5);
  assert_true(!world->mechanism[0].tree && !world->mechanism[0].straight);
  stc_world_free(&world);
}

/// Where the last rod of a chain is after half a second, and the largest error of the ledger.
static double swing(stc_joint_kind kind, double flight_tol, double h, double x[3]) {
  stc_world *world = chain(kind, 2, true, flight_tol, h);
  double most = 0;
  for (long k = lround(0.5 / h); k > 0; k--) {
    yard_step(world);
    most = fmax(most, fabs(stc_world_ledger(world)->error));
  }
  memcpy(x, yard_body_at(world, 1).centre, 3 * sizeof *x);
  stc_world_free(&world);
  return most;
}

static void test_quick_flights_are_of_second_order(void **state) {
  // both ways to fly lead to the same motion: half the step makes a quarter of the difference
  const stc_joint_kind kind[] = {STC_JOINT_BALL, STC_JOINT_HINGE};
  for (int k = 0; k < 2; k++) {
    double apart[2], quick[3], exact[3];
    for (int i = 0; i < 2; i++) {
      swing(kind[k], 1, 5e-3 / (1 << i), quick);
      swing(kind[k], 0, 5e-3 / (1 << i), exact);
      apart[i] = stc_distance3(quick, exact);
    }
    assert_true(apart[1] > 1e-9);  // they are two ways
    expect_near(log2(apart[0] / apart[1]), 2, 0.1);
  }
}

/// The largest change of the energy of two rods that whirl about in next to no gravity, by itself.
static double whirl(double flight_tol) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = 0.02, settings.flight_tol = flight_tol, settings.gravity[2] = 1e-12;
  stc_world *world = yard_create(&settings);
  for (int k = 0; k < 2; k++) {
    stc_part rod = yard_box(0.15, 0.05, 0.05);
    stc_rigid_body body = yard_body(&rod, 0.2 + 0.4 * k, 0, 0);
    body.omega[1] = 20 * k, body.omega[2] = 10;
    join_rods(world, STC_JOINT_BALL, yard_add(world, &body), k - 1, 0.4 * k, 0);
  }
  yard_start(world);
  yard_step(world);  // stops the velocities that the joints do not allow
  double energy = yard_energy(world), most = 0;
  for (int k = 0; k < 50; k++) {
    yard_step(world);
    most = fmax(most, fabs(yard_energy(world) / energy - 1));
  }
  stc_world_free(&world);
  return most;
}

static void test_flights_off_by_more_are_exact(void **state) {
  // the rods rotate by 0.1 to 0.2 rad in half a step, which costs quick flights a part of about
  // 1e-3 of the energy on their way: where flight_tol allows less, the energy stays
  assert_true(whirl(1) > 1e-4);
  assert_true(whirl(1e-6) <= 1e-10 && whirl(0) <= 1e-10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trees_take_the_factor_of_trees),
      cmocka_unit_test(test_loops_take_the_sparse_factor),
      cmocka_unit_test(test_quick_flights_are_of_second_order),
      cmocka_unit_test(test_flights_off_by_more_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
