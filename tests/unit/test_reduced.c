// The reduced problem: scaling, bodies, W from bodies, joints eliminated, new numbers.
#include "dense_data.h"

#include "base/random.h"
#include "problem/reduced.h"

static stc_reduced *reduce(const stc_problem *problem) {
  stc_reduced *reduced = NULL;
  assert_int_equal(stc_reduced_create(problem, &reduced), STC_OK);
  return reduced;
}

static double *numbers(int count) {
  double *x = calloc((size_t)count + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static void fill_random(stc_random *random, double *x, int count) {
  for (int i = 0; i < count; i++) x[i] = stc_random_normal(random);
}

/// Entry (i, j) of the physical W; 0 where there is no block.
static double entry(const stc_reduced *p, int i, int j) {
  int dim = p->dim, row = i / dim, col = j / dim;
  for (int k = p->W.ptr[row]; k < p->W.ptr[row + 1]; k++)
    if (p->W.col[k] == col)
      return p->scale_u / p->scale_r * p->W.val[k * dim * dim + j % dim * dim + i % dim];
  return 0;
}

// --- Painlevé's problem: every array by hand ---

static stc_problem *painleve(void) {
  const double M[] = {1}, H[] = {1, 2}, f[] = {-1}, w[] = {0, 1}, mu[] = {1};
  return make_global(&(dense_global){
      .dim = 2, .contacts = 1, .dofs = 1, .M = M, .H = H, .f = f, .w = w, .mu = mu});
}

// M = 1, H = (1, 2), f = -1, w = (0, 1): v_f = 1, q = (1, 3), W = (1 2; 2 4), kappa = 2.5. The
// units are 2 for u (3 in [2, 4)) and 2 for kappa (2.5 in [2, 4)), hence 1 for r.
static void one_body(void **state) {
  stc_problem *problem = painleve();
  stc_reduced *p = reduce(problem);
  assert_int_equal(p->bodies.count, 1);
  assert_false(p->has_W);
  assert_true(p->scale_u == 2 && p->scale_r == 1);
  assert_true(p->q[0] == 0.5 && p->q[1] == 1.5);
  assert_true(p->kappa[0] == 1.25);
  assert_true(p->diagonal[0] == 0.5 && p->diagonal[1] == 1);
  assert_true(p->diagonal[2] == 1 && p->diagonal[3] == 2);
  assert_true(p->bodies.M[0] == 2 && p->bodies.inverse[0] == 0.5 && p->bodies.free[0] == 0.5);
  assert_true(p->bodies.H[1] == 2 && p->bodies.Y[1] == 1);
  assert_false(p->immovable[0]);
  stc_reduced_free(&p);
  stc_reduced_free(&p);  // twice is safe
  assert_null(p);
  stc_problem_free(&problem);
}

// r = (1, -1): u = W r + q = (-1, -2) + (1, 3) = (0, 1), v = 0; through bodies and through W.
static void velocity(void **state) {
  stc_problem *problem = painleve();
  stc_reduced *p = reduce(problem);
  double r[] = {1, -1}, scaled[] = {1 / p->scale_r, -1 / p->scale_r}, u[2], v[1];
  double *work = numbers(p->scratch);
  for (int k = 0; k < 2; k++) {
    stc_reduced_velocity(p, scaled, work, u);
    assert_true(u[0] * p->scale_u == 0 && u[1] * p->scale_u == 1);
    stc_reduced_multiply(p, scaled, work, u);
    assert_true(u[0] * p->scale_u == -1 && u[1] * p->scale_u == -2);
    assert_int_equal(stc_reduced_assemble(p), STC_OK);
  }
  assert_int_equal(stc_reduced_recover(p, r, v, NULL), STC_OK);
  assert_true(v[0] == 0);
  stc_residual residual;
  stc_reduced_residual(p, scaled, work, u, &residual);
  assert_true(residual.eta == 0 && residual.slip == 1);
  free(work);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// --- Several bodies ---

enum { BODIES = 5, DOFS = 6 * BODIES, CONTACTS = 9, SIZE = 3 * CONTACTS };

/// Random bodies of six degrees of freedom in a shuffled order, contacts between neighbours and,
/// every third, against the ground.
typedef struct heap {
  double M[DOFS * DOFS], H[SIZE * DOFS], f[DOFS], w[SIZE], mu[CONTACTS];
} heap;

static int heap_dof(int body, int k) { return (7 * (6 * body + k) + 3) % DOFS; }

static void fill_mass(stc_random *random, heap *h, int body) {
  double A[36];
  fill_random(random, A, 36);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double sum = i == j ? 1 : 0;
      for (int k = 0; k < 6; k++)
        sum += (i < j ? A[i * 6 + k] * A[j * 6 + k] : A[j * 6 + k] * A[i * 6 + k]);
      h->M[heap_dof(body, i) * DOFS + heap_dof(body, j)] = sum;
    }
}

static void fill_contact(stc_random *random, heap *h, int c) {
  for (int side = 0; side < (c % 3 ? 2 : 1); side++)
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 6; i++)
        h->H[(3 * c + k) * DOFS + heap_dof((c + side) % BODIES, i)] = stc_random_normal(random);
}

static stc_problem *create_heap(heap *h) {
  stc_random random = stc_random_seed(5);
  *h = (heap){0};
  for (int b = 0; b < BODIES; b++) fill_mass(&random, h, b);
  for (int c = 0; c < CONTACTS; c++) fill_contact(&random, h, c), h->mu[c] = 0.5;
  fill_random(&random, h->f, DOFS);
  fill_random(&random, h->w, SIZE);
  return make_global(&(dense_global){.dim = 3,
                                     .contacts = CONTACTS,
                                     .dofs = DOFS,
                                     .M = h->M,
                                     .H = h->H,
                                     .f = h->f,
                                     .w = h->w,
                                     .mu = h->mu});
}

static void expect_symmetric(const stc_reduced *p) {
  for (int i = 0; i < p->size; i++)
    for (int j = 0; j < i; j++) assert_true(entry(p, i, j) == entry(p, j, i));
}

/// |M v + f - H^T r| and |H v + w - u| are rounding for the v recovered from r and the u of W.
static void expect_balance(const stc_reduced *p, const heap *h, const double *r, const double *u,
                           const double *v) {
  for (int i = 0; i < DOFS; i++) {
    double sum = h->f[i];
    for (int j = 0; j < DOFS; j++) sum += h->M[i * DOFS + j] * v[j];
    for (int j = 0; j < SIZE; j++) sum -= h->H[j * DOFS + i] * r[j];
    expect_near(sum, 0, 1e-12);
  }
  for (int i = 0; i < SIZE; i++) {
    double sum = h->w[i];
    for (int j = 0; j < DOFS; j++) sum += h->H[i * DOFS + j] * v[j];
    expect_near(u[i] * p->scale_u, sum, 1e-12);
  }
}

// The equations themselves are the answer: whatever v and u come out must satisfy them.
static void many_bodies(void **state) {
  static heap h;
  stc_problem *problem = create_heap(&h);
  stc_reduced *p = reduce(problem);
  assert_int_equal(p->bodies.count, BODIES);
  assert_int_equal(p->bodies.dofs, DOFS);
  double r[SIZE], scaled[SIZE], u[SIZE], v[DOFS], *work = numbers(p->scratch);
  stc_random random = stc_random_seed(8);
  fill_random(&random, r, SIZE);
  for (int i = 0; i < SIZE; i++) scaled[i] = r[i] / p->scale_r;
  size_t blocks = stc_reduced_blocks(p);
  stc_reduced_velocity(p, scaled, work, u);
  assert_int_equal(stc_reduced_recover(p, r, v, NULL), STC_OK);
  expect_balance(p, &h, r, u, v);
  assert_int_equal(stc_reduced_assemble(p), STC_OK);
  assert_int_equal(stc_reduced_blocks(p), blocks);
  expect_symmetric(p);
  stc_bsr_multiply(&p->W, scaled, 0, u);
  for (int i = 0; i < SIZE; i++) u[i] += p->q[i];
  expect_balance(p, &h, r, u, v);
  free(work);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

/// Contacts i and j touch a common body; those of the heap are c % BODIES and, for two sides, the
/// next one.
static bool share_body(int i, int j) {
  for (int a = 0; a < (i % 3 ? 2 : 1); a++)
    for (int b = 0; b < (j % 3 ? 2 : 1); b++)
      if ((i + a) % BODIES == (j + b) % BODIES) return true;
  return false;
}

static void pattern(void **state) {
  static heap h;
  stc_problem *problem = create_heap(&h);
  stc_reduced *p = reduce(problem);
  assert_int_equal(stc_reduced_assemble(p), STC_OK);
  for (int i = 0; i < CONTACTS; i++) {
    int k = p->W.ptr[i];
    for (int j = 0; j < CONTACTS; j++)
      if (share_body(i, j)) assert_int_equal(p->W.col[k++], j);
    assert_int_equal(k, p->W.ptr[i + 1]);
    assert_int_equal(p->W.col[p->W.diag[i]], i);
    for (int k2 = 0; k2 < 9; k2++)
      assert_true(p->diagonal[9 * i + k2] == p->W.val[9 * p->W.diag[i] + k2]);
  }
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// Two spheres with a diagonal M that touch each other, and a third that touches nothing: 18 blocks
// of one degree of freedom make three bodies of six.
static void spheres_are_bodies(void **state) {
  double M[18 * 18] = {0}, H[3 * 18] = {0}, f[18] = {0};
  for (int i = 0; i < 18; i++) M[i * 19] = 1 + i;
  for (int i = 0; i < 3 * 12; i++) H[i / 12 * 18 + i % 12] = 1 + i;
  const double w[] = {-1, 0, 0}, mu[] = {0.3};
  stc_problem *problem = make_global(&(dense_global){
      .dim = 3, .contacts = 1, .dofs = 18, .M = M, .H = H, .f = f, .w = w, .mu = mu});
  stc_reduced *p = reduce(problem);
  assert_int_equal(p->bodies.count, 3);
  assert_int_equal(p->bodies.touch_ptr[1], 2);
  assert_int_equal(p->bodies.on_ptr[3] - p->bodies.on_ptr[2], 0);
  double expected = 0;
  for (int i = 0; i < 12; i++) expected += H[i] * H[i] / M[i * 19];
  expect_near(p->diagonal[0] * p->scale_u / p->scale_r, expected, 1e-12);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// A gyroscopic M = (2 0.05; -0.05 2) has the inverse (2 -0.05; 0.05 2) / 4.0025; with the normals
// of two contacts along its axes that is W. u = W r + q with r = (1, 1), f = w = 0 is (1.95, 2.05)
// / 4.0025.
static void gyroscopic(void **state) {
  double H[8] = {1, 0, 0, 0, 0, 1, 0, 0}, zero[4] = {0}, mu[2] = {0.5, 0.5};
  const double M[] = {2, 0.05, -0.05, 2};
  stc_problem *problem = make_global(&(dense_global){
      .dim = 2, .contacts = 2, .dofs = 2, .M = M, .H = H, .f = zero, .w = zero, .mu = mu});
  stc_reduced *p = reduce(problem);
  double r[] = {1 / p->scale_r, 0, 1 / p->scale_r, 0}, u[4], *work = numbers(p->scratch);
  stc_reduced_velocity(p, r, work, u);
  expect_near(u[0] * p->scale_u, 1.95 / 4.0025, 1e-15);
  expect_near(u[2] * p->scale_u, 2.05 / 4.0025, 1e-15);
  assert_int_equal(stc_reduced_assemble(p), STC_OK);
  expect_near(entry(p, 0, 0), 2 / 4.0025, 1e-15);
  expect_near(entry(p, 0, 2), -0.05 / 4.0025, 1e-15);
  expect_near(entry(p, 2, 0), 0.05 / 4.0025, 1e-15);
  free(work);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

static void not_positive(void **state) {
  const double M[] = {1, 0, 0, 0, 1, 2, 0, 2, 1}, H[] = {1, 0, 0, 0, 1, 0}, f[] = {0, 0, 0},
               w[] = {0, 0}, mu[] = {0};
  stc_problem *problem = make_global(&(dense_global){
      .dim = 2, .contacts = 1, .dofs = 3, .M = M, .H = H, .f = f, .w = w, .mu = mu});
  stc_reduced *p = NULL;
  expect_failure(stc_reduced_create(problem, &p), STC_ERR_NUMERIC, "row 2");
  assert_null(p);
  stc_problem_free(&problem);
}

// --- A deformable body ---

enum { CHAIN = 70 };

/// M = tridiag(-1, 3, -1) of more degrees of freedom than a body may have; contacts at the ends.
static stc_problem *chain(double *f, double *w) {
  static double M[CHAIN * CHAIN], H[4 * CHAIN];
  for (int i = 0; i < CHAIN; i++) {
    M[i * CHAIN + i] = 3;
    if (i > 0) M[i * CHAIN + i - 1] = M[(i - 1) * CHAIN + i] = -1;
    f[i] = sin(i);
  }
  H[0] = H[CHAIN + 1] = H[3 * CHAIN - 1] = H[4 * CHAIN - 2] = 1;
  for (int i = 0; i < 4; i++) w[i] = 0.1 * i;
  const double mu[] = {0.5, 0.5};
  return make_global(&(dense_global){
      .dim = 2, .contacts = 2, .dofs = CHAIN, .M = M, .H = H, .f = f, .w = w, .mu = mu});
}

/// M v + f = H^T r row by row, and u = H v + w.
static void expect_chain(const stc_reduced *p, const double *f, const double *w, const double *r) {
  double v[CHAIN], u[4], scaled[4], *work = numbers(p->scratch);
  assert_int_equal(stc_reduced_recover(p, r, v, NULL), STC_OK);
  for (int i = 0; i < 4; i++) scaled[i] = r[i] / p->scale_r;
  stc_reduced_velocity(p, scaled, work, u);
  const int at[] = {0, 1, CHAIN - 1, CHAIN - 2};
  for (int i = 0; i < 4; i++) expect_near(u[i] * p->scale_u, v[at[i]] + w[i], 1e-13);
  for (int i = 0; i < CHAIN; i++) {
    double sum = 3 * v[i] + f[i];
    if (i > 0) sum -= v[i - 1];
    if (i + 1 < CHAIN) sum -= v[i + 1];
    for (int k = 0; k < 4; k++)
      if (at[k] == i) sum -= r[k];
    expect_near(sum, 0, 1e-14);
  }
  free(work);
}

static void deformable(void **state) {
  double f[CHAIN], w[4], r[] = {1, -2, 3, -4};
  stc_problem *problem = chain(f, w);
  stc_reduced *p = reduce(problem);
  assert_int_equal(p->bodies.count, 0);
  assert_true(p->has_W);
  expect_symmetric(p);
  expect_chain(p, f, w, r);
  for (int i = 0; i < CHAIN; i++) f[i] = cos(i);
  assert_int_equal(stc_reduced_update(p, &(stc_update){.f = f}), STC_OK);
  expect_chain(p, f, w, r);
  w[2] = 100;
  assert_int_equal(stc_reduced_update(p, &(stc_update){.w = w}), STC_OK);
  expect_chain(p, f, w, r);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// --- Scaling ---

/// One contact with W = kappa I and q = speed (-1, 0.5).
static stc_problem *single(double kappa, double speed) {
  return make_local(&(dense_local){.dim = 2,
                                   .contacts = 1,
                                   .W = (double[]){kappa, 0, 0, kappa},
                                   .q = (double[]){-speed, 0.5 * speed},
                                   .mu = (double[]){0.5}});
}

// Whatever the size of the data, the scaled ones have their largest number in [1, 2), and the
// units are powers of two: multiplying back gives the data bit for bit.
static void scaling(void **state) {
  const double kappas[] = {1, 1.999, 3e-7, 5e20, 1e-300}, speeds[] = {1, 0.7, 4e9, 2e-30, 1e300};
  for (int k = 0; k < 5; k++) {
    stc_problem *problem = single(kappas[k], speeds[k]);
    stc_reduced *p = reduce(problem);
    double unit = p->scale_u / p->scale_r;
    int exponent;
    assert_true(frexp(p->scale_u, &exponent) == 0.5 && frexp(p->scale_r, &exponent) == 0.5);
    if (k < 4) {
      assert_true(fabs(p->q[0]) >= 1 && fabs(p->q[0]) < 2);
      assert_true(p->kappa[0] >= 1 && p->kappa[0] < 2);
    }
    assert_true(p->q[0] * p->scale_u == -speeds[k]);
    assert_true(p->kappa[0] * unit == kappas[k] && p->W.val[0] * unit == kappas[k]);
    stc_reduced_free(&p);
    stc_problem_free(&problem);
  }
}

// Contact 1 is between immovable bodies, its rows of W vanish: kappa_1 is the largest of the
// others; if all vanish, 1. Contact 2 only has W_ii = 0 in a W that is not positive.
static void immovable(void **state) {
  double W[36] = {0}, q[6] = {-1, 0, 1, 0, 1, 0}, mu[3] = {0.5, 0.5, 0.5};
  W[0] = 3, W[7] = 1, W[5] = 0.25, W[30] = 0.25;
  stc_problem *problem =
      make_local(&(dense_local){.dim = 2, .contacts = 3, .W = W, .q = q, .mu = mu});
  stc_reduced *p = reduce(problem);
  double unit = p->scale_u / p->scale_r;
  for (int c = 0; c < 3; c++) assert_true(p->kappa[c] * unit == 2);
  assert_false(p->immovable[0] || p->immovable[2]);
  assert_true(p->immovable[1]);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
  double zero[36] = {0};
  problem = make_local(&(dense_local){.dim = 2, .contacts = 3, .W = zero, .q = q, .mu = mu});
  p = reduce(problem);
  assert_true(p->kappa[0] == 1 && p->kappa[2] == 1 && p->immovable[0]);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// --- Joints ---

/// A mass of 2 kg on a rod along (0.6, 0.8); contact axes x and y; the free direction is t = (-0.8,
/// 0.6). The second joint equation, if asked for, is twice the first.
static stc_error create_pendulum(int equalities, const double *b, stc_problem **problem) {
  return create_dense_global(&(dense_global){.dim = 2,
                                             .contacts = 1,
                                             .dofs = 2,
                                             .equalities = equalities,
                                             .M = (double[]){2, 0, 0, 2},
                                             .H = (double[]){1, 0, 0, 1},
                                             .G = (double[]){0.6, 0.8, 1.2, 1.6},
                                             .f = (double[]){0, 2},
                                             .w = (double[]){0, 0},
                                             .b = b,
                                             .mu = (double[]){0.5}},
                             problem);
}

// W_eff = t t^T / 2 = (0.32 -0.24; -0.24 0.18), q = t (t . v_f) with v_f = (0, -1): (0.48, -0.36);
// with one joint equation or two. The pivot moving at b = -0.5: v gains (0.6, 0.8)/2.
static void pendulum(void **state) {
  for (int equalities = 1; equalities <= 2; equalities++)
    for (int moving = 0; moving < 2; moving++) {
      double b[] = {-0.5 * moving, -1.0 * moving};
      stc_problem *problem = NULL;
      assert_int_equal(create_pendulum(equalities, b, &problem), STC_OK);
      stc_reduced *p = reduce(problem);
      assert_int_equal(p->bodies.count, 0);
      expect_near(entry(p, 0, 0), 0.32, 1e-15);
      expect_near(entry(p, 0, 1), -0.24, 1e-15);
      expect_near(entry(p, 1, 1), 0.18, 1e-15);
      assert_true(entry(p, 0, 1) == entry(p, 1, 0));
      expect_near(p->q[0] * p->scale_u, 0.48 + 0.3 * moving, 1e-15);
      expect_near(p->q[1] * p->scale_u, -0.36 + 0.4 * moving, 1e-15);
      expect_near(p->kappa[0] * p->scale_u / p->scale_r, 0.25, 1e-15);
      stc_reduced_free(&p);
      stc_problem_free(&problem);
    }
}

// The second equation asks for twice the speed of the first plus one: impossible.
static void contradicting_joints(void **state) {
  stc_problem *problem = NULL;
  stc_reduced *p = NULL;
  assert_int_equal(create_pendulum(2, (double[]){0, 1}, &problem), STC_OK);
  expect_failure(stc_reduced_create(problem, &p), STC_ERR_VALUE, "joint equation");
  assert_null(p);
  stc_problem_free(&problem);
}

// Local form: R = 0 cannot answer a contact that pushes on the joint (V = 1), nor an s = 1.
static void joints_without_answer(void **state) {
  for (int k = 0; k < 2; k++) {
    const double W[] = {1, 0, 0, 1}, V[] = {0.5, k == 0 ? 0.5 : 0, 0, 0}, R[] = {1, 0, 0, 0},
                 q[] = {-1, 0}, s[] = {0, k == 0 ? 0 : 1}, mu[] = {0.5};
    dense_local d = {.dim = 2, .contacts = 1, .equalities = 2, .W = W, .V = V, .R = R};
    d.q = q, d.s = s, d.mu = mu;
    stc_problem *problem = make_local(&d);
    stc_reduced *p = NULL;
    expect_failure(stc_reduced_create(problem, &p), STC_ERR_VALUE,
                   k == 0 ? "contact 0 pushes on joint equation 1" : "joint equation 1");
    assert_null(p);
    stc_problem_free(&problem);
  }
}

// Two masses of 1 kg; joints hold the first in both directions (one of them given in millimetres:
// a row of size 1000). Contact 0 is on the first mass: immovable, and kappa_0 = kappa_1 = 1. What
// is left of its W by rounding is cut to 0 exactly.
static void held_by_joints(void **state) {
  double M[16] = {0}, H[16] = {0}, G[8] = {0.6, 0.8, 0, 0, -800, 600, 0, 0}, zero[4] = {0};
  for (int i = 0; i < 4; i++) M[5 * i] = H[5 * i] = 1;
  const double f[] = {1, 2, 3, 4}, mu[] = {0.5, 0.5};
  dense_global d = {.dim = 2, .contacts = 2, .dofs = 4, .M = M, .H = H, .f = f, .mu = mu};
  d.equalities = 2, d.G = G, d.w = d.b = zero;
  stc_problem *problem = make_global(&d);
  stc_reduced *p = reduce(problem);
  assert_true(p->immovable[0]);
  assert_false(p->immovable[1]);
  assert_true(p->kappa[0] == p->kappa[1]);
  expect_near(p->kappa[1] * p->scale_u / p->scale_r, 1, 1e-15);
  expect_near(p->q[0] * p->scale_u, 0, 1e-14);
  expect_near(p->q[3] * p->scale_u, -4, 1e-14);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// Two contacts on two masses joined by a bar, and a third on its own: the bar couples the first two
// only. One dimension suffices: masses 1 and 1 that move together along x, W_eff = 1/2 (1 1; 1 1).
static void joints_couple_contacts(void **state) {
  double W[36] = {0};
  for (int i = 0; i < 6; i++) W[7 * i] = 1;
  double V[6] = {1, 0, -1, 0, 0, 0}, q[6] = {-1, 0, -1, 0, -1, 0}, mu[3] = {0.5, 0.5, 0.5};
  const double R[] = {2}, s[] = {0};
  stc_problem *problem = make_local(&(dense_local){
      .dim = 2, .contacts = 3, .equalities = 1, .W = W, .V = V, .R = R, .q = q, .s = s, .mu = mu});
  stc_reduced *p = reduce(problem);
  expect_near(entry(p, 0, 0), 0.5, 1e-15);
  expect_near(entry(p, 0, 2), 0.5, 1e-15);
  expect_near(entry(p, 2, 0), 0.5, 1e-15);
  expect_near(entry(p, 2, 2), 0.5, 1e-15);
  expect_near(entry(p, 1, 1), 1, 1e-15);
  expect_near(entry(p, 4, 4), 1, 1e-15);
  assert_int_equal(stc_reduced_blocks(p), 5);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// --- New numbers ---

static void expect_same(const stc_reduced *a, const stc_reduced *b) {
  assert_true(a->scale_u == b->scale_u && a->scale_r == b->scale_r);
  for (int i = 0; i < a->size; i++) assert_true(a->q[i] == b->q[i]);
  for (int c = 0; c < a->contacts; c++) assert_true(a->kappa[c] == b->kappa[c]);
  for (int i = 0; i < a->bodies.dofs; i++) assert_true(a->bodies.free[i] == b->bodies.free[i]);
}

// An update must leave what a fresh set-up with the same numbers makes, bit for bit.
static void update_bodies(void **state) {
  static heap h;
  stc_problem *problem = create_heap(&h);
  stc_reduced *p = reduce(problem), *fresh = reduce(problem);
  double f[DOFS], w[SIZE];
  for (int i = 0; i < DOFS; i++) f[i] = 1e5 * h.f[i];
  for (int i = 0; i < SIZE; i++) w[i] = -h.w[i];
  assert_int_equal(stc_reduced_update(p, &(stc_update){.f = f}), STC_OK);
  assert_true(p->scale_u > fresh->scale_u);
  assert_true(p->scale_u / p->scale_r == fresh->scale_u / fresh->scale_r);
  assert_int_equal(stc_reduced_update(p, &(stc_update){.w = w}), STC_OK);
  stc_problem *other = make_global(&(dense_global){.dim = 3,
                                                   .contacts = CONTACTS,
                                                   .dofs = DOFS,
                                                   .M = h.M,
                                                   .H = h.H,
                                                   .f = f,
                                                   .w = w,
                                                   .mu = h.mu});
  stc_reduced_free(&fresh);
  fresh = reduce(other);
  expect_same(p, fresh);
  stc_reduced_free(&fresh);
  stc_reduced_free(&p);
  stc_problem_free(&other);
  stc_problem_free(&problem);
}

// The pendulum with f = 0 instead of (0, 2) rests: q = 0, v = 0, l = 0 for r = 0.
static void update_joints(void **state) {
  stc_problem *problem = NULL;
  assert_int_equal(create_pendulum(2, (double[]){0, 0}, &problem), STC_OK);
  stc_reduced *p = reduce(problem);
  double zero[] = {0, 0}, v[] = {1, 1}, l[] = {1, 1};
  assert_int_equal(stc_reduced_update(p, &(stc_update){.f = zero}), STC_OK);
  assert_true(p->q[0] == 0 && p->q[1] == 0 && p->scale_u == 1);
  assert_int_equal(stc_reduced_recover(p, zero, v, l), STC_OK);
  assert_true(v[0] == 0 && v[1] == 0 && l[0] == 0 && l[1] == 0);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// mu = (0.5, 0.25) updated to 0.8 becomes (0.8, 0.4); back through 0 the ratio is not lost.
static void update_laws(void **state) {
  double W[36] = {0}, q[6] = {-1, 0, 0, -1, 0, 0};
  for (int i = 0; i < 6; i++) W[7 * i] = 1;
  const double mu[] = {0.5, 0.3}, mu2[] = {0.25, 0.3};
  stc_problem *problem =
      make_local(&(dense_local){.dim = 3, .contacts = 2, .W = W, .q = q, .mu = mu, .mu2 = mu2});
  stc_reduced *p = reduce(problem);
  assert_int_equal(stc_reduced_update(p, &(stc_update){.mu = (double[]){0, 0}}), STC_OK);
  assert_true(p->law[0].mu[0] == 0 && p->law[0].mu[1] == 0 && p->law[1].mu[0] == 0);
  assert_int_equal(stc_reduced_update(p, &(stc_update){.mu = (double[]){0.8, 0.6}}), STC_OK);
  assert_int_equal(p->law[0].kind, STC_LAW_ELLIPTIC);
  assert_true(p->law[0].mu[0] == 0.8 && p->law[0].mu[1] == 0.4);
  assert_true(p->law[1].mu[0] == 0.6 && p->law[1].mu[1] == 0.6);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// What an update refuses changes nothing.
static void bad_updates(void **state) {
  stc_problem *problem = single(1, 1);
  stc_reduced *p = reduce(problem), *fresh = reduce(problem);
  double bad[] = {1, NAN}, good[] = {1, 1}, negative[] = {-0.1};
  expect_failure(stc_reduced_update(p, &(stc_update){.q = bad}), STC_ERR_VALUE, "q[1]");
  expect_failure(stc_reduced_update(p, &(stc_update){.q = good, .mu = negative}), STC_ERR_VALUE,
                 "mu[0]");
  expect_failure(stc_reduced_update(p, &(stc_update){.f = good}), STC_ERR_ARGUMENT,
                 "this problem takes q");
  expect_same(p, fresh);
  stc_reduced_free(&p);
  stc_reduced_free(&fresh);
  stc_problem_free(&problem);
  problem = painleve();
  p = reduce(problem);
  expect_failure(stc_reduced_update(p, &(stc_update){.q = good}), STC_ERR_ARGUMENT,
                 "this problem takes f and w");
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// The terms are eta taken apart: sum term^2 = contacts eta^2, the largest is eta_max.
static void terms(void **state) {
  static heap h;
  stc_problem *problem = create_heap(&h);
  stc_reduced *p = reduce(problem);
  double r[SIZE], u[SIZE], term[CONTACTS], sum = 0, most = 0, *work = numbers(p->scratch);
  stc_random random = stc_random_seed(3);
  fill_random(&random, r, SIZE);
  stc_residual residual;
  stc_reduced_residual(p, r, work, u, &residual);
  stc_reduced_terms(p, r, u, term);
  for (int c = 0; c < CONTACTS; c++) sum += term[c] * term[c], most = fmax(most, term[c]);
  expect_near(sqrt(sum / CONTACTS), residual.eta, 1e-14);
  expect_near(most, residual.eta_max, 1e-14);
  expect_near(term[residual.worst_contact], most, 0);
  u[4] = NAN;  // one number that is none spoils the denominator of all
  stc_reduced_terms(p, r, u, term);
  for (int c = 0; c < CONTACTS; c++) assert_true(term[c] == INFINITY);
  free(work);
  stc_reduced_free(&p);
  stc_problem_free(&problem);
}

// An elastic chain of nine degrees of freedom, M = (-1, 2, -1), M^-1_ij = (i + 1)(9 - j) / 10 for
// i <= j. One contact in 2D on its ends is two rows: W is the smaller matrix. Five contacts are ten
// rows, more than there are degrees of freedom: then the chain is a body. W is the same.
static void an_elastic_body_is_one_if_contacts_outnumber_it(void **state) {
  enum { NODES = 9, MOST = 5 };
  double M[NODES * NODES] = {0}, H[2 * MOST * NODES] = {0}, zeros[2 * MOST] = {0};
  const double mu[MOST] = {0.5, 0.5, 0.5, 0.5, 0.5};
  for (int i = 0; i < NODES; i++) {
    M[i * NODES + i] = 2;
    if (i > 0) M[i * NODES + i - 1] = M[(i - 1) * NODES + i] = -1;
  }
  for (int c = 0; c < MOST; c++) H[2 * c * NODES] = H[(2 * c + 1) * NODES + NODES - 1] = 1;
  for (int contacts = 1; contacts <= MOST; contacts += MOST - 1) {
    dense_global d = {.dim = 2, .contacts = contacts, .dofs = NODES, .M = M, .H = H, .mu = mu};
    d.f = d.w = zeros;
    stc_problem *problem = make_global(&d);
    stc_reduced *p = reduce(problem);
    assert_int_equal(p->bodies.count, contacts == 1 ? 0 : 1);
    assert_int_equal(p->has_W, contacts == 1);
    assert_int_equal(stc_reduced_assemble(p), STC_OK);
    for (int c = 0; c < contacts; c++) {
      expect_near(entry(p, 2 * c, 0), 0.9, 1e-15);
      expect_near(entry(p, 2 * c, 1), 0.1, 1e-15);
      expect_near(entry(p, 2 * c + 1, 1), 0.9, 1e-15);
    }
    stc_reduced_free(&p);
    stc_problem_free(&problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_body),
      cmocka_unit_test(velocity),
      cmocka_unit_test(many_bodies),
      cmocka_unit_test(pattern),
      cmocka_unit_test(spheres_are_bodies),
      cmocka_unit_test(gyroscopic),
      cmocka_unit_test(not_positive),
      cmocka_unit_test(deformable),
      cmocka_unit_test(scaling),
      cmocka_unit_test(immovable),
      cmocka_unit_test(pendulum),
      cmocka_unit_test(contradicting_joints),
      cmocka_unit_test(joints_without_answer),
      cmocka_unit_test(held_by_joints),
      cmocka_unit_test(joints_couple_contacts),
      cmocka_unit_test(update_bodies),
      cmocka_unit_test(update_joints),
      cmocka_unit_test(update_laws),
      cmocka_unit_test(bad_updates),
      cmocka_unit_test(terms),
      cmocka_unit_test(an_elastic_body_is_one_if_contacts_outnumber_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
