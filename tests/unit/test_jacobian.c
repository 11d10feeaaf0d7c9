// Newton systems (A + B (W + prox)) dr = -F over contacts and over bodies against dense
// elimination, and F's derivative against finite differences.
#include "conform/independent.h"
#include "dense_data.h"
#include "gallery.h"
#include "samples.h"

#include "base/random.h"
#include "solve/methods/jacobian.h"

static const double NO_LIMIT = 1e12;

typedef struct system {
  stc_problem *problem;
  stc_reduced *reduced;
  stc_arena arena;
  stc_jacobian jacobian;
  double *r, *u, *F;  // [size] in the scaled units of `reduced`
  int size;
} system_data;

// W in scaled units, by rows.
static double *dense_W(const system_data *s) {
  double *W = calloc((size_t)(s->size * s->size), sizeof *W), *q = calloc((size_t)s->size, 8);
  independent_local(s->problem, W, q);
  for (int k = 0; k < s->size * s->size; k++) W[k] *= s->reduced->scale_r / s->reduced->scale_u;
  free(q);
  return W;
}

// The Alart–Curnier blocks at a random point, most contacts closed, a few open.
static void linearise(system_data *s, double alpha) {
  stc_random random = stc_random_seed(7);
  int d = s->reduced->dim;
  double *work = calloc((size_t)s->reduced->scratch + 1, sizeof *work);
  for (int k = 0; k < s->size; k++)
    s->r[k] = k % d == 0 ? 2 * stc_random_uniform(&random) - 0.5 : stc_random_normal(&random) * 0.3;
  stc_reduced_velocity(s->reduced, s->r, work, s->u);
  for (int c = 0; c < s->reduced->contacts; c++) {
    double kappa = s->reduced->kappa[c];
    s->jacobian.prox[c] = alpha * kappa;
    stc_law_jacobian(&s->reduced->law[c], 1 / kappa, 0.7 / kappa, s->r + c * d, s->u + c * d,
                     s->F + c * d, s->jacobian.A + c * d * d, s->jacobian.B + c * d * d);
  }
  free(work);
}

static system_data begin(stc_problem *problem, int condensed, double alpha) {
  system_data s = {.problem = problem, .size = stc_problem_size(problem)};
  assert_int_equal(stc_reduced_create(problem, &s.reduced), STC_OK);
  assert_int_equal(stc_jacobian_create(&s.arena, s.reduced, condensed, NO_LIMIT, &s.jacobian),
                   STC_OK);
  double **vectors[] = {&s.r, &s.u, &s.F};
  for (int k = 0; k < 3; k++) *vectors[k] = calloc((size_t)s.size + 1, sizeof(double));
  linearise(&s, alpha);
  return s;
}

static void end(system_data *s) {
  stc_jacobian_free(&s->jacobian);
  stc_arena_free(&s->arena);
  stc_reduced_free(&s->reduced);
  stc_problem_free(&s->problem);
  free(s->r);
  free(s->u);
  free(s->F);
}

// J = A + B (W + prox), dense by rows.
static double *dense_jacobian(const system_data *s) {
  int n = s->size, d = s->reduced->dim;
  double *W = dense_W(s), *J = calloc((size_t)(n * n), sizeof *J);
  for (int k = 0; k < n; k++) W[k * n + k] += s->jacobian.prox[k / d];
  for (int i = 0; i < n; i++) {
    int c = i / d, k = i % d;
    const double *A = s->jacobian.A + c * d * d, *B = s->jacobian.B + c * d * d;
    for (int l = 0; l < d; l++) {
      J[i * n + c * d + l] += A[k + l * d];
      for (int j = 0; j < n; j++) J[i * n + j] += B[k + l * d] * W[(c * d + l) * n + j];
    }
  }
  free(W);
  return J;
}

static void expect_step(system_data *s, double tolerance) {
  int n = s->size;
  double *J = dense_jacobian(s), *expected = calloc((size_t)n, sizeof *expected), most = 0;
  double *dr = calloc((size_t)n, sizeof *dr), *rough = calloc((size_t)n, sizeof *rough);
  for (int k = 0; k < n; k++) expected[k] = -s->F[k];
  independent_eliminate(J, n, expected, 1);
  stc_jacobian_factorise(&s->jacobian);
  stc_jacobian_solve(&s->jacobian, s->F, STC_JACOBIAN_EXACT, dr);
  stc_jacobian_apply(&s->jacobian, s->F, rough);
  assert_int_equal(s->jacobian.replaced, 0);
  for (int k = 0; k < n; k++) most = fmax(most, fabs(expected[k]));
  for (int k = 0; k < n; k++) {
    expect_near(dr[k], expected[k], tolerance * most);
    expect_near(rough[k], expected[k], 1e3 * tolerance * most);
  }
  free(J);
  free(expected);
  free(dr);
  free(rough);
}

static void expect_steps(const char *kind, int n, int n2, int condensed) {
  system_data s = begin(irregular(kind, n, n2), condensed, 1e-2);
  assert_int_equal(s.jacobian.condensed, condensed);
  expect_step(&s, 1e-9);
  end(&s);
}

static void steps_over_contacts(void **state) {
  expect_steps("spheres", 10, 0, 0);
  expect_steps("wall2d", 3, 2, 0);
}

// W of a box on four corners has the rank 6 of 12; with A = 1e-9 at three corners and 1e9 at the
// last W + A is positive definite with pivots of 1e-9 and 1e9: each is large against its own, none
// is replaced, and the sign is 1.
static void loose_and_stiff_contacts(void **state) {
  system_data s = begin(irregular("box", 1, 0), 0, 0);
  int d = s.reduced->dim;
  memset(s.jacobian.A, 0, (size_t)(s.size * d) * sizeof *s.jacobian.A);
  memset(s.jacobian.B, 0, (size_t)(s.size * d) * sizeof *s.jacobian.B);
  for (int k = 0; k < s.size; k++) {
    int at = k * d + k % d;
    s.jacobian.A[at] = k / d == s.reduced->contacts - 1 ? 1e9 : 1e-9;
    s.jacobian.B[at] = 1;
  }
  stc_jacobian_factorise(&s.jacobian);
  assert_int_equal(s.jacobian.replaced, 0);
  assert_int_equal(stc_jacobian_sign(&s.jacobian), 1);
  end(&s);
}

static void steps_over_bodies(void **state) {
  expect_steps("spheres", 10, 0, 1);
  expect_steps("wall2d", 3, 2, 1);  // more contacts than bodies can feel
}

// Two contacts between a body of two degrees of freedom and one of three.
static void bodies_of_two_sizes(void **state) {
  const double M[] = {2,   0.5, 0, 0, 0,   0.5, 3,   0, 0, 0,   0,   0, 2,
                      0.3, 0.1, 0, 0, 0.3, 1,   0.2, 0, 0, 0.1, 0.2, 4};
  const double H[] = {1, 0.2,  -1,   0.5, 0.3,  0.4, 1,   0.1, -1,   0.7,
                      1, -0.3, -0.8, 0.2, -0.6, 0.1, 0.9, 0.4, -0.9, -0.2};
  const double f[] = {1, -2, 3, 1, -1}, w[] = {-1, 0.5, -2, 0.3}, mu[] = {0.4, 0.6};
  stc_problem *problem = NULL;
  dense_global data = {2, 2, 5, 0, M, H, NULL, f, w, NULL, mu, NULL};
  assert_int_equal(create_dense_global(&data, &problem), STC_OK);
  system_data s = begin(problem, 1, 1e-2);
  assert_int_equal(s.reduced->bodies.count, 2);
  assert_true(s.jacobian.condensed);
  expect_step(&s, 1e-9);
  end(&s);
}

static void joints_are_solved_over_contacts(void **state) {
  system_data s = begin(irregular("chain", 4, 1), 1, 1e-2);
  assert_false(s.jacobian.condensed);  // there are no separate bodies
  expect_step(&s, 1e-9);
  end(&s);
}

// The set of closed contacts changes from one factorisation to the next: none, all, every second.
static void open_contacts_come_and_go(void **state) {
  for (int condensed = 0; condensed < 2; condensed++) {
    system_data s = begin(irregular("spheres", 10, 0), condensed, 1e-2);
    int d = 3, n = s.reduced->contacts;
    for (int round = 0; round < 4; round++) {
      linearise(&s, 1e-2);
      for (int c = 0; c < n; c++) {
        bool open = round == 0 || (round == 2 && c % 2 == 0);
        for (int k = 0; k < d * d; k++) {
          double *A = s.jacobian.A + c * d * d + k, *B = s.jacobian.B + c * d * d + k;
          bool diagonal = k % (d + 1) == 0;
          if (open) *A = diagonal, *B = 0;
          if (!open && round == 1) *A = 0, *B = diagonal;
        }
      }
      expect_step(&s, 1e-9);
    }
    end(&s);
  }
}

// Sign of a determinant by elimination, rows and columns of open contacts left out.
static int dense_sign(const system_data *s) {
  int n = s->size, d = s->reduced->dim, sign = 1;
  double *J = dense_jacobian(s);
  for (int k = 0; k < n; k++)
    if (s->jacobian.open[k / d])
      for (int j = 0; j < n; j++) J[k * n + j] = j == k;
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(J[i * n + k]) > fabs(J[p * n + k])) p = i;
    if (p != k) sign = -sign;
    independent_swap(J + p * n, J + k * n, n);
    if (J[k * n + k] < 0) sign = -sign;
    for (int i = k + 1; i < n; i++) {
      double factor = J[i * n + k] / J[k * n + k];
      for (int j = k; j < n; j++) J[i * n + j] -= factor * J[k * n + j];
    }
  }
  free(J);
  return sign;
}

// Over bodies the blocks A + prox B of the contacts are eliminated first; theirs are positive for
// Alart–Curnier, so that the sign is the same.
static void the_sign_is_that_of_the_determinant(void **state) {
  for (int condensed = 0; condensed < 2; condensed++) {
    system_data s = begin(irregular("spheres", 10, 0), condensed, 1e-2);
    for (int power = -6; power <= 0; power++) {
      linearise(&s, pow(10, power));
      stc_jacobian_factorise(&s.jacobian);
      assert_int_equal(stc_jacobian_sign(&s.jacobian), dense_sign(&s));
    }
    end(&s);
  }
}

// Turning a row of a closed contact turns the sign.
static void the_sign_turns_with_a_row(void **state) {
  system_data s = begin(irregular("spheres", 10, 0), 0, 1e-2);
  int sign[2], c = 0;
  while (s.jacobian.B[9 * c] == 0) c++;
  for (int k = 0; k < 2; k++) {
    stc_jacobian_factorise(&s.jacobian);
    sign[k] = stc_jacobian_sign(&s.jacobian);
    assert_int_equal(sign[k], dense_sign(&s));
    for (int l = 0; l < 3; l++) {
      s.jacobian.A[9 * c + 3 * l] *= -1;
      s.jacobian.B[9 * c + 3 * l] *= -1;
    }
  }
  assert_int_equal(sign[0], -sign[1]);
  end(&s);
}

// F(r + h d) - F(r - h d) over 2 h is J d where no contact changes its state.
static void the_system_is_the_derivative(void **state) {
  system_data s = begin(irregular("spheres", 10, 0), 0, 0);
  int n = s.size, d = 3;
  double *J = dense_jacobian(&s), *move = calloc((size_t)n, 8), *at = calloc((size_t)n, 8);
  double *work = calloc((size_t)s.reduced->scratch + 1, 8), *slope = calloc((size_t)n, 8);
  const double h = 1e-6;
  stc_random random = stc_random_seed(3);
  for (int k = 0; k < n; k++) move[k] = stc_random_normal(&random);
  for (int side = -1; side <= 1; side += 2) {
    double u[3 * 64], F[3], A[9], B[9];
    assert_true(n <= 3 * 64);
    for (int k = 0; k < n; k++) at[k] = s.r[k] + side * h * move[k];
    stc_reduced_velocity(s.reduced, at, work, u);
    for (int c = 0; c < s.reduced->contacts; c++) {
      double kappa = s.reduced->kappa[c];
      stc_law_jacobian(&s.reduced->law[c], 1 / kappa, 0.7 / kappa, at + c * d, u + c * d, F, A, B);
      for (int k = 0; k < d; k++) slope[c * d + k] += side * F[k] / (2 * h);
    }
  }
  for (int i = 0; i < n; i++) {
    double sum = 0, size = 0;
    for (int j = 0; j < n; j++) {
      sum += J[i * n + j] * move[j];
      size += fabs(J[i * n + j] * move[j]);
    }
    expect_near(slope[i], sum, 1e-4 * size + 1e-8);
  }
  free(J);
  free(move);
  free(at);
  free(work);
  free(slope);
  end(&s);
}

// W need not be symmetric, nor have the blocks of both triangles: contact 1 acts on contact 0 and
// feels nothing of it. The pattern of the factors is symmetric all the same.
static void a_block_may_be_missing_in_one_triangle(void **state) {
  const int ptr[] = {0, 2, 4, 5, 6}, col[] = {0, 2, 1, 3, 2, 3};
  const double val[] = {1, 0.1, 1, 0.1, 1, 1}, q[] = {-1, 0.2, -1, -0.1}, mu[] = {0.5, 0.5};
  stc_local_data data = {.dim = 2, .contacts = 2, .q = q, .mu = mu};
  data.W = (stc_matrix){4, 4, 6, STC_STORAGE_CSR, ptr, col, val};
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_local(&data, &problem), STC_OK);
  system_data s = begin(problem, 0, 1e-2);
  expect_step(&s, 1e-9);
  end(&s);
}

static void factors_that_do_not_fit_are_refused(void **state) {
  stc_problem *problem = irregular("spheres", 10, 0);
  stc_reduced *reduced = NULL;
  stc_arena arena = {0};
  stc_jacobian jacobian;
  assert_int_equal(stc_reduced_create(problem, &reduced), STC_OK);
  for (int condensed = -1; condensed <= 1; condensed++)
    assert_int_equal(stc_jacobian_create(&arena, reduced, condensed, 1000, &jacobian),
                     STC_ERR_MEMORY);
  stc_arena_free(&arena);
  stc_reduced_free(&reduced);
  stc_problem_free(&problem);
}

// A tower has four contacts where two planks cross: bodies are the cheaper unknowns. It is large
// enough to be analysed at once.
static void the_cheaper_form_is_chosen(void **state) {
  stc_problem *tower = irregular("tower", 20, 4);
  double flops[2];
  for (int condensed = 0; condensed < 2; condensed++) {
    stc_problem *again = irregular("tower", 20, 4);
    system_data s = begin(again, condensed, 1e-2);
    flops[condensed] = stc_jacobian_flops(&s.jacobian);
    end(&s);
  }
  assert_true(flops[0] > 0 && flops[1] > 0);
  system_data s = begin(tower, -1, 1e-2);
  assert_int_equal(s.jacobian.condensed, flops[1] <= flops[0]);
  assert_true(s.jacobian.condensed);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_over_contacts),
      cmocka_unit_test(loose_and_stiff_contacts),
      cmocka_unit_test(steps_over_bodies),
      cmocka_unit_test(bodies_of_two_sizes),
      cmocka_unit_test(joints_are_solved_over_contacts),
      cmocka_unit_test(open_contacts_come_and_go),
      cmocka_unit_test(the_sign_is_that_of_the_determinant),
      cmocka_unit_test(the_sign_turns_with_a_row),
      cmocka_unit_test(the_system_is_the_derivative),
      cmocka_unit_test(a_block_may_be_missing_in_one_triangle),
      cmocka_unit_test(factors_that_do_not_fit_are_refused),
      cmocka_unit_test(the_cheaper_form_is_chosen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
