// Friction between rigid bodies that depends on direction, speed, slip, place and time.
#include "physics/yard.h"

#include <stiction/edit.h>
#include <stiction/stiction.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/// A half space z <= 0 of surface 0 and a flat box of surface 1, half a metre square, at rest on
/// it, turned about the vertical.
static stc_world *plate_world(double h, double slope, double turned, const double velocity[3]) {
  stc_world_settings settings = stc_default_world_settings();
  settings.h = h, settings.exact = true, settings.gravity[2] = -10 * cos(slope);
  settings.gravity[0] = 10 * sin(slope);
  stc_world *world = yard_create(&settings);
  stc_part part = yard_box(0.25, 0.25, 1e-3);
  stc_rigid_body plate = yard_body(&part, 0, 0, 1e-3);
  yard_floor(world, 0);
  plate.name = "plate";
  plate.surface = 1;
  plate.pose.rotation[0] = cos(turned / 2), plate.pose.rotation[3] = sin(turned / 2);
  for (int i = 0; i < 3; i++) plate.velocity[i] = velocity ? velocity[i] : 0;
  yard_add(world, &plate);
  return world;
}

static void give_law(stc_world *world, int a, int b, const stc_surface_law *law) {
  expect_ok(stc_world_set_surface_law(world, a, b, law));
}

static stc_surface_law grooved(double along, double across) {
  stc_surface_law law = stc_default_surface_law();
  law.law = stc_law_elliptic(along, across);
  law.along[0] = 1;
  return law;
}

static double slid(const stc_world *world, int k) { return yard_body_at(world, 1).pose.x[k]; }

// Grooves at 30 degrees, mu 0.2 along them and 0.6 across; the slope has tan = 0.4. Along the
// grooves gravity pulls 0.4 cos 30 = 0.346 > 0.2, across them 0.4 sin 30 = 0.2 < 0.6. From rest the
// friction is opposed to D u, D = diag(0.04, 0.36): the acceleration (a, b) along and across obeys
// a + 0.04 a / s = 0.3464, b + 0.36 b / s = -0.2 over g cos(slope), s = |(0.2 a, 0.6 b)|: Newton on
// s by hand below.
static void test_plate_slides_along_its_grooves(void **state) {
  double slope = atan(0.4), turned = PI / 6, g = 10 * cos(slope), s = 0.05;
  double f = 0.4 * cos(turned), k = -0.4 * sin(turned), a = 0, b = 0;
  for (int i = 0; i < 200; i++) {  // s = |(0.2 a, 0.6 b)| by repetition
    a = f / (1 + 0.04 / s), b = k / (1 + 0.36 / s);
    s = (s + hypot(0.2 * a, 0.6 * b)) / 2;
  }
  stc_world *world = plate_world(1e-3, slope, turned, NULL);
  stc_surface_law law = grooved(0.2, 0.6);
  give_law(world, 1, 0, &law);
  yard_start(world);
  yard_run(world, 500);
  double ax = a * cos(turned) - b * sin(turned), ay = a * sin(turned) + b * cos(turned);
  expect_near(slid(world, 0), g * ax / 8,
              1e-6);  // t^2 / 2 = 1 / 8; the flights of a scheme are exact
  expect_near(slid(world, 1), g * ay / 8, 1e-6);
  assert_true(fabs(slid(world, 1)) > 0.05);
  stc_world_free(&world);
}

// With tan = 0.15 both directions hold: no impulse outside the cone is needed, and the plate keeps
// its place to the last bit; with tan = 0.25 across the grooves it does, along them it does not.
static void test_plate_sticks(void **state) {
  const struct {
    double slope, turned;
    bool sticks;
  } cases[] = {{0.15, 0, true}, {0.25, PI / 2, true}, {0.25, 0, false}, {0.15, 0.7, true}};
  for (int k = 0; k < 4; k++) {
    stc_world *world = plate_world(1e-3, atan(cases[k].slope), cases[k].turned, NULL);
    stc_surface_law law = grooved(0.2, 0.6);
    give_law(world, 1, 0, &law);
    yard_start(world);
    yard_run(world, 10);
    double x = slid(world, 0), y = slid(world, 1);
    yard_run(world, 200);
    assert_int_equal(slid(world, 0) == x && slid(world, 1) == y, cases[k].sticks);
    stc_world_free(&world);
  }
}

// A section that resists by 0.1 in one direction of the grooves, 0.5 in the other, 0.3 across: a
// plate thrown along them at 1 m/s stops after 1 / (2 mu g). The order of surfaces in the call says
// whose frame and whose force is meant, the order of bodies in the world nothing.
static double way_of_thrown(double speed, double turned, bool floor_first) {
  const double corner[] = {0.5, 0, 0, 0.3, -0.1, 0, 0, -0.3};  // no side along T1 or T2
  double velocity[3] = {speed * cos(turned), speed * sin(turned), 0};
  stc_cone_section *section = NULL;
  expect_ok(stc_cone_section_polygon(4, corner, &section));
  stc_world *world = plate_world(1e-3, 0, floor_first ? 0 : turned, velocity);
  stc_surface_law law = stc_default_surface_law();
  law.law = stc_law_section(section);
  law.along[0] = floor_first ? cos(turned) : 1, law.along[1] = floor_first ? sin(turned) : 0;
  give_law(world, floor_first ? 0 : 1, floor_first ? 1 : 0, &law);
  yard_start(world);
  yard_run(world, 1200);
  double way = slid(world, 0) * cos(turned) + slid(world, 1) * sin(turned);
  stc_world_free(&world);
  stc_cone_section_free(&section);
  return way;
}

static void test_forth_is_not_back(void **state) {
  for (int k = 0; k < 2; k++) {
    // the force on the plate is against its velocity: forth it may be -0.1, back 0.5
    expect_near(way_of_thrown(1, 0.4 * k, false), 0.5, 1e-5);
    expect_near(way_of_thrown(-1, 0.4 * k, false), -0.1, 1e-5);
    // in the floor's words the force is that on the floor, with the velocity
    expect_near(way_of_thrown(1, 0.4 * k, true), 0.1, 1e-5);
    expect_near(way_of_thrown(-1, 0.4 * k, true), -0.5, 1e-5);
  }
}

// --- Block on a belt ---

static bool spring(void *user, double t, const stc_body_state *state, stc_body_load *load) {
  load->force[0] = -*(const double *)user * state->centre[0];
  return true;
}

static bool belt_runs(void *user, double t, double velocity[3], double omega[3]) {
  velocity[0] = 0.1;
  return true;
}

/// A block of 1 kg on a spring and on a belt of surface 1, in the plane, which is about to carry
/// it.
static stc_world *belt_world(double h, double *stiffness) {
  stc_world_settings settings = stc_default_world_settings();
  stc_part plane = {.shape = {.kind = STC_SHAPE_PLANE}, .pose = stc_pose_identity()};
  stc_part part = yard_box(0.1, 1e-6, 0.5);
  stc_rigid_body belt = yard_body(&plane, 0, 0, 0), block = yard_body(&part, 0, 1e-6, 0);
  settings.h = h, settings.plane = settings.exact = true;
  settings.gravity[1] = -10, settings.gravity[2] = 0;
  plane.pose.rotation[0] = sqrt(0.5), plane.pose.rotation[1] = -sqrt(0.5);  // up is y
  stc_world *world = yard_create(&settings);
  belt.mobility = STC_MOBILITY_DRIVEN, belt.drive = belt_runs, belt.surface = 1;
  yard_add(world, &belt);
  part.density = 1 / (0.2 * 2e-6);
  block.velocity[0] = 0.1;
  yard_add(world, &block);
  expect_ok(stc_world_set_load(world, stc_world_body_at(world, 1), spring, stiffness));
  return world;
}

// D = (mu_s - mu_k) N / k, w = sqrt(k / m): the period is 2 D / V + (2 / w) (pi - atan(w D / V)),
// 0.80688879 s, and x lies between 0.01763932 m and 0.06236068 m.
static void test_stick_slip(void **state) {
  double stiffness = 100, h = 2e-4, begin = 0, period = 0, low = INFINITY, high = -INFINITY;
  stc_world *world = belt_world(h, &stiffness);
  stc_surface_law law = stc_default_surface_law();
  law.coefficient = stc_coefficient_static_kinetic(0.6, 0.4, 0);
  give_law(world, 0, 1, &law);
  yard_start(world);
  bool stuck = false;
  for (int starts = 0; starts < 4;) {
    yard_step(world);
    assert_true(stc_world_time(world) < 6);
    double x = slid(world, 0);
    bool sticks = fabs(yard_body_at(world, 1).velocity[0] - 0.1) < 1e-7;
    if (stuck && !sticks && ++starts == 3) begin = stc_world_time(world);
    stuck = sticks;
    period = stc_world_time(world) - begin;
    if (starts >= 3) low = fmin(low, x), high = fmax(high, x);
  }
  expect_near(period, 0.80688879, 4 * h);
  expect_near(low, 0.01763932, 2e-4);
  expect_near(high, 0.06236068, 2e-4);
  stc_world_free(&world);
}

// --- Place, time, force, age ---

typedef struct rough_ground {
  double force, age, t, at[2][3], normal[3];
  int calls;
} rough_ground;

static bool rough(void *user, const stc_surface_contact *contact, stc_law *law) {
  rough_ground *ground = user;
  const stc_contact_past *past = &contact->past;
  ground->calls++;
  ground->force = past->force, ground->age = past->age, ground->t = past->t;
  memcpy(ground->at, contact->at, sizeof ground->at);
  memcpy(ground->normal, contact->normal, sizeof ground->normal);
  *law = stc_law_with_mu(law, fmax(0, 0.4 * (1 + past->place[0] / 0.5)));
  return true;
}

// v^2 = u0^2 - mu0 g (2 x + x^2 / L) as in the scene moreau/rough-patch, which has a wall: the two
// corners carry the mean of mu at both ends, which is mu in the middle.
static void test_rough_ground(void **state) {
  double stiffness = 0;
  stc_world *world = belt_world(1e-3, &stiffness);
  rough_ground ground = {0};
  stc_surface_law law = stc_default_surface_law();
  law.choose = rough, law.user = &ground;
  give_law(world, 0, 1, &law);
  yard_start(world);
  yard_run(world, 200);
  assert_true(ground.calls >= 400);
  expect_near(ground.t, 0.199, 1e-12);
  expect_near(ground.age, 0.199, 1e-9);
  expect_near(ground.force, 5, 1e-3);
  expect_near(ground.normal[1], 1, 1e-12);        // into the block, which has the first surface
  expect_near(fabs(ground.at[0][0]), 0.1, 1e-9);  // a corner of it
  stc_world_free(&world);
}

// --- Memory ---

static double wears(void *user, const stc_contact_past *past) {
  return 0.2 + 0.3 * exp(-past->slip / 0.01) + 0.05 * sin(40 * past->t) + 1e-3 * past->force +
         0.1 * past->age + 0.1 * past->place[0];
}

static stc_world *worn_world(int threads) {
  stc_world_settings settings = stc_default_world_settings();
  stc_part part = yard_box(0.1, 0.1, 0.05);
  stc_world *world;
  settings.threads = threads, settings.gravity[0] = 2;
  world = yard_create(&settings);
  yard_floor(world, 0);
  for (int k = 0; k < 6; k++) {
    stc_rigid_body body = yard_body(&part, 0.5 * (k / 2), 0.01 * k, 0.05 + 0.1 * (k % 2));
    body.surface = 1 + k % 2;
    body.velocity[0] = 0.3 * (k % 3);
    yard_add(world, &body);
  }
  stc_surface_law law = stc_default_surface_law();
  law.coefficient = stc_coefficient_function(wears, NULL);
  give_law(world, 1, 0, &law);
  law.coefficient = stc_coefficient_static_kinetic(1, 0.5, 0);
  law.law = stc_law_elliptic(0.3, 0.5), law.along[1] = 1;
  give_law(world, 1, 2, &law);
  yard_start(world);
  return world;
}

static void expect_same_worlds(const stc_world *a, const stc_world *b) {
  size_t size = stc_world_state_size(a);
  double *x = calloc(size, sizeof *x), *y = calloc(size, sizeof *y);
  assert_int_equal(stc_world_state_size(b), size);
  stc_world_save(a, x);
  stc_world_save(b, y);
  assert_memory_equal(x, y, size * sizeof *x);
  assert_int_equal(stc_world_contacts(a), stc_world_contacts(b));
  for (int k = 0; k < stc_world_contacts(a); k++) {
    stc_world_contact p, q;
    stc_world_contact_at(a, k, &p);
    stc_world_contact_at(b, k, &q);
    assert_memory_equal(p.tangent, q.tangent, sizeof p.tangent);
  }
  free(x), free(y);
}

// What contacts remember is in a saved state and in a snapshot: the same bits follow, with four
// threads too.
static void test_restarts(void **state) {
  stc_world *whole = worn_world(1), *second = worn_world(4), *branch = NULL;
  stc_world_snapshot *snapshot = NULL;
  size_t size = stc_world_state_size(whole);
  double *kept = calloc(size, sizeof *kept);
  yard_run(whole, 60);
  stc_world_save(whole, kept);
  expect_ok(stc_world_snapshot_take(whole, &snapshot));
  yard_run(whole, 100);
  expect_ok(stc_world_restore(second, kept, size));
  yard_run(second, 100);
  expect_same_worlds(whole, second);
  expect_ok(stc_world_snapshot_branch(snapshot, &branch));
  yard_run(branch, 100);
  expect_same_worlds(whole, branch);
  free(kept);
  stc_world_snapshot_free(&snapshot);
  stc_world_free(&branch), stc_world_free(&second), stc_world_free(&whole);
}

// --- Which law holds ---

// mu of a plate that is thrown at 1 m/s, from its speed after a hundredth of a second.
static double mu_found(stc_world *world) {
  yard_start(world);
  yard_run(world, 10);
  double mu = (1 - yard_body_at(world, 1).velocity[0]) / (10 * 0.01);
  stc_world_free(&world);
  return mu;
}

static void test_which_law_holds(void **state) {
  const double velocity[3] = {1, 0, 0};
  stc_surface_law law = stc_default_surface_law();
  stc_surface_pair pair = stc_default_surface_pair();
  law.coefficient = stc_coefficient_constant(0.3);
  // a surface's own law holds against others
  stc_world *world = plate_world(1e-3, 0, 0, velocity);
  give_law(world, 1, 1, &law);
  expect_near(mu_found(world), 0.3, 1e-6);
  // a pair that was given has none
  world = plate_world(1e-3, 0, 0, velocity);
  give_law(world, 1, 1, &law);
  pair.mu = 0.7;
  expect_ok(stc_world_set_surface_pair(world, 0, 1, &pair));
  expect_near(mu_found(world), 0.7, 1e-6);
  // taken away again
  world = plate_world(1e-3, 0, 0, velocity);
  give_law(world, 0, 1, &law);
  expect_ok(stc_world_set_surface_law(world, 1, 0, NULL));
  expect_near(mu_found(world), 0.5, 1e-6);
  // along the normal: another direction of the body, at right angles, takes its place
  world = plate_world(1e-3, 0, 0, velocity);
  law.law = stc_law_elliptic(1, 1), law.along[2] = 1;
  give_law(world, 0, 1, &law);
  expect_near(mu_found(world), 0.3, 1e-6);
}

static void test_refusals(void **state) {
  stc_world *world = plate_world(1e-3, 0, 0, NULL);
  stc_surface_law law = stc_default_surface_law();
  stc_world_report report;
  law.coefficient = stc_coefficient_constant(-1);
  expect_failure(stc_world_set_surface_law(world, 0, 1, &law), STC_ERR_VALUE, "surfaces 0 and 1");
  expect_failure(stc_world_set_surface_law(world, 0, -1, &law), STC_ERR_VALUE, "number them");
  law = grooved(0.2, 0.3);
  law.along[0] = 0;
  give_law(world, 0, 1, &law);
  yard_start(world);
  expect_failure(stc_world_step(world, &report), STC_ERR_ARGUMENT, "give `along`");
  law = grooved(0.2, 0.3);
  law.law = stc_law_rolling(5, 0.2, 0.1);
  give_law(world, 0, 1, &law);
  expect_failure(stc_world_step(world, &report), STC_ERR_DIMENSION, "5 components");
  law = stc_default_surface_law();
  give_law(world, 0, 1, NULL);
  give_law(world, 0, 0, &law);
  give_law(world, 1, 1, &law);
  expect_failure(stc_world_step(world, &report), STC_ERR_ARGUMENT, "give the pair one");
  stc_world_free(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plate_slides_along_its_grooves),
      cmocka_unit_test(test_plate_sticks),
      cmocka_unit_test(test_forth_is_not_back),
      cmocka_unit_test(test_stick_slip),
      cmocka_unit_test(test_rough_ground),
      cmocka_unit_test(test_restarts),
      cmocka_unit_test(test_which_law_holds),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
