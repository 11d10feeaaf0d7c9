// Between the forms: hand answers, the identity that defines the local form, round trips, refusals.
#include "samples.h"

#include "base/random.h"

static stc_problem *to_local(const stc_problem *problem) {
  stc_problem *local = NULL;
  assert_int_equal(stc_problem_to_local(problem, &local), STC_OK);
  assert_int_equal(stc_problem_form(local), STC_FORM_LOCAL);
  return local;
}

static void painleve_by_hand(void **state) {
  // W = H H^T = [1 2; 2 4], q = w - H f = (0, 1) - (1, 2) = (-1, -1).
  stc_problem *global = sample_painleve(0, 1, 1), *local = to_local(global);
  stc_local_data data = stc_problem_local_data(local);
  const double W[] = {1, 2, 2, 4};
  for (int k = 0; k < 4; k++) expect_near(sample_entry(&data.W, k / 2, k % 2), W[k], 0);
  expect_near(data.q[0], -1, 0);
  expect_near(data.q[1], -1, 0);
  expect_near(data.mu[0], 1, 0);
  stc_problem_free(&local);
  stc_problem_free(&global);
}

static void wedge_by_hand(void **state) {
  // Unit normals and tangents: the diagonal blocks of W are I; the normals of the two walls make
  // n1 . n2 = sin^2 a - cos^2 a = -cos 2a, n1 . t2 = -sin 2a. With v^- = (1, 0) and restitution e:
  // q = w + H v^-, so q_N = -(1 + e) sin a and q_T = cos a at both.
  const double a = 0.3, e = 0.5;
  stc_problem *global = sample_wedge(a, e), *local = to_local(global);
  stc_local_data data = stc_problem_local_data(local);
  expect_near(sample_entry(&data.W, 0, 0), 1, 1e-15);
  expect_near(sample_entry(&data.W, 0, 1), 0, 1e-15);
  expect_near(sample_entry(&data.W, 0, 2), -cos(2 * a), 1e-15);
  expect_near(sample_entry(&data.W, 0, 3), -sin(2 * a), 1e-15);
  for (int c = 0; c < 2; c++) {
    expect_near(data.q[2 * c], -(1 + e) * sin(a), 1e-15);
    expect_near(data.q[2 * c + 1], cos(a), 1e-15);
  }
  stc_problem_free(&local);
  stc_problem_free(&global);
}

static void box_by_hand(void **state) {
  // A corner (x, y, -1) has W_NN = 1/2 + (x^2 + y^2)/4 = 1 with itself, 1/2 with a neighbour, 0
  // with the opposite one; W_T1T1 = 1/2 + 1/4 + 1/4 = 1; W_NT1 = (-x)(-1)/4 = x/4.
  stc_problem *global = sample_boxes(1), *local = to_local(global);
  stc_matrix W = stc_problem_local_data(local).W;
  expect_near(sample_entry(&W, 0, 0), 1, 1e-15);
  expect_near(sample_entry(&W, 0, 3), 0.5, 1e-15);
  expect_near(sample_entry(&W, 0, 6), 0.5, 1e-15);
  expect_near(sample_entry(&W, 0, 9), 0, 1e-15);
  expect_near(sample_entry(&W, 1, 1), 1, 1e-15);
  expect_near(sample_entry(&W, 0, 1), -0.25, 1e-15);  // contact 0: x = -1
  expect_near(sample_entry(&W, 3, 4), 0.25, 1e-15);   // contact 1: x = +1
  stc_problem_free(&local);
  stc_problem_free(&global);
}

static void bodies_apart_do_not_couple(void **state) {
  // Three boxes: W is three times the W of one box, along the diagonal and nowhere else.
  stc_problem *one = sample_boxes(1), *three = sample_boxes(3);
  stc_problem *local_one = to_local(one), *local_three = to_local(three);
  stc_matrix W1 = stc_problem_local_data(local_one).W, W3 = stc_problem_local_data(local_three).W;
  assert_int_equal(W3.entries, 3 * W1.entries);
  for (int i = 0; i < 36; i++)
    for (int j = 0; j < 36; j++) {
      double expected = i / 12 == j / 12 ? sample_entry(&W1, i % 12, j % 12) : 0;
      expect_near(sample_entry(&W3, i, j), expected, 0);
    }
  stc_problem_free(&one);
  stc_problem_free(&three);
  stc_problem_free(&local_one);
  stc_problem_free(&local_three);
}

static void bar_by_hand(void **state) {
  // M = diag(1, 1, 2, 2), contact rows y1 and x1, G = (1, 0, -1, 0): W = I, V = (0, 1),
  // R = 1 + 1/2, M^-1 f = (1, 2, 1.5, 2): q = -(2, 1), s = 0.3 - (1 - 1.5) = 0.8.
  stc_problem *global = sample_bar(), *local = to_local(global);
  stc_local_data data = stc_problem_local_data(local);
  assert_int_equal(data.equalities, 1);
  for (int k = 0; k < 4; k++) expect_near(sample_entry(&data.W, k / 2, k % 2), k / 2 == k % 2, 0);
  expect_near(sample_entry(&data.V, 0, 0), 0, 0);
  expect_near(sample_entry(&data.V, 1, 0), 1, 0);
  expect_near(sample_entry(&data.R, 0, 0), 1.5, 1e-15);
  expect_near(data.q[0], -2, 1e-15);
  expect_near(data.q[1], -1, 1e-15);
  expect_near(data.s[0], 0.8, 1e-15);
  stc_problem_free(&local);
  stc_problem_free(&global);
}

// --- The identity: with f = H^T r + G^T l - M v for any v, r, l, the local form must give back
// u = H v + w and G v + b.

enum { DOFS = 90, CONTACTS = 5, SIZE = 15, JOINTS = 3 };

typedef struct random_data {
  double M[DOFS * DOFS], H[SIZE * DOFS], G[JOINTS * DOFS];
  double v[DOFS], r[SIZE], l[JOINTS], w[SIZE], b[JOINTS], f[DOFS], mu[CONTACTS];
} random_data;

static void fill_random(stc_random *random, double *x, int n) {
  for (int k = 0; k < n; k++) x[k] = stc_random_normal(random);
}

/// M: a block of 70 (a stiff chain), then ten blocks of 2. H and G: four entries per row.
static void fill_data(random_data *d) {
  stc_random random = stc_random_seed(7);
  *d = (random_data){.mu = {0}};
  for (int i = 0; i < DOFS; i++) {
    d->M[i * DOFS + i] = 3;
    bool linked = i > 0 && (i < 70 || i % 2 == 1);
    if (linked) d->M[i * DOFS + i - 1] = d->M[(i - 1) * DOFS + i] = -1;
  }
  for (int k = 0; k < 4 * SIZE; k++)
    d->H[k / 4 * DOFS + (int)(DOFS * stc_random_uniform(&random))] = stc_random_normal(&random);
  for (int k = 0; k < 4 * JOINTS; k++)
    d->G[k / 4 * DOFS + (int)(DOFS * stc_random_uniform(&random))] = stc_random_normal(&random);
  fill_random(&random, d->v, DOFS);
  fill_random(&random, d->r, SIZE);
  fill_random(&random, d->l, JOINTS);
  fill_random(&random, d->w, SIZE);
  fill_random(&random, d->b, JOINTS);
}

/// y += factor A x, or A^T x; A dense by rows.
static void add_product(const double *A, int rows, int cols, bool transposed, double factor,
                        const double *x, double *y) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      if (transposed)
        y[j] += factor * A[i * cols + j] * x[i];
      else
        y[i] += factor * A[i * cols + j] * x[j];
}

/// y += A x, or A^T x; A stored by rows.
static void add_sparse(const stc_matrix *A, bool transposed, const double *x, double *y) {
  for (int i = 0; i < A->rows; i++)
    for (int k = A->p[i]; k < A->p[i + 1]; k++)
      if (transposed)
        y[A->i[k]] += A->x[k] * x[i];
      else
        y[i] += A->x[k] * x[A->i[k]];
}

static void expect_identity(const random_data *d, const stc_local_data *local) {
  double u[SIZE], u_local[SIZE], drift[JOINTS], drift_local[JOINTS];
  memcpy(u, d->w, sizeof u);
  add_product(d->H, SIZE, DOFS, false, 1, d->v, u);
  memcpy(u_local, local->q, sizeof u_local);
  add_sparse(&local->W, false, d->r, u_local);
  add_sparse(&local->V, false, d->l, u_local);
  memcpy(drift, d->b, sizeof drift);
  add_product(d->G, JOINTS, DOFS, false, 1, d->v, drift);
  memcpy(drift_local, local->s, sizeof drift_local);
  add_sparse(&local->V, true, d->r, drift_local);
  add_sparse(&local->R, false, d->l, drift_local);
  for (int k = 0; k < SIZE; k++) expect_near(u_local[k], u[k], 1e-12);
  for (int k = 0; k < JOINTS; k++) expect_near(drift_local[k], drift[k], 1e-12);
}

static void the_local_form_moves_as_the_global_one(void **state) {
  static random_data d;
  static dense_matrix M, H, G;
  fill_data(&d);
  add_product(d.H, SIZE, DOFS, true, 1, d.r, d.f);
  add_product(d.G, JOINTS, DOFS, true, 1, d.l, d.f);
  add_product(d.M, DOFS, DOFS, false, -1, d.v, d.f);
  stc_global_data data = {.dim = 3,
                          .contacts = CONTACTS,
                          .dofs = DOFS,
                          .equalities = JOINTS,
                          .M = dense_view(&M, DOFS, DOFS, d.M),
                          .H = dense_view(&H, SIZE, DOFS, d.H),
                          .G = dense_view(&G, JOINTS, DOFS, d.G),
                          .f = d.f,
                          .w = d.w,
                          .b = d.b,
                          .mu = d.mu};
  stc_problem *global = NULL;
  assert_int_equal(stc_problem_create_global(&data, &global), STC_OK);
  stc_problem *local = to_local(global);
  stc_local_data back = stc_problem_local_data(local);
  expect_identity(&d, &back);
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < i; j++)
      assert_true(sample_entry(&back.W, i, j) == sample_entry(&back.W, j, i));
  stc_problem_free(&local);
  stc_problem_free(&global);
}

// --- Other paths ---

static void gyroscopic_terms_make_w_asymmetric(void **state) {
  // M = [1 g; -g 1], H = I: W = M^-1 = [1 -g; g 1] / (1 + g^2), q = -M^-1 f.
  const double g = 0.03, f[] = {1, 0}, w[] = {0, 0}, mu[] = {0};
  const double M[] = {1, g, -g, 1}, H[] = {1, 0, 0, 1};
  stc_problem *global = make_global(&(dense_global){
      .dim = 2, .contacts = 1, .dofs = 2, .M = M, .H = H, .f = f, .w = w, .mu = mu});
  stc_problem *local = to_local(global);
  stc_local_data back = stc_problem_local_data(local);
  expect_near(sample_entry(&back.W, 0, 1), -g / (1 + g * g), 1e-16);
  expect_near(sample_entry(&back.W, 1, 0), g / (1 + g * g), 1e-16);
  expect_near(back.q[1], -g / (1 + g * g), 1e-16);
  stc_problem_free(&local);
  stc_problem_free(&global);
}

static void a_mass_matrix_that_is_not_definite_is_named(void **state) {
  // [1 2; 2 1] passes the checks of the data and fails at its second pivot.
  const double f[] = {0, 0}, w[] = {0, 0}, mu[] = {0};
  const double M[] = {1, 2, 2, 1}, H[] = {1, 0, 0, 1};
  stc_problem *local = NULL,
              *global = make_global(&(dense_global){
                  .dim = 2, .contacts = 1, .dofs = 2, .M = M, .H = H, .f = f, .w = w, .mu = mu});
  expect_failure(stc_problem_to_local(global, &local), STC_ERR_NUMERIC,
                 "M is not positive definite: the pivot of row 1");
  assert_null(local);
  stc_problem_free(&global);
}

static void text_and_laws_survive(void **state) {
  stc_problem *global = sample_painleve(0, 1, 1);
  assert_int_equal(stc_problem_set_text(global, &(stc_problem_text){.title = "rod"}), STC_OK);
  stc_problem *local = to_local(global), *copy = to_local(local), *back = NULL;
  assert_string_equal(stc_problem_get_text(copy).title, "rod");
  assert_int_equal(stc_problem_to_global(copy, &back), STC_OK);
  assert_string_equal(stc_problem_get_text(back).title, "rod");
  expect_near(stc_problem_law(back, 0)->mu[0], 1, 0);
  stc_problem_free(&global);
  stc_problem_free(&local);
  stc_problem_free(&copy);
  stc_problem_free(&back);
}

static void local_to_global_and_back(void **state) {
  // The W of a box has 12 rows and rank 6, the degrees of freedom of the box.
  stc_problem *box = sample_boxes(1), *local = to_local(box), *global = NULL;
  assert_int_equal(stc_problem_to_global(local, &global), STC_OK);
  assert_int_equal(stc_problem_dofs(global), 6);
  stc_problem *again = to_local(global);
  stc_local_data a = stc_problem_local_data(local), b = stc_problem_local_data(again);
  for (int i = 0; i < 12; i++) {
    expect_near(b.q[i], a.q[i], 0);
    for (int j = 0; j < 12; j++)
      expect_near(sample_entry(&b.W, i, j), sample_entry(&a.W, i, j), 1e-14);
  }
  stc_problem_free(&box);
  stc_problem_free(&local);
  stc_problem_free(&global);
  stc_problem_free(&again);
}

static void refuse_global(stc_problem *local, stc_error code, const char *words) {
  stc_problem *global = NULL;
  expect_failure(stc_problem_to_global(local, &global), code, words);
  assert_null(global);
  stc_problem_free(&local);
}

static void what_has_no_global_form_is_refused(void **state) {
  refuse_global(sample_local(1, (const double[]){1, 0.5, 0, 1}), STC_ERR_VALUE,
                "W(0, 1) = 0.5 but W(1, 0) = 0");
  refuse_global(sample_local(1, (const double[]){1, 2, 2, 1}), STC_ERR_NUMERIC,
                "W is not positive semi-definite");
  stc_problem *bar = sample_bar();
  refuse_global(to_local(bar), STC_ERR_UNSUPPORTED, "1 joint equations");
  stc_problem_free(&bar);
}

static void a_local_problem_too_large_for_a_dense_factor_is_refused(void **state) {
  enum { MANY = 1501 };  // 3002 rows
  static double q[2 * MANY], mu[MANY];
  stc_local_data data = {.dim = 2,
                         .contacts = MANY,
                         .W = {.rows = 2 * MANY, .cols = 2 * MANY, .storage = STC_STORAGE_TRIPLET},
                         .q = q,
                         .mu = mu};
  stc_problem *local = NULL;
  assert_int_equal(stc_problem_create_local(&data, &local), STC_OK);
  refuse_global(local, STC_ERR_UNSUPPORTED, "W has 3002 rows");
}

static void the_empty_problem_converts(void **state) {
  stc_problem *global = NULL, *again = NULL;
  assert_int_equal(stc_problem_create_global(&(stc_global_data){.dim = 3}, &global), STC_OK);
  stc_problem *local = to_local(global);
  assert_int_equal(stc_problem_to_global(local, &again), STC_OK);
  assert_int_equal(stc_problem_size(again), 0);
  stc_problem_free(&global);
  stc_problem_free(&local);
  stc_problem_free(&again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(painleve_by_hand),
      cmocka_unit_test(wedge_by_hand),
      cmocka_unit_test(box_by_hand),
      cmocka_unit_test(bodies_apart_do_not_couple),
      cmocka_unit_test(bar_by_hand),
      cmocka_unit_test(the_local_form_moves_as_the_global_one),
      cmocka_unit_test(gyroscopic_terms_make_w_asymmetric),
      cmocka_unit_test(a_mass_matrix_that_is_not_definite_is_named),
      cmocka_unit_test(text_and_laws_survive),
      cmocka_unit_test(local_to_global_and_back),
      cmocka_unit_test(what_has_no_global_form_is_refused),
      cmocka_unit_test(a_local_problem_too_large_for_a_dense_factor_is_refused),
      cmocka_unit_test(the_empty_problem_converts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
