// Exact numbers against GMP's own at random; what they do where there is no memory, no room, or
// nothing to compute; and that GMP is never asked to allocate, whatever their length.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "cert/exact/exact_number.h"
#include "conform/heap.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- GMP as the judge

enum { POOL = 12, OPERATIONS = 6, WIDTH = 60000 };

typedef struct pair {
  stc_q own;
  mpq_t theirs;
} pair;

// A double of any exponent in a range where products of four are finite.
static double any_double(stc_random *random) {
  double x = ldexp(stc_random_normal(random), (int)(stc_random_bits(random) % 400) - 200);
  return stc_random_bits(random) % 8 ? x : (double)((long)(stc_random_bits(random) % 21) - 10);
}

static void set_pair(pair *p, double x) {
  stc_q_set_d(p->own, x);
  mpq_set_d(p->theirs, x);
}

static char written[WIDTH];

static void expect_same(const pair *p, const char *what) {
  static char theirs[WIDTH];
  assert_true(stc_q_width(p->own) < WIDTH);
  assert_int_equal(stc_q_write(p->own, written), strlen(mpq_get_str(theirs, 10, p->theirs)));
  if (strcmp(written, theirs) != 0) fail_msg("%s: %s instead of %s", what, written, theirs);
  if (stc_q_get_d(p->own) != mpq_get_d(p->theirs))
    fail_msg("%s as a double: %a instead of %a", what, stc_q_get_d(p->own), mpq_get_d(p->theirs));
}

static void operate(int operation, pair *x, const pair *a, const pair *b) {
  static void (*const OWN[])(stc_q, stc_q_srcptr, stc_q_srcptr) = {stc_q_add, stc_q_sub, stc_q_mul,
                                                                   stc_q_div};
  static void (*const THEIRS[])(mpq_ptr, mpq_srcptr, mpq_srcptr) = {mpq_add, mpq_sub, mpq_mul,
                                                                    mpq_div};
  if (operation == 3 && mpq_sgn(b->theirs) == 0) return;
  if (operation < 4) {
    OWN[operation](x->own, a->own, b->own);
    THEIRS[operation](x->theirs, a->theirs, b->theirs);
  } else if (operation == 4) {
    stc_q_neg(x->own, a->own);
    mpq_neg(x->theirs, a->theirs);
  } else {
    stc_q_abs(x->own, a->own);
    mpq_abs(x->theirs, a->theirs);
  }
}

static int sign(int x) { return (x > 0) - (x < 0); }

// Any operand may be the result as well, and sums cancel: x - x, x + (y - x).
static void they_are_those_of_gmp(void **state) {
  stc_random random = stc_random_seed(11);
  pair pool[POOL] = {0};
  for (int k = 0; k < POOL; k++) mpq_init(pool[k].theirs);
  stc_fault_clear();
  for (int step = 0; step < 20000; step++) {
    pair *x = &pool[stc_random_bits(&random) % POOL], *a = &pool[stc_random_bits(&random) % POOL],
         *b = &pool[stc_random_bits(&random) % POOL];
    if (step % 5 == 0) set_pair(a, any_double(&random));
    operate((int)(stc_random_bits(&random) % OPERATIONS), x, a, b);
    expect_same(x, "a result");
    if (strlen(written) > 4000) set_pair(x, any_double(&random));
    assert_int_equal(sign(stc_q_cmp(a->own, b->own)), sign(mpq_cmp(a->theirs, b->theirs)));
    assert_int_equal(stc_q_equal(a->own, b->own), mpq_equal(a->theirs, b->theirs) != 0);
  }
  assert_int_equal(stc_fault_seen(), STC_FAULT_NONE);
  for (int k = 0; k < POOL; k++) {
    stc_q_clear(pool[k].own);
    mpq_clear(pool[k].theirs);
  }
}

// 2^-1074 and its half, the largest double and its double: cut towards zero, or infinite.
static void doubles_end_where_they_end(void **state) {
  STC_Q x = {0};
  stc_fault_clear();
  stc_q_set_d(x, 0x1.8p-1073);
  assert_true(stc_q_get_d(x) == 0x1.8p-1073);
  stc_q_shift(x, -1);
  assert_true(stc_q_get_d(x) == 0x1p-1074);
  stc_q_shift(x, -1);
  assert_true(stc_q_get_d(x) == 0);
  assert_int_equal(stc_q_exponent(x), -1074);
  stc_q_set_d(x, 0x1.fffffffffffffp1023);
  assert_true(stc_q_get_d(x) == 0x1.fffffffffffffp1023);
  stc_q_shift(x, 1);
  assert_true(isinf(stc_q_get_d(x)));
  assert_int_equal(stc_q_exponent(x), 1025);
  assert_int_equal(stc_fault_seen(), STC_FAULT_NONE);
}

// ---- integers

// x = (x p - a b) / d of Bareiss' elimination of a matrix of doubles: the last pivot is its
// determinant, as GMP's rationals find it by the formula of 2 by 2 minors.
static void crossing_divides_exactly(void **state) {
  static const double A[3][3] = {{3, -7, 1e15}, {5, 2, -9}, {-123456789, 11, 4}};
  stc_z Z[3][3] = {0};
  STC_Z one = {0};
  stc_fault_clear();
  stc_z_set_i(one, 1);
  for (int k = 0; k < 9; k++) stc_z_set_d(Z[k / 3][k % 3], A[k / 3][k % 3]);
  for (int k = 0; k < 2; k++)
    for (int i = k + 1; i < 3; i++)
      for (int j = k + 1; j < 3; j++)
        stc_z_cross(Z[i][j], Z[k][k], Z[i][k], Z[k][j], k ? Z[0][0] : one);
  // 3 (2*4 + 9*11) + 7 (5*4 - 9*123456789) + 1e15 (5*11 + 2*123456789), in 64 bits and a shift
  STC_Z expected = {0}, term = {0};
  stc_z_set_d(expected, 55.0 + 246913578.0);
  stc_z_set_d(term, 1e15);
  stc_z_mul(expected, expected, term);
  stc_z_set_i(term, 3L * 107 + 7L * (20 - 1111111101L));
  stc_z_add(expected, expected, term);
  assert_int_equal(stc_z_cmp(Z[2][2], expected), 0);
  for (int k = 0; k < 9; k++) stc_z_clear(Z[k / 3][k % 3]);
}

// ---- faults

static void expect_fault(stc_fault fault) {
  assert_int_equal(stc_fault_seen(), fault);
  stc_fault_clear();
}

// An infinity and a division by zero are seen, stay seen, and nothing is computed meanwhile.
static void a_fault_stays_until_it_is_cleared(void **state) {
  STC_Q x = {0}, y = {0};
  stc_fault_clear();
  stc_q_set_i(x, 3);
  stc_q_set_d(y, INFINITY);
  assert_int_equal(stc_fault_seen(), STC_FAULT_VALUE);
  stc_q_add(x, x, x);
  assert_int_equal(stc_fault_check(), STC_OK);  // no error, but no result either
  expect_fault(STC_FAULT_VALUE);
  assert_true(stc_q_get_d(x) == 3);
  stc_q_set_d(y, NAN);
  expect_fault(STC_FAULT_VALUE);
  stc_q_div(x, x, y);
  expect_fault(STC_FAULT_VALUE);
  assert_true(stc_q_get_d(x) == 3);
}

static void no_memory_is_a_fault(void **state) {
  if (!heap_is_counted()) skip();
  STC_Q x = {0}, y = {0};
  stc_fault_clear();
  stc_q_set_d(x, 0.1);
  heap_begin();
  heap_fail_at(1);
  stc_q_mul(y, x, x);
  heap_fail_at(0);
  assert_int_equal(stc_fault_check(), STC_ERR_MEMORY);
  expect_fault(STC_FAULT_MEMORY);
}

// ---- the longest numbers

static int asked;

static void *allocate(size_t size) {
  asked++;
  return malloc(size);
}

static void *reallocate(void *block, size_t old, size_t size) {
  asked++;
  return realloc(block, size);
}

static void release(void *block, size_t size) { free(block); }

// An odd integer of nearly `bits` bits.
static void set_long(stc_q x, int bits, stc_random *random) {
  STC_Q more = {0};
  stc_q_set_i(x, 1);
  while ((int)stc_q_bits(x) < bits - 64) {
    stc_q_shift(x, 60);
    stc_q_set_i(more, (long)(stc_random_bits(random) >> 4) | 1);
    stc_q_add(x, x, more);
  }
}

// a/b + c/d, a/b c/d, a/b : c/d, a/b < c/d with numbers of all lengths: too long for a result, or
// not, no memory is asked for by GMP.
static void gmp_is_never_asked_to_allocate(void **state) {
  stc_random random = stc_random_seed(5);
  stc_q x[4] = {0};
  STC_Q y = {0};
  char *text = malloc(WIDTH);
  mp_set_memory_functions(allocate, reallocate, release);
  asked = 0;
  for (int bits = 128; bits <= STC_NUMBER_BITS; bits += STC_NUMBER_BITS / 16 - 8) {
    stc_fault_clear();
    for (int k = 0; k < 4; k++) set_long(x[k], bits, &random);
    for (int k = 0; k < 2; k++) stc_q_div(x[k], x[k], x[k + 2]);
    assert_int_equal(stc_fault_seen(), STC_FAULT_NONE);
    assert_true(stc_q_width(x[0]) < WIDTH && stc_q_write(x[0], text) > 0);
    assert_true(isfinite(stc_q_get_d(x[0])));
    assert_true(stc_q_cmp(x[0], x[1]) == -stc_q_cmp(x[1], x[0]));
    static void (*const OWN[])(stc_q, stc_q_srcptr, stc_q_srcptr) = {stc_q_add, stc_q_sub,
                                                                     stc_q_mul, stc_q_div};
    for (int k = 0; k < 4; k++) {
      OWN[k](y, x[0], x[1]);
      expect_fault(2 * bits > STC_NUMBER_BITS + 64 ? STC_FAULT_LENGTH : STC_FAULT_NONE);
    }
  }
  assert_int_equal(asked, 0);
  mp_set_memory_functions(NULL, NULL, NULL);
  for (int k = 0; k < 4; k++) stc_q_clear(x[k]);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_are_those_of_gmp),
      cmocka_unit_test(doubles_end_where_they_end),
      cmocka_unit_test(crossing_divides_exactly),
      cmocka_unit_test(a_fault_stays_until_it_is_cleared),
      cmocka_unit_test(no_memory_is_a_fault),
      cmocka_unit_test(gmp_is_never_asked_to_allocate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
