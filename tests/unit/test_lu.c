// Sparse LU: answers against a product formed by hand, restriction to a part, determinant sign.
#include "base/random.h"
#include "base/stop.h"
#include "linalg/dense.h"
#include "linalg/lu_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A matrix of SMALL nodes is analysed when first used, one of LARGE nodes at creation.
enum { SMALL = 60, LARGE = 200, MOST = 6, ENTRIES = 8 * LARGE };

typedef struct matrix {
  int nodes, size[LARGE], offset[LARGE + 1], ptr[LARGE + 1], adj[ENTRIES];
  size_t val_ptr[ENTRIES + 1];
  double val[ENTRIES * MOST * MOST];
} matrix;

static matrix A;  // too large for the stack

// A ring with random chords, blocks of 1 to 6 rows, dominant but unsymmetric diagonal blocks.
static void make(int n, unsigned seed, double diagonal) {
  stc_random random = stc_random_seed(seed);
  static bool edge[LARGE][LARGE];
  memset(edge, 0, sizeof edge);
  memset(&A, 0, sizeof A);
  A.nodes = n;
  for (int i = 0; i < n; i++) {
    edge[i][i] = edge[i][(i + 1) % n] = edge[(i + 1) % n][i] = true;
    int j = (int)(stc_random_bits(&random) % (unsigned)n);
    edge[i][j] = edge[j][i] = true;
    A.size[i] = 1 + (int)(stc_random_bits(&random) % MOST);
    A.offset[i + 1] = A.offset[i] + A.size[i];
  }
  int e = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (!edge[i][j]) continue;
      A.adj[e] = j;
      A.val_ptr[e + 1] = A.val_ptr[e] + (size_t)(A.size[i] * A.size[j]);
      for (size_t k = A.val_ptr[e]; k < A.val_ptr[e + 1]; k++)
        A.val[k] = stc_random_normal(&random);
      for (int k = 0; i == j && k < A.size[i]; k++)
        A.val[A.val_ptr[e] + (size_t)(k * (A.size[i] + 1))] += diagonal;
      e++;
    }
    A.ptr[i + 1] = e;
  }
}

static stc_pattern pattern(void) {
  return (stc_pattern){.nodes = A.nodes, .size = A.size, .ptr = A.ptr, .adj = A.adj};
}

// b = A x over the active nodes.
static void multiply(const bool *active, const double *x, double *b) {
  memset(b, 0, sizeof(double) * (size_t)A.offset[A.nodes]);
  for (int i = 0; i < A.nodes; i++)
    for (int e = A.ptr[i]; e < A.ptr[i + 1]; e++) {
      int j = A.adj[e];
      if (active && !(active[i] && active[j])) continue;
      for (int c = 0; c < A.size[j]; c++)
        for (int r = 0; r < A.size[i]; r++)
          b[A.offset[i] + r] +=
              A.val[A.val_ptr[e] + (size_t)(r + c * A.size[i])] * x[A.offset[j] + c];
    }
}

static void solves_to(stc_lu *lu, const bool *active, double tol) {
  double x[LARGE * MOST], b[LARGE * MOST];
  for (int k = 0; k < A.offset[A.nodes]; k++) x[k] = sin(k + 1.0);
  multiply(active, x, b);
  assert_int_equal(stc_lu_factorise(lu, A.val, A.val_ptr), 0);
  stc_lu_solve(lu, b);
  for (int i = 0; i < A.nodes; i++)
    for (int k = A.offset[i]; k < A.offset[i + 1]; k++)
      if (!active || active[i]) assert_true(fabs(b[k] - x[k]) < tol);
}

// x is chosen, b = A x formed by hand: the solve returns x.
static void returns_the_known_answer(void **state) {
  for (unsigned seed = 1; seed <= 20; seed++) {
    make(seed % 2 ? SMALL : LARGE, seed, 14);
    stc_lu *lu = NULL;
    stc_pattern p = pattern();
    assert_int_equal(stc_lu_create(&p, 1e9, &lu), STC_OK);
    solves_to(lu, NULL, 1e-10);
    stc_lu_free(&lu);
    assert_null(lu);
    stc_lu_free(&lu);
  }
}

// Inside a room of the promised size the answers are the same; the room is the caller's to free.
static void fits_into_its_room(void **state) {
  for (unsigned seed = 1; seed <= 20; seed++) {
    make(SMALL, seed, 14);
    stc_pattern p = pattern();
    size_t bytes = stc_lu_room(p.nodes, p.ptr[p.nodes], A.offset[A.nodes]);
    char *room = malloc(bytes);
    stc_arena arena = stc_arena_within(room, bytes);
    stc_lu *lu = NULL;
    assert_int_equal(stc_lu_create_within(&arena, &p, &lu), STC_OK);
    solves_to(lu, NULL, 1e-10);
    bool active[SMALL];
    for (int i = 0; i < SMALL; i++) active[i] = i % 3 != 0;
    stc_lu_select(lu, active);
    solves_to(lu, active, 1e-10);
    stc_lu_free(&lu);
    assert_null(lu);
    free(room);
  }
}

static stc_lu *created(void) {
  stc_lu *lu = NULL;
  stc_pattern p = pattern();
  assert_int_equal(stc_lu_create(&p, 1e9, &lu), STC_OK);
  return lu;
}

// A part of the nodes is solved as if the others were not there; then the whole again.
static void restricts_to_a_part(void **state) {
  make(LARGE, 5, 14);
  stc_lu *lu = created();
  double whole = stc_lu_entries(lu);
  for (unsigned seed = 1; seed <= 20; seed++) {
    stc_random random = stc_random_seed(seed);
    bool active[LARGE];
    for (int i = 0; i < A.nodes; i++) active[i] = stc_random_uniform(&random) < 0.05 * seed;
    stc_lu_select(lu, active);
    assert_true(stc_lu_entries(lu) <= whole);
    solves_to(lu, active, 1e-10);
  }
  stc_lu_select(lu, NULL);
  solves_to(lu, NULL, 1e-10);
  stc_lu_free(&lu);
}

// Operations and entries are counted at creation and listed when the whole is selected: an entry
// for each fill path, in either way.
static void counts_what_it_lists(void **state) {
  for (unsigned seed = 1; seed <= 20; seed++) {
    make(LARGE, seed, 14);
    stc_lu *lu = NULL;
    stc_pattern p = pattern();
    assert_int_equal(stc_lu_create(&p, 1e9, &lu), STC_OK);
    double flops = stc_lu_flops(lu), entries = stc_lu_entries(lu);
    assert_true(entries > A.ptr[A.nodes]);
    stc_lu_select(lu, NULL);
    assert_true(stc_lu_flops(lu) == flops);
    assert_true(stc_lu_entries(lu) == entries);
    stc_lu_free(&lu);
  }
}

static bool count_look(void *user) {
  ++*(int *)user;
  return true;
}

static int looks_of_factorisation(stc_lu *lu) {
  int looks = 0;
  stc_stop stop;
  stc_stop_open(&stop, INFINITY, count_look, &looks);
  stop.grain = stop.every = stop.next = 0;  // every count of work is a look
  assert_int_equal(stc_lu_factorise(lu, A.val, A.val_ptr), 0);
  assert_int_equal(stc_stop_close(&stop), STC_STOP_NOT);
  return looks;
}

static int looks_of_solve(stc_lu *lu) {
  int looks = 0;
  double x[SMALL * MOST] = {0};
  stc_stop stop;
  stc_stop_open(&stop, INFINITY, count_look, &looks);
  stop.grain = stop.every = stop.next = 0;
  stc_lu_solve(lu, x);
  assert_int_equal(stc_stop_close(&stop), STC_STOP_NOT);
  return looks;
}

// One look per supernode, per chunk of memory that is cleared, and at the end: none is left out.
// The products are too small to look by themselves.
static void looks_at_the_clock_everywhere(void **state) {
  make(SMALL, 7, 14);
  stc_lu *lu = created();
  stc_lu_select(lu, NULL);
  int expected = 1;
  for (int s = 0; s < lu->S.supernodes; s++) {
    size_t size = lu->value_ptr[s + 1] - lu->value_ptr[s];
    expected += 1 + (int)((size + (1 << 17) - 1) >> 17);
  }
  assert_int_equal(looks_of_factorisation(lu), expected);
  assert_int_equal(looks_of_solve(lu), 2 * lu->S.supernodes);  // down and up again
  stc_lu_free(&lu);
}

// The product of a full matrix with itself looks once in a few million operations: 8e8 of them
// here.
static void looks_inside_large_products(void **state) {
  enum { N = 900 };
  double *x = calloc((size_t)N * N, sizeof *x), *y = calloc((size_t)N * N, sizeof *y);
  int looks = 0;
  stc_stop stop;
  stc_stop_open(&stop, INFINITY, count_look, &looks);
  stop.grain = stop.every = stop.next = 0;
  stc_dense_kernels()->multiply(N, N, N, x, N, x, N, y, N);
  assert_int_equal(stc_stop_close(&stop), STC_STOP_NOT);
  assert_true(looks >= 20);
  free(x), free(y);
}

// Changing the sign of one row of the whole matrix changes the sign of its determinant.
static void knows_the_sign_of_the_determinant(void **state) {
  make(SMALL, 3, 14);
  stc_lu *lu = created();
  stc_lu_factorise(lu, A.val, A.val_ptr);
  assert_int_equal(stc_lu_sign(lu), 1);  // dominant positive diagonal
  for (int e = A.ptr[7]; e < A.ptr[8]; e++)
    for (int c = 0; c < A.size[A.adj[e]]; c++) A.val[A.val_ptr[e] + (size_t)(c * A.size[7])] *= -1;
  stc_lu_factorise(lu, A.val, A.val_ptr);
  assert_int_equal(stc_lu_sign(lu), -1);
  stc_lu_free(&lu);
}

// A zero block row makes a zero pivot: it is replaced, counted, and nothing is infinite.
static void survives_a_zero_row(void **state) {
  make(SMALL, 4, 14);
  for (int e = A.ptr[9]; e < A.ptr[10]; e++)
    memset(A.val + A.val_ptr[e], 0, (A.val_ptr[e + 1] - A.val_ptr[e]) * sizeof(double));
  stc_lu *lu = created();
  assert_true(stc_lu_factorise(lu, A.val, A.val_ptr) >= 1);
  double x[LARGE * MOST];
  for (int k = 0; k < A.offset[A.nodes]; k++) x[k] = 1;
  stc_lu_solve(lu, x);
  for (int k = 0; k < A.offset[A.nodes]; k++) assert_true(isfinite(x[k]));
  stc_lu_free(&lu);
}

static void refuses_to_exceed_the_memory_limit(void **state) {
  make(LARGE, 1, 14);
  stc_lu *lu = NULL;
  stc_pattern p = pattern();
  assert_int_equal(stc_lu_create(&p, 1000, &lu), STC_ERR_MEMORY);
  assert_null(lu);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(returns_the_known_answer),
      cmocka_unit_test(fits_into_its_room),
      cmocka_unit_test(restricts_to_a_part),
      cmocka_unit_test(counts_what_it_lists),
      cmocka_unit_test(looks_at_the_clock_everywhere),
      cmocka_unit_test(looks_inside_large_products),
      cmocka_unit_test(knows_the_sign_of_the_determinant),
      cmocka_unit_test(survives_a_zero_row),
      cmocka_unit_test(refuses_to_exceed_the_memory_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
