// Anderson acceleration on maps whose fixed points are known.
#include "expect.h"

#include "solve/methods/anderson.h"

enum { N = 3 };

// g(x) = A x + b with the fixed point (1, 2, 3) and the slow eigenvalue 0.99.
static void linear_map(const double *x, double *g) {
  const double fixed[N] = {1, 2, 3};
  const double A[N][N] = {{0.99, 0, 0}, {0.3, 0.5, 0}, {0, -0.4, 0.2}};
  for (int i = 0; i < N; i++) {
    g[i] = fixed[i];
    for (int j = 0; j < N; j++) g[i] += A[i][j] * (x[j] - fixed[j]);
  }
}

static const double ONES[N] = {1, 1, 1};

static double distance(const double *x) { return hypot(hypot(x[0] - 1, x[1] - 2), x[2] - 3); }

// With as many differences as unknowns a linear map is solved: N + 1 evaluations and the leap.
static void a_linear_map_is_solved_in_its_dimension(void **state) {
  stc_arena arena = {0};
  stc_anderson a;
  double x[N] = {0}, g[N];
  assert_int_equal(stc_anderson_create(&arena, N, 5, ONES, &a), STC_OK);
  for (int k = 0; k <= N; k++) {
    linear_map(x, g);
    stc_anderson_step(&a, x, g);
  }
  assert_true(distance(x) < 1e-2);  // the ridge costs digits that the next leap brings back
  linear_map(x, g);
  stc_anderson_step(&a, x, g);
  assert_true(distance(x) < 1e-8);
  assert_int_equal(a.rejected, 0);
  stc_arena_free(&arena);
}

// Without memory a step is the map itself: after 100 of them the error is still 0.99^100 = 0.37.
static void without_memory_it_is_the_map(void **state) {
  stc_arena arena = {0};
  stc_anderson a;
  double x[N] = {0}, g[N];
  assert_int_equal(stc_anderson_create(&arena, N, 0, ONES, &a), STC_OK);
  for (int k = 0; k < 100; k++) {
    linear_map(x, g);
    stc_anderson_step(&a, x, g);
    assert_memory_equal(x, g, sizeof x);
  }
  assert_true(distance(x) > 0.3);
  stc_arena_free(&arena);
}

// The least residual is found in the weighted norm: with all weight on the first component one
// difference cancels that component and leaves the other as it comes.
static void weights_decide_what_is_least(void **state) {
  const double first[2] = {1, 1e-12};
  stc_arena arena = {0};
  stc_anderson a;
  // g(x) = (0.9 x_0, 0.5 x_1): one difference; in the norm of x_0 alone the leap is exact in x_0.
  double x[2] = {1, 1}, g[2];
  assert_int_equal(stc_anderson_create(&arena, 2, 1, first, &a), STC_OK);
  for (int k = 0; k < 2; k++) {
    g[0] = 0.9 * x[0];
    g[1] = 0.5 * x[1];
    stc_anderson_step(&a, x, g);
  }
  expect_near(x[0], 0, 1e-9);
  // c = f_0 / df_0 = -0.09 / 0.01 = -9, so x_1 = g_1 - c (dx_1 + df_1) with dx_1 = -0.5, df_1 =
  // 0.25.
  expect_near(x[1], 0.25 + 9 * (-0.5 + 0.25), 1e-6);
  stc_arena_free(&arena);
}

static stc_anderson of_one_number(stc_arena *arena) {
  static const double one[1] = {1};  // the acceleration keeps the address of its weights
  stc_anderson a;
  assert_int_equal(stc_anderson_create(arena, 1, 3, one, &a), STC_OK);
  return a;
}

// A leap after which the residual has more than doubled is taken back to the image before it.
static void a_bad_leap_is_taken_back(void **state) {
  stc_arena arena = {0};
  stc_anderson a = of_one_number(&arena);
  double x[1] = {0}, g[1] = {1};
  stc_anderson_step(&a, x, g);  // x = 1
  expect_near(x[0], 1, 0);
  g[0] = 1.9;
  stc_anderson_step(&a, x, g);  // residuals 1, 0.9: the secant leaps to x = 10
  expect_near(x[0], 10, 1e-9);
  assert_true(a.leapt);
  g[0] = x[0] + 5;  // 5 > 2 * 0.9
  stc_anderson_step(&a, x, g);
  expect_near(x[0], 1.9, 0);
  assert_int_equal(a.rejected, 1);
  g[0] = x[0] + 0.8;  // forgotten: the next step is the plain one
  stc_anderson_step(&a, x, g);
  expect_near(x[0], 2.7, 1e-15);
  stc_arena_free(&arena);
}

// A residual that is not a number counts as growth.
static void a_leap_to_nowhere_is_taken_back(void **state) {
  stc_arena arena = {0};
  stc_anderson a = of_one_number(&arena);
  double x[1] = {0}, g[1] = {1};
  stc_anderson_step(&a, x, g);
  g[0] = 1.9;
  stc_anderson_step(&a, x, g);
  g[0] = NAN;
  stc_anderson_step(&a, x, g);
  expect_near(x[0], 1.9, 0);
  stc_arena_free(&arena);
}

// At a fixed point all differences vanish: the step stays where it is.
static void a_fixed_point_stays(void **state) {
  stc_arena arena = {0};
  stc_anderson a;
  double x[N] = {1, 2, 3}, g[N];
  assert_int_equal(stc_anderson_create(&arena, N, 5, ONES, &a), STC_OK);
  for (int k = 0; k < 10; k++) {
    linear_map(x, g);
    stc_anderson_step(&a, x, g);
    assert_true(distance(x) == 0);
  }
  stc_arena_free(&arena);
}

// The memory is a ring: long runs on a map with more eigenvalues than slots still converge.
static void old_differences_make_room(void **state) {
  enum { LARGE = 30 };
  double x[LARGE] = {0}, g[LARGE], weight[LARGE], error = 0;
  stc_arena arena = {0};
  stc_anderson a;
  for (int k = 0; k < LARGE; k++) weight[k] = 1;
  assert_int_equal(stc_anderson_create(&arena, LARGE, 4, weight, &a), STC_OK);
  for (int n = 0; n < 150; n++) {
    for (int k = 0; k < LARGE; k++) g[k] = 1 + 0.95 * k / LARGE * (x[k] - 1);
    stc_anderson_step(&a, x, g);
  }
  for (int k = 0; k < LARGE; k++) error = fmax(error, fabs(x[k] - 1));
  assert_true(error < 1e-9);  // plain: 0.92^150 = 3e-6
  assert_int_equal(a.count, 4);
  stc_anderson_reset(&a);
  assert_int_equal(a.count, 0);
  stc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linear_map_is_solved_in_its_dimension),
      cmocka_unit_test(without_memory_it_is_the_map),
      cmocka_unit_test(weights_decide_what_is_least),
      cmocka_unit_test(a_bad_leap_is_taken_back),
      cmocka_unit_test(a_leap_to_nowhere_is_taken_back),
      cmocka_unit_test(a_fixed_point_stays),
      cmocka_unit_test(old_differences_make_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
