// Small factors inside an envelope: nothing outside is looked at, several vectors side by side, the
// inverse, the row of a bad pivot.
#include "expect.h"

#include "linalg/envelope.h"

enum { N = 9 };

static stc_envelope envelope(int *reach, double *A, bool skew) {
  for (int k = 0; k < N; k++) reach[k] = 0;
  return (stc_envelope){.n = N, .skew = skew, .reach = reach, .A = A};
}

static void put_entry(stc_envelope *e, int i, int j, double value) {
  e->A[j * N + i] = value;
  stc_envelope_reach(e, i, j);
}

/// The chain (-1, 2, -1) with an entry -1/4 between 3 and 6, and NaN wherever nothing was put.
static void fill_chain(stc_envelope *e) {
  for (int k = 0; k < N * N; k++) e->A[k] = NAN;
  for (int i = 0; i < N; i++) {
    put_entry(e, i, i, 2);
    if (i > 0) put_entry(e, i, i - 1, -1);
  }
  put_entry(e, 6, 3, -0.25);
  // The envelope around that entry: zeros are to be given.
  e->A[3 * N + 5] = e->A[4 * N + 6] = 0;
}

static double chain_entry(int i, int j) {
  if (i == j) return 2;
  if (abs(i - j) == 1) return -1;
  return i + j == 9 && abs(i - j) == 3 ? -0.25 : 0;
}

static void what_lies_outside_is_not_looked_at(void **state) {
  int reach[N];
  double A[N * N], x[N] = {0};
  stc_envelope e = envelope(reach, A, false);
  fill_chain(&e);
  assert_int_equal(stc_envelope_factorise(&e), -1);
  // Column 3 reaches row 6, and so do 4 and 5 after it; the others reach the next row.
  const int expected[N] = {1, 2, 3, 6, 6, 6, 7, 8, 8};
  assert_memory_equal(reach, expected, sizeof expected);
  for (int i = 0; i < N; i++)  // M x = f with x = (1, 2, ..., 9)
    for (int j = 0; j < N; j++) x[i] += chain_entry(i, j) * (j + 1);
  stc_envelope_solve(&e, x);
  for (int i = 0; i < N; i++) expect_near(x[i], i + 1, 1e-13);
}

static void vectors_side_by_side(void **state) {
  // Right-hand sides e_5, 2 e_7, 0, e_8: their solutions from row 4 on are columns of the inverse.
  enum { FIRST = 4 };
  int reach[N];
  double A[N * N], inverse[N * N], x[N * STC_LANES] = {0};
  stc_envelope e = envelope(reach, A, false);
  fill_chain(&e);
  assert_int_equal(stc_envelope_factorise(&e), -1);
  stc_envelope_invert(&e, inverse);
  x[5 * STC_LANES] = x[8 * STC_LANES + 3] = 1;
  x[7 * STC_LANES + 1] = 2;
  stc_envelope_solve_lanes(&e, FIRST, x);
  for (int i = 0; i < N; i++) {
    const double asked[STC_LANES] = {inverse[5 * N + i], 2 * inverse[7 * N + i], 0,
                                     inverse[8 * N + i]};
    for (int l = 0; l < STC_LANES; l++)
      expect_near(x[i * STC_LANES + l], i < FIRST ? 0 : asked[l], 1e-15);
  }
}

/// |A B - I| for a symmetric inverse B and for that of a matrix that is not.
static void the_inverse_is_one(void **state) {
  for (int skew = 0; skew < 2; skew++) {
    int reach[N];
    double A[N * N] = {0}, M[N * N], inverse[N * N];
    stc_envelope e = envelope(reach, A, skew);
    for (int i = 0; i < N; i++) {
      put_entry(&e, i, i, 3 + i);
      for (int j = i - 2 < 0 ? 0 : i - 2; j < i; j++) {
        put_entry(&e, i, j, 1 + skew * 0.5);
        put_entry(&e, j, i, 1 - skew * 0.5);
      }
    }
    memcpy(M, A, sizeof M);
    assert_int_equal(stc_envelope_factorise(&e), -1);
    stc_envelope_invert(&e, inverse);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int k = 0; k < N; k++) sum += M[k * N + i] * inverse[j * N + k];
        expect_near(sum, i == j, 1e-14);
        assert_true(skew || inverse[j * N + i] == inverse[i * N + j]);
      }
  }
}

static void a_bad_pivot_is_named(void **state) {
  // Row 4 of the chain with the diagonal entry 1/5: its pivot is 1/5 - 4/5. The symmetric part of
  // a skew matrix decides: with +-1/2 off the diagonal it is diagonal, and 0 stays 0.
  int reach[N];
  double A[N * N];
  stc_envelope e = envelope(reach, A, false);
  fill_chain(&e);
  A[4 * N + 4] = 0.2;
  assert_int_equal(stc_envelope_factorise(&e), 4);
  e = envelope(reach, A, true);
  memset(A, 0, sizeof A);
  for (int i = 0; i < N; i++) {
    put_entry(&e, i, i, i == 7 ? 0 : 1);
    if (i > 0) put_entry(&e, i, i - 1, 0.5), put_entry(&e, i - 1, i, -0.5);
  }
  assert_int_equal(stc_envelope_factorise(&e), 7);
}

TEST_PROGRAM(cmocka_unit_test(what_lies_outside_is_not_looked_at),
             cmocka_unit_test(vectors_side_by_side), cmocka_unit_test(the_inverse_is_one),
             cmocka_unit_test(a_bad_pivot_is_named))
