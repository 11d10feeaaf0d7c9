// Packings: no ball inside another, every ball held from below, the pile dense and reproducible.
#include "base/random.h"
#include "base/vec3.h"
#include "dynamics/generate/pack.h"
#include "expect.h"

enum { BALLS = 600 };

// Radii between (1 - spread) and (1 + spread).
static void fill(stc_pack *pack, bool flat, double width, double spread, unsigned seed) {
  double radius[BALLS];
  stc_random random = stc_random_seed(seed);
  for (int b = 0; b < BALLS; b++)
    radius[b] = 1.0 + spread * (2.0 * stc_random_uniform(&random) - 1.0);
  double box[2] = {width, flat ? 0.0 : width};
  assert_int_equal(stc_pack_fill(pack, flat, box, BALLS, radius, &random), STC_OK);
  assert_int_equal(pack->balls, BALLS);
}

// Largest depth of ball b in the box or in an earlier ball, by looking at all of them.
static double depth(const stc_pack *pack, int b) {
  const double *x = pack->centre[b];
  double r = pack->radius[b], worst = r - x[2];
  for (int k = 0; k < (pack->flat ? 1 : 2); k++) {
    worst = fmax(worst, r - x[k]);
    worst = fmax(worst, x[k] + r - pack->width[k]);
  }
  for (int o = 0; o < b; o++) {
    const double *y = pack->centre[o];
    double distance = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
    worst = fmax(worst, r + pack->radius[o] - distance);
  }
  return worst;
}

static void no_ball_is_inside_another(void **state) {
  for (int flat = 0; flat < 2; flat++)
    for (int mixed = 0; mixed < 2; mixed++) {
      stc_pack pack;
      fill(&pack, flat, flat ? 40.0 : 15.0, 0.5 * mixed, 3);
      for (int b = 0; b < BALLS; b++) assert_true(depth(&pack, b) < 1e-8);
      stc_pack_free(&pack);
    }
}

// Normals of what ball b touches among the box and the balls settled before it.
static int supports(const stc_pack *pack, int b, double n[][3], int room) {
  int count = 0;
  for (int o = -stc_pack_planes(pack); o < b && count < room; o++)
    if (stc_pack_gap(pack, o, pack->centre[b], pack->radius[b], n[count]) < 1e-7) count++;
  return count;
}

// Moving along d goes into one of the supports.
static bool blocked(double n[][3], int count, const double d[3]) {
  for (int k = 0; k < count; k++)
    if (stc_dot3(n[k], d) < 0.0) return true;
  return false;
}

// A ball rests if no direction that goes down by a real angle is free; 400 directions are tried.
static void every_ball_is_held_from_below(void **state) {
  enum { ROOM = 16, DIRECTIONS = 400 };
  for (int flat = 0; flat < 2; flat++) {
    stc_pack pack;
    fill(&pack, flat, flat ? 40.0 : 15.0, 0.5, 7);
    stc_random random = stc_random_seed(1);
    for (int b = 0; b < BALLS; b++) {
      double n[ROOM][3];
      int count = supports(&pack, b, n, ROOM);
      for (int k = 0; k < DIRECTIONS; k++) {
        double d[3];
        for (int l = 0; l < 3; l++) d[l] = stc_random_normal(&random);
        if (flat) d[1] = 0.0;
        d[2] = -fabs(d[2]);
        if (-d[2] > 1e-3 * stc_norm3(d)) assert_true(blocked(n, count, d));
      }
    }
    stc_pack_free(&pack);
  }
}

// Three supports fix a ball in space, two in the plane; the floor alone is enough. So there are
// three (two) contacts per ball, less what lies on the floor.
static void balls_have_as_many_supports_as_they_need(void **state) {
  enum { ROOM = 16 };
  for (int flat = 0; flat < 2; flat++) {
    int needed = flat ? 2 : 3;
    stc_pack pack;
    fill(&pack, flat, flat ? 40.0 : 15.0, 0.5, 11);
    for (int b = 0; b < BALLS; b++) {
      double n[ROOM][3];
      bool on_floor = pack.centre[b][2] - pack.radius[b] < 1e-7;
      assert_true(on_floor || supports(&pack, b, n, ROOM) >= needed);
    }
    stc_pack_free(&pack);
  }
}

// Random drop and roll fills 0.5 to 0.6 of space and 0.75 to 0.83 of the plane, walls included a
// little less; a pile that hangs in the air would show here.
static void piles_are_dense(void **state) {
  const double pi = acos(-1.0);
  stc_pack pack;
  fill(&pack, false, 15.0, 0.0, 5);
  double solid = BALLS * 4.0 / 3.0 * pi / (15.0 * 15.0 * (pack.top + 1.0));
  assert_true(solid > 0.42 && solid < 0.64);
  stc_pack_free(&pack);
  fill(&pack, true, 40.0, 0.5, 5);
  double area = 0.0;
  for (int b = 0; b < BALLS; b++) area += pi * pack.radius[b] * pack.radius[b];
  assert_true(area / (40.0 * (pack.top + 1.0)) > 0.65 && area / (40.0 * (pack.top + 1.0)) < 0.91);
  stc_pack_free(&pack);
}

// A ball dropped on the middle of two others that lie d apart on the floor, all of radius 1, in the
// plane: it stops where its distance to both is 2, so at z = 1 + sqrt(4 - d^2/4).
static void a_disc_stops_between_two_others(void **state) {
  const double radius[3] = {1, 1, 1}, width[2] = {10, 0}, d = 2.4;
  stc_pack pack;
  assert_int_equal(stc_pack_open(&pack, true, width, 3, radius), STC_OK);
  assert_int_equal(stc_pack_settle(&pack, (double[3]){3.0, 0, 1}), STC_OK);
  assert_int_equal(stc_pack_settle(&pack, (double[3]){3.0 + d, 0, 1}), STC_OK);
  double x[3] = {3.5, 0.0, 8.0};
  assert_true(stc_pack_roll(&pack, x));
  expect_near(x[0], 3.0 + d / 2, 1e-12);
  expect_near(x[2], 1.0 + sqrt(4.0 - d * d / 4), 1e-12);
  stc_pack_free(&pack);
}

// A disc dropped left of the middle of another one, at x = 6, rolls to its side and falls to the
// floor there: x = 6 - 2, z = 1.
static void a_disc_rolls_off_to_the_floor(void **state) {
  const double radius[2] = {1, 1}, width[2] = {10, 0};
  stc_pack pack;
  assert_int_equal(stc_pack_open(&pack, true, width, 2, radius), STC_OK);
  assert_int_equal(stc_pack_settle(&pack, (double[3]){6.0, 0, 1}), STC_OK);
  double x[3] = {5.9, 0.0, 8.0};
  assert_true(stc_pack_roll(&pack, x));
  expect_near(x[0], 4.0, 1e-7);
  expect_near(x[2], 1.0, 1e-12);
  stc_pack_free(&pack);
}

// Three unit balls on the floor, centres 2 apart; a fourth dropped near their middle completes a
// regular tetrahedron of edge 2, whose height is 2 sqrt(2/3).
static void a_ball_completes_a_tetrahedron(void **state) {
  const double radius[4] = {1, 1, 1, 1}, width[2] = {12, 12}, h = sqrt(3.0);
  stc_pack pack;
  assert_int_equal(stc_pack_open(&pack, false, width, 4, radius), STC_OK);
  assert_int_equal(stc_pack_settle(&pack, (double[3]){5, 5, 1}), STC_OK);
  assert_int_equal(stc_pack_settle(&pack, (double[3]){7, 5, 1}), STC_OK);
  assert_int_equal(stc_pack_settle(&pack, (double[3]){6, 5 + h, 1}), STC_OK);
  double x[3] = {5.7, 5.4, 9.0};
  assert_true(stc_pack_roll(&pack, x));
  expect_near(x[0], 6.0, 1e-12);
  expect_near(x[1], 5.0 + h / 3.0, 1e-12);
  expect_near(x[2], 1.0 + 2.0 * sqrt(2.0 / 3.0), 1e-12);
  stc_pack_free(&pack);
}

// Projects d on { d . n_k >= 0 }: raises one multiplier at a time   [Hildreth 1957].
static void slide_along(double n[][3], int count, double d[3]) {
  double lambda[16] = {0};
  for (int sweep = 0; sweep < 200; sweep++)
    for (int k = 0; k < count; k++) {
      double raised = fmax(0.0, lambda[k] - stc_dot3(d, n[k]));
      stc_combine3(d, raised - lambda[k], n[k], d);
      lambda[k] = raised;
    }
}

// The path of the last ball in small steps: down, as far as the normals of what is near allow, then
// out of what it has entered. Ends on the floor or where the steps no longer lower it.
static void creep(const stc_pack *pack, double x[3]) {
  const double step = 2e-4, r = pack->radius[pack->balls];
  for (int k = 0; k < 100000 && x[2] > r + step; k++) {
    double n[16][3], d[3] = {0, 0, -1}, before = x[2];
    int count = 0;
    for (int o = -stc_pack_planes(pack); o < pack->balls; o++)
      if (stc_pack_gap(pack, o, x, r, n[count]) < step) count++;
    slide_along(n, count, d);
    stc_combine3(x, step / fmax(stc_norm3(d), 1e-3), d, x);
    for (int o = -stc_pack_planes(pack); o < pack->balls; o++) {
      double gap = stc_pack_gap(pack, o, x, r, n[0]);
      if (gap < 0.0) stc_combine3(x, -gap, n[0], x);
    }
    if (before - x[2] < 1e-3 * step) return;
  }
}

// Over a few balls of different sizes and heights the ball takes one support, then two, leaves one
// again and ends in a hollow or on the floor. Small steps must end at the same place.
static void events_follow_the_path_of_small_steps(void **state) {
  enum { FIXED = 4, DROPS = 40 };
  const double radius[FIXED + 1] = {1.0, 0.7, 1.3, 0.8, 0.9}, width[2] = {10, 10};
  const double at[FIXED][3] = {{4.6, 4.7, 2.5}, {6.1, 5.4, 2.9}, {5.0, 6.6, 1.5}, {6.4, 3.8, 1.9}};
  stc_pack pack;
  assert_int_equal(stc_pack_open(&pack, false, width, FIXED + 1, radius), STC_OK);
  for (int b = 0; b < FIXED; b++) assert_int_equal(stc_pack_settle(&pack, at[b]), STC_OK);
  stc_random random = stc_random_seed(5);
  for (int k = 0; k < DROPS; k++) {
    double x[3] = {4.0 + 3.0 * stc_random_uniform(&random), 4.0 + 3.0 * stc_random_uniform(&random),
                   5.0};
    double y[3] = {x[0], x[1], x[2]};
    assert_true(stc_pack_roll(&pack, x));
    creep(&pack, y);
    expect_near(hypot(x[0] - y[0], x[1] - y[1]), 0.0, 2e-3);
    expect_near(x[2], y[2], 2e-3);
  }
  stc_pack_free(&pack);
}

// A slot between a wall and a ball exactly as wide as the falling ball: it stays in the slot or on
// the floor, never inside something.
static void a_slot_as_wide_as_the_ball_is_survived(void **state) {
  for (int k = -3; k <= 3; k++) {
    const double radius[2] = {1, 1}, width[2] = {10, 0};
    stc_pack pack;
    assert_int_equal(stc_pack_open(&pack, true, width, 2, radius), STC_OK);
    assert_int_equal(stc_pack_settle(&pack, (double[3]){7.0 + k * 1e-10, 0, 5}), STC_OK);
    double x[3] = {7.4, 0.0, 12.0};
    assert_true(stc_pack_roll(&pack, x));
    assert_int_equal(stc_pack_settle(&pack, x), STC_OK);
    assert_true(depth(&pack, 1) < 1e-8);
    stc_pack_free(&pack);
  }
}

static void same_seed_gives_the_same_bits(void **state) {
  stc_pack a, b;
  fill(&a, false, 15.0, 0.5, 2);
  fill(&b, false, 15.0, 0.5, 2);
  assert_memory_equal(a.centre, b.centre, BALLS * sizeof *a.centre);
  stc_pack_free(&b);
  fill(&b, false, 15.0, 0.5, 4);
  assert_memory_not_equal(a.centre, b.centre, BALLS * sizeof *a.centre);
  stc_pack_free(&a);
  stc_pack_free(&b);
  stc_pack_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_ball_is_inside_another),
      cmocka_unit_test(every_ball_is_held_from_below),
      cmocka_unit_test(balls_have_as_many_supports_as_they_need),
      cmocka_unit_test(piles_are_dense),
      cmocka_unit_test(a_disc_stops_between_two_others),
      cmocka_unit_test(a_disc_rolls_off_to_the_floor),
      cmocka_unit_test(a_ball_completes_a_tetrahedron),
      cmocka_unit_test(events_follow_the_path_of_small_steps),
      cmocka_unit_test(a_slot_as_wide_as_the_ball_is_survived),
      cmocka_unit_test(same_seed_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
