// A patch of contacts is solved with the impulses around it held.
#include "physics/yard.h"
#include "world/solvers.h"

enum { BALLS = 5 };

static void test_patch_mends_a_column(void **state) {
  (void)state;
  // five balls above each other at rest: contact k carries the weight of all above it, (5 - k) m g
  // h. Without the impulse at the floor only the two lowest contacts are off; a patch of them and
  // their neighbours finds the only answer there is, if it knows what the upper balls weigh.
  stc_world_settings settings = stc_default_world_settings();
  stc_world *world = yard_create(&settings);
  stc_part ball = yard_ball(0.1);
  yard_floor(world, 0);
  for (int k = 0; k < BALLS; k++) {
    stc_rigid_body body = yard_body(&ball, 0, 0, 0.1 + 0.2 * k);
    yard_add(world, &body);
  }
  yard_start(world);
  assert_int_equal(yard_step(world).contacts, BALLS);
  double r[3 * BALLS] = {0}, u[3 * BALLS], v[6 * BALLS];
  double weight = 1000 * 4.0 / 3 * acos(-1) * 1e-3 * 9.81 * settings.h / world->unit;
  for (int k = 1; k < BALLS; k++) r[3 * k] = (BALLS - k) * weight;
  stc_solution solution = {.r = r, .u = u, .v = v};
  assert_int_equal(stc_problem_complete(world->problem, &solution), STC_OK);
  assert_true(u[0] < -1e-3);
  stc_patch_size size = {1, 3};
  assert_int_equal(stc_world_patch(world, size, 0, INFINITY, r, u), STC_OK);
  for (int k = 0; k < BALLS; k++) expect_near(r[3 * k], (BALLS - k) * weight, 1e-6 * weight);
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_patch_mends_a_column)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
