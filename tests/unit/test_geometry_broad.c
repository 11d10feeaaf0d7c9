// The broad phase finds the pairs that a comparison of all with all finds, in order.
#include "geometry_support.h"

typedef struct boxes {
  int count;
  double *low, *high;
  bool *moving;
} boxes;

static boxes make_boxes(int count) {
  size_t n = (size_t)count;
  return (boxes){count, calloc(3 * n, sizeof(double)), calloc(3 * n, sizeof(double)),
                 calloc(n, sizeof(bool))};
}

static void free_boxes(boxes *b) { free(b->low), free(b->high), free(b->moving); }

static void place(boxes *b, int i, const double x[3], double half, bool moving) {
  for (int k = 0; k < 3; k++) b->low[3 * i + k] = x[k] - half, b->high[3 * i + k] = x[k] + half;
  b->moving[i] = moving;
}

static void expect_all_pairs(stc_broad *broad, const boxes *b) {
  const int *pair;
  int pairs, next = 0;
  assert_int_equal(stc_broad_find(broad, b->count, b->low, b->high, b->moving, &pairs, &pair),
                   STC_OK);
  for (int i = 0; i < b->count; i++)
    for (int j = i + 1; j < b->count; j++) {
      bool meet = b->moving[i] || b->moving[j];
      for (int k = 0; k < 3; k++)
        meet = meet && b->low[3 * i + k] <= b->high[3 * j + k] &&
               b->low[3 * j + k] <= b->high[3 * i + k];
      if (!meet) continue;
      assert_true(next < pairs);
      assert_int_equal(pair[2 * next], i);
      assert_int_equal(pair[2 * next + 1], j);
      next++;
    }
  assert_int_equal(next, pairs);
}

// Sizes over nine powers of ten, an infinite floor, and obstacles.
static void all_pairs_are_found_in_order(void **state) {
  stc_random random = stc_random_seed(1);
  stc_broad *broad = NULL;
  assert_int_equal(stc_broad_create(&broad), STC_OK);
  for (int t = 0; t < 40; t++) {
    boxes b = make_boxes(5 + 10 * t);
    for (int i = 0; i < b.count; i++) {
      double spread = pow(10, between(&random, -2, 1)), x[3];
      for (int k = 0; k < 3; k++) x[k] = between(&random, -spread, spread);
      double half = t % 2 ? 0.3 : pow(10, between(&random, -8, 1));
      place(&b, i, x, half, stc_random_uniform(&random) < 0.7);
    }
    place(&b, 1, (double[3]){0}, INFINITY, false);
    b.high[5] = 0;
    expect_all_pairs(broad, &b);
    free_boxes(&b);
  }
  stc_broad_free(&broad);
  stc_broad_free(&broad);
  assert_null(broad);
}

// On a lattice every box touches its 26 neighbours exactly: touching counts.
static void touching_boxes_are_pairs(void **state) {
  enum { SIDE = 7 };
  boxes b = make_boxes(SIDE * SIDE * SIDE);
  stc_broad *broad = NULL;
  const int *pair;
  int pairs;
  for (int i = 0; i < b.count; i++)
    place(&b, i, (double[3]){i % SIDE, (double)(i / SIDE % SIDE), (double)(i / SIDE / SIDE)}, 0.5,
          true);
  assert_int_equal(stc_broad_create(&broad), STC_OK);
  assert_int_equal(stc_broad_find(broad, b.count, b.low, b.high, NULL, &pairs, &pair), STC_OK);
  // ordered pairs within one step along each axis: (3 SIDE - 2)^3, less those with themselves
  int ordered = (3 * SIDE - 2) * (3 * SIDE - 2) * (3 * SIDE - 2) - SIDE * SIDE * SIDE;
  assert_int_equal(pairs, ordered / 2);
  expect_all_pairs(broad, &b);
  stc_broad_free(&broad);
  free_boxes(&b);
}

// Boxes that are no boxes meet nobody, and do no harm; so do points and an empty list.
static void odd_boxes_do_no_harm(void **state) {
  boxes b = make_boxes(8);
  stc_broad *broad = NULL;
  const int *pair;
  int pairs;
  for (int i = 0; i < 8; i++) place(&b, i, (double[3]){0}, 1e-300, true);
  b.low[0] = NAN;
  b.high[4] = NAN;
  b.low[6] = 1, b.high[6] = -1;
  b.low[9] = -1e300, b.high[9] = 1e300;
  b.low[12] = b.high[12] = 1e308;
  assert_int_equal(stc_broad_create(&broad), STC_OK);
  expect_all_pairs(broad, &b);
  assert_int_equal(stc_broad_find(broad, 0, NULL, NULL, NULL, &pairs, &pair), STC_OK);
  assert_int_equal(pairs, 0);
  expect_failure(stc_broad_find(broad, -1, NULL, NULL, NULL, &pairs, &pair), STC_ERR_ARGUMENT,
                 "-1 boxes");
  stc_broad_free(&broad);
  free_boxes(&b);
}

static void no_boxes_make_no_pairs(void **state) {
  stc_broad *broad = NULL;
  int pairs = -1;
  const int *pair;
  assert_int_equal(stc_broad_create(&broad), STC_OK);
  assert_int_equal(stc_broad_find(broad, 0, NULL, NULL, NULL, &pairs, &pair), STC_OK);
  assert_int_equal(pairs, 0);
  stc_broad_free(&broad);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_pairs_are_found_in_order), cmocka_unit_test(touching_boxes_are_pairs),
      cmocka_unit_test(odd_boxes_do_no_harm), cmocka_unit_test(no_boxes_make_no_pairs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
