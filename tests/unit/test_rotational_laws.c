// Problems whose laws have spin or rolling: contrived so that the answer is known. Velocities u and
// reactions r that obey the laws are chosen first, then v, and the data follow:
//   f = H^T r + G^T l - M v,   b = -G v,   w = u - H v;      local   q = u - W r.
#include "same_bits.h"
#include "samples.h"

#include "base/random.h"

#include <stiction/solve.h>

enum { CONTACTS = 5, MOST = CONTACTS * STC_MAX_DIM, DOFS = 30, BODY = 6 };

typedef struct contrived {
  int dim, size;
  stc_law law[CONTACTS];
  double M[DOFS * DOFS], H[MOST * DOFS], G[DOFS], W[MOST * MOST];  // by rows
  double r[MOST], u[MOST], v[DOFS], l;
  double f[DOFS], w[MOST], b, q[MOST];
  dense_matrix M_store, H_store, G_store, W_store;
} contrived;

static contrived data;  // too large for the stack

typedef struct shape {
  stc_law_kind kind;
  int dim;
} shape;

static const shape shapes[] = {{STC_LAW_CONTENSOU, 4}, {STC_LAW_ROLLING, 3}, {STC_LAW_ROLLING, 5}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static stc_law make_law(shape s, double mu, double length) {
  return s.kind == STC_LAW_CONTENSOU ? stc_law_contensou(mu, length)
                                     : stc_law_rolling(s.dim, mu, length);
}

// r_T = -r_N (gradient of the shift), from the closed forms.
static void oppose(const stc_law *law, const double *u, double *r) {
  double mu = law->mu[0];
  if (law->kind == STC_LAW_CONTENSOU) {
    double F, M, v = hypot(u[1], u[2]);
    stc_contensou(v / fabs(law->radius * u[3]), &F, &M);
    for (int k = 1; k <= 2; k++) r[k] = -r[0] * mu * F * u[k] / v;
    r[3] = -r[0] * mu * law->radius * copysign(M, u[3]);
    return;
  }
  int n = (law->dim - 1) / 2;
  double v = n == 2 ? hypot(u[1], u[2]) : fabs(u[1]);
  double omega = n == 2 ? hypot(u[3], u[4]) : fabs(u[2]);
  for (int k = 1; k <= n; k++) {
    r[k] = -r[0] * mu * u[k] / v;
    r[k + n] = -r[0] * law->length * u[k + n] / omega;
  }
}

// Contacts slip, stick and lift in turn; the first slips. Sizes of rotations follow the length.
static void choose_answer(stc_random *random, double length) {
  int d = data.dim, turning = d == 3 ? 2 : 3;
  for (int c = 0; c < CONTACTS; c++) {
    double *r = data.r + c * d, *u = data.u + c * d;
    for (int k = 0; k < d; k++) r[k] = u[k] = 0;
    if (c % 3 != 1)
      for (int k = 1; k < d; k++)
        u[k] = (k < turning ? 1 : 1 / length) * (0.2 + stc_random_normal(random));
    if (c % 3 == 2) {
      u[0] = 0.5;
      continue;
    }
    r[0] = 1 + stc_random_uniform(random);
    if (c % 3 == 0) {
      oppose(&data.law[c], u, r);
      continue;
    }
    for (int k = 1; k < d; k++) r[k] = 0.2 * data.law[c].mu[0] * (k < turning ? 1 : length);
  }
}

static void fill_matrices(stc_random *random, double length) {
  int d = data.dim, turning = d == 3 ? 2 : 3;
  for (int i = 0; i < DOFS; i++)
    for (int j = 0; j < DOFS; j++)
      data.M[i * DOFS + j] = i == j ? 2 + i % 3 : i / BODY == j / BODY ? 0.1 : 0;
  for (int i = 0; i < data.size; i++)
    for (int j = 0; j < DOFS; j++)
      data.H[i * DOFS + j] = (i % d < turning ? 1 : 1 / length) * stc_random_normal(random);
  for (int j = 0; j < DOFS; j++) data.G[j] = stc_random_normal(random);
  for (int i = 0; i < data.size; i++)
    for (int j = 0; j < data.size; j++) {
      data.W[i * data.size + j] = 0;
      for (int k = 0; k < DOFS; k++)
        data.W[i * data.size + j] += data.H[i * DOFS + k] * data.H[j * DOFS + k];
    }
}

static void fill_vectors(bool joint) {
  data.l = joint ? 0.7 : 0;
  data.b = 0;
  for (int j = 0; j < DOFS; j++) {
    data.b -= data.G[j] * data.v[j];
    data.f[j] = data.G[j] * data.l;
    for (int i = 0; i < data.size; i++) data.f[j] += data.H[i * DOFS + j] * data.r[i];
    for (int i = 0; i < DOFS; i++) data.f[j] -= data.M[j * DOFS + i] * data.v[i];
  }
  for (int i = 0; i < data.size; i++) {
    data.w[i] = data.q[i] = data.u[i];
    for (int j = 0; j < DOFS; j++) data.w[i] -= data.H[i * DOFS + j] * data.v[j];
    for (int j = 0; j < data.size; j++) data.q[i] -= data.W[i * data.size + j] * data.r[j];
  }
}

// mu = 0.3 is small enough for the answer to be the only one with these matrices.
static void contrive(shape s, double length, uint64_t seed, bool joint) {
  stc_random random = stc_random_seed(seed);
  data.dim = s.dim;
  data.size = CONTACTS * s.dim;
  for (int c = 0; c < CONTACTS; c++) data.law[c] = make_law(s, 0.3, length);
  fill_matrices(&random, length);
  for (int j = 0; j < DOFS; j++) data.v[j] = stc_random_normal(&random);
  choose_answer(&random, length);
  fill_vectors(joint);
}

static stc_problem *global_problem(bool joint) {
  stc_global_data d = {.dim = data.dim,
                       .contacts = CONTACTS,
                       .dofs = DOFS,
                       .equalities = joint,
                       .M = dense_view(&data.M_store, DOFS, DOFS, data.M),
                       .H = dense_view(&data.H_store, data.size, DOFS, data.H),
                       .f = data.f,
                       .w = data.w,
                       .law = data.law};
  if (joint) d.G = dense_view(&data.G_store, 1, DOFS, data.G), d.b = &data.b;
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_global(&d, &problem), STC_OK);
  return problem;
}

static stc_problem *local_problem(void) {
  stc_local_data d = {.dim = data.dim,
                      .contacts = CONTACTS,
                      .W = dense_view(&data.W_store, data.size, data.size, data.W),
                      .q = data.q,
                      .law = data.law};
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_local(&d, &problem), STC_OK);
  return problem;
}

static stc_solver *solver_for(const stc_problem *problem, const char *method) {
  stc_settings settings = stc_default_settings();
  stc_solver *solver = NULL;
  settings.method = method;
  settings.tol = 1e-12;
  settings.regions = 1;
  assert_int_equal(stc_solver_setup(&solver, problem, &settings), STC_OK);
  return solver;
}

// Components of rotations are compared in units of length.
static void expect_answer(const stc_solution *found, double length, bool global) {
  int d = data.dim, turning = d == 3 ? 2 : 3;
  for (int k = 0; k < data.size; k++) {
    double unit = k % d < turning ? 1 : length;
    expect_near(found->r[k], data.r[k], 1e-8 * unit);
    expect_near(found->u[k], data.u[k], 1e-8 / unit);
  }
  for (int k = 0; global && k < DOFS; k++) expect_near(found->v[k], data.v[k], 1e-8);
}

static void solve_and_compare(stc_solver *solver, double length, bool global) {
  double r[MOST] = {0}, u[MOST], v[DOFS], l;
  stc_solution found = {.r = r, .u = u, .v = global ? v : NULL, .l = global ? &l : NULL};
  stc_info info;
  assert_int_equal(stc_solver_solve(solver, &found, &info), STC_OK);
  assert_int_equal(info.status, STC_STATUS_SOLVED);
  assert_true(info.residual.slip == 2 && info.residual.stick == 2 && info.residual.open == 1);
  expect_answer(&found, length, global);
}

static const char *const methods[] = {"nsgs", "newton", "admm", "apgd", "schwarz", "auto"};
enum { METHODS = sizeof methods / sizeof *methods };

// Patches from a micrometre to ten metres: the residual and the methods do not feel the size.
static void methods_find_the_answer_in_the_local_form(void **state) {
  const double lengths[] = {1e-6, 0.01, 1, 10};
  for (int s = 0; s < SHAPES; s++)
    for (int k = 0; k < 4; k++)
      for (int m = 0; m < METHODS; m++) {
        contrive(shapes[s], lengths[k], 1 + (uint64_t)k, false);
        stc_problem *problem = local_problem();
        stc_solver *solver = solver_for(problem, methods[m]);
        solve_and_compare(solver, lengths[k], false);
        stc_solver_free(&solver);
        stc_problem_free(&problem);
      }
}

// Bodies, and joints that are eliminated by factors; after an update the new answer is found.
static void methods_find_the_answer_in_the_global_form(void **state) {
  for (int s = 0; s < SHAPES; s++)
    for (int joint = 0; joint < 2; joint++)
      for (int m = 0; m < METHODS; m++) {
        contrive(shapes[s], 0.01, 11, joint);
        stc_problem *problem = global_problem(joint);
        stc_solver *solver = solver_for(problem, methods[m]);
        solve_and_compare(solver, 0.01, true);
        stc_random random = stc_random_seed(99);
        double mu[CONTACTS];
        for (int c = 0; c < CONTACTS; c++) {
          mu[c] = 0.15;
          data.law[c] = make_law(shapes[s], 0.15, 0.01);
        }
        choose_answer(&random, 0.01);
        fill_vectors(joint);
        stc_update update = {.f = data.f, .w = data.w, .mu = mu};
        assert_int_equal(stc_solver_update(solver, &update), STC_OK);
        solve_and_compare(solver, 0.01, true);
        stc_solver_free(&solver);
        stc_problem_free(&problem);
      }
}

// Contacts that do not feel each other: each answer is that of its contact alone.
static void independent_contacts_are_solved_together(void **state) {
  enum { MANY = 150, DIM = 4 };
  static int row[MANY * DIM], col[MANY * DIM];
  static double val[MANY * DIM], q[MANY * DIM], r[MANY * DIM], u[MANY * DIM];
  static stc_law law[MANY];
  stc_random random = stc_random_seed(17);
  for (int k = 0; k < MANY * DIM; k++) {
    row[k] = col[k] = k;
    val[k] = k % DIM < 3 ? 1 : 100;
    q[k] = (k % DIM == 0 ? -1 : 1) * (0.1 + stc_random_uniform(&random)) * (k % DIM < 3 ? 1 : 10);
  }
  for (int c = 0; c < MANY; c++) law[c] = stc_law_contensou(0.2 + 0.002 * c, 0.05);
  stc_local_data d = {.dim = DIM,
                      .contacts = MANY,
                      .W = {MANY * DIM, MANY * DIM, MANY * DIM, STC_STORAGE_TRIPLET, col, row, val},
                      .q = q,
                      .law = law};
  stc_problem *problem = NULL;
  assert_int_equal(stc_problem_create_local(&d, &problem), STC_OK);
  for (int m = 0; m < METHODS; m++) {
    stc_solver *solver = solver_for(problem, methods[m]);
    stc_info info;
    memset(r, 0, sizeof r);
    assert_int_equal(stc_solver_solve(solver, &(stc_solution){.r = r, .u = u}, &info), STC_OK);
    assert_int_equal(info.status, STC_STATUS_SOLVED);
    for (int c = 0; c < MANY; c++) {
      double alone[DIM] = {0}, W[DIM * DIM] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 100};
      assert_int_equal(stc_law_solve(&law[c], W, q + c * DIM, alone), STC_CONTACT_SLIP);
      for (int k = 0; k < DIM; k++) expect_near(r[c * DIM + k], alone[k], 1e-9);
    }
    stc_solver_free(&solver);
  }
  stc_problem_free(&problem);
}

// A patch 1024 times as large whose rotations are 1024 times as slow is the same problem: the judge
// gives the same numbers, bit for bit, also for an r that is no answer.
static void the_judge_does_not_feel_the_unit_of_length(void **state) {
  stc_residual residual[2];
  for (int s = 0; s < SHAPES; s++) {
    for (int large = 0; large < 2; large++) {
      int d = shapes[s].dim, turning = d == 3 ? 2 : 3;
      double unit = large ? 1024 : 1;
      contrive(shapes[s], 0.01, 7, false);
      for (int i = 0; i < data.size; i++) {
        double stretch = i % d < turning ? 1 : unit;
        data.r[i] = data.r[i] * stretch * (1 + 0.1 * (i % 7));
        data.u[i] /= stretch;
        data.q[i] /= stretch;
        for (int j = 0; j < data.size; j++)
          data.W[i * data.size + j] /= stretch * (j % d < turning ? 1 : unit);
      }
      for (int c = 0; c < CONTACTS; c++) data.law[c] = make_law(shapes[s], 0.3, 0.01 * unit);
      stc_problem *problem = local_problem();
      stc_solution given = {.r = data.r, .u = data.u};
      assert_int_equal(stc_problem_residual(problem, &given, &residual[large]), STC_OK);
      stc_problem_free(&problem);
    }
    assert_true(residual[0].eta > 1e-3);
    expect_same_bits(&residual[0], &residual[1]);
  }
}

// The contrived answer has residuals near rounding and the states it was made with; u, v, l that r
// implies are those it was made with.
static void the_judge_accepts_the_answer(void **state) {
  for (int s = 0; s < SHAPES; s++) {
    double u[MOST], v[DOFS], l;
    stc_residual residual;
    stc_contact_state found[CONTACTS];
    contrive(shapes[s], 0.01, 21, true);
    stc_problem *problem = global_problem(true);
    stc_solution given = {.r = data.r, .u = data.u, .v = data.v, .l = &data.l};
    assert_int_equal(stc_problem_residual(problem, &given, &residual), STC_OK);
    assert_true(residual.eta < 1e-13 && residual.cone_violation < 1e-13);
    assert_true(residual.dynamics < 1e-13 && residual.kinematics < 1e-12);
    assert_true(residual.dissipation < 0);
    assert_int_equal(stc_problem_classify(problem, data.r, 1e-10, found, NULL), STC_OK);
    const stc_contact_state made[] = {STC_CONTACT_SLIP, STC_CONTACT_STICK, STC_CONTACT_OPEN,
                                      STC_CONTACT_SLIP, STC_CONTACT_STICK};
    for (int c = 0; c < CONTACTS; c++) assert_int_equal(found[c], made[c]);
    stc_solution implied = {.r = data.r, .u = u, .v = v, .l = &l};
    assert_int_equal(stc_problem_complete(problem, &implied), STC_OK);
    expect_near(l, 0.7, 1e-12);
    expect_answer(&implied, 0.01, true);
    stc_problem_free(&problem);
  }
}

// In the local form W and q are those of M^-1, and the laws come along.
static void conversions_keep_the_laws(void **state) {
  contrive(shapes[0], 0.01, 31, false);
  stc_problem *problem = global_problem(false), *local = NULL, *back = NULL;
  assert_int_equal(stc_problem_to_local(problem, &local), STC_OK);
  assert_int_equal(stc_problem_law(local, 3)->kind, STC_LAW_CONTENSOU);
  assert_true(stc_problem_law(local, 3)->radius == 0.01);
  stc_solver *solver = solver_for(local, "newton");
  solve_and_compare(solver, 0.01, false);
  assert_int_equal(stc_problem_to_global(local, &back), STC_OK);
  assert_true(stc_problem_global_data(back).law[4].radius == 0.01);
  stc_stats stats;
  assert_int_equal(stc_problem_stats(back, 100, &stats), STC_OK);
  assert_true(stats.mu_min == 0.3 && stats.mu_max == 0.3 && stats.rank == data.size);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
  stc_problem_free(&local);
  stc_problem_free(&back);
}

static void what_cannot_be_done_is_refused(void **state) {
  const char *const others[] = {"ipm", "path", "fixed-point"};
  contrive(shapes[0], 0.01, 41, false);
  stc_problem *problem = local_problem();
  stc_settings settings = stc_default_settings();
  for (int k = 0; k < 3; k++) {
    stc_solver *solver = NULL;
    settings.method = others[k];
    expect_failure(stc_solver_setup(&solver, problem, &settings), STC_ERR_UNSUPPORTED,
                   "with others use auto, nsgs, newton, admm, apgd or schwarz");
    assert_null(solver);
  }
  expect_failure(stc_problem_write(problem, NULL, "never-written.hdf5"), STC_ERR_UNSUPPORTED,
                 "contact 0 obeys the contensou law");
  stc_problem_free(&problem);
}

static void refuse_local(stc_local_data d, stc_error code, const char *words) {
  stc_problem *problem = NULL;
  expect_failure(stc_problem_create_local(&d, &problem), code, words);
  assert_null(problem);
}

static void laws_that_do_not_fit_are_refused(void **state) {
  contrive(shapes[0], 0.01, 51, false);
  stc_problem *problem = local_problem();
  stc_local_data d = stc_problem_local_data(problem);
  stc_law law[CONTACTS];
  memcpy(law, data.law, sizeof law);
  d.law = law;
  law[2] = stc_law_coulomb(3, 0.5);
  refuse_local(d, STC_ERR_DIMENSION, "law[2] (coulomb) has dimension 3, the problem 4");
  law[2] = stc_law_contensou(0.5, -1);
  refuse_local(d, STC_ERR_VALUE, "law[2]: contensou law: radius = -1 m");
  d.law = NULL;
  refuse_local(d, STC_ERR_DIMENSION, "dim = 4; coulomb and elliptic laws have 2 or 3");
  d.dim = 6;
  refuse_local(d, STC_ERR_DIMENSION, "dim = 6");
  stc_problem_free(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(methods_find_the_answer_in_the_local_form),
      cmocka_unit_test(methods_find_the_answer_in_the_global_form),
      cmocka_unit_test(independent_contacts_are_solved_together),
      cmocka_unit_test(the_judge_does_not_feel_the_unit_of_length),
      cmocka_unit_test(the_judge_accepts_the_answer),
      cmocka_unit_test(conversions_keep_the_laws),
      cmocka_unit_test(what_cannot_be_done_is_refused),
      cmocka_unit_test(laws_that_do_not_fit_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
