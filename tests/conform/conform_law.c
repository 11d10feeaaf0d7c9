// Every law of the table, in every dimension it accepts, with coefficients from 0 to 1e3: the same
// list of facts.
#include "unit/expect.h"

#include "base/random.h"

#include <stiction/law.h>

enum { TRIALS = 2000, MAX_LAWS = 200 };

static stc_law laws[MAX_LAWS];
static int law_count;

// All combinations of kind, dimension and coefficients that the law itself accepts.
static int collect(void **unused) {
  (void)unused;
  const double mu[][2] = {{0.0, 0.0}, {0.3, 0.3}, {1.0, 1.0},  {10.0, 10.0}, {0.3, 0.8},
                          {0.0, 0.5}, {0.7, 0.0}, {1e-3, 1e3}, {2.0, 1.999}};
  for (int kind = 0; stc_law_name(kind) != NULL; kind++)
    for (int dim = 2; dim <= 3; dim++)
      for (size_t k = 0; k < sizeof mu / sizeof *mu; k++) {
        stc_law law = {.kind = (stc_law_kind)kind, .dim = dim, .mu = {mu[k][0], mu[k][1]}};
        if (dim == 2) law.mu[1] = law.mu[0];
        assert_true(law_count < MAX_LAWS);
        if (stc_law_check(&law) == STC_OK) laws[law_count++] = law;
      }
  return 0;
}

static double dot(int dim, const double *x, const double *y) {
  double sum = 0.0;
  for (int k = 0; k < dim; k++) sum += x[k] * y[k];
  return sum;
}

static double norm(int dim, const double *x) { return sqrt(dot(dim, x, x)); }

// Numbers of very different sizes, some of them zero.
static void draw(stc_random *random, int dim, double *x) {
  for (int k = 0; k < dim; k++) {
    double size = pow(10.0, 3.0 * stc_random_uniform(random) - 1.5);
    x[k] = stc_random_uniform(random) < 0.1 ? 0.0 : size * stc_random_normal(random);
  }
}

static void each(void (*fact)(const stc_law *law, stc_random *random)) {
  for (int k = 0; k < law_count; k++) {
    stc_random random = stc_random_seed((uint64_t)k + 1);
    fact(&laws[k], &random);
  }
}

static void every_kind_is_covered(void **unused) {
  (void)unused;
  for (int kind = 0; stc_law_name(kind) != NULL; kind++) {
    int count = 0;
    for (int k = 0; k < law_count; k++) count += (int)laws[k].kind == kind;
    assert_true(count > 0);
    assert_true(stc_law_summary(kind)[0] != '\0');
  }
}

// K = { |D^-1 r_T| <= r_N }, with r_T = 0 where mu = 0.
static double outside_cone(const stc_law *law, const double *y) {
  double used = 0.0, forbidden = 0.0;
  for (int k = 1; k < law->dim; k++) {
    if (law->mu[k - 1] > 0.0)
      used = hypot(used, y[k] / law->mu[k - 1]);
    else
      forbidden = fmax(forbidden, fabs(y[k]));
  }
  return fmax(forbidden, used - y[0]);
}

static void lands_in_the_cone(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[3], y[3];
    draw(random, law->dim, x);
    stc_law_project(law, x, y);
    assert_true(y[0] >= 0.0);
    assert_true(outside_cone(law, y) <= 1e-15 * 4.0 * y[0]);
  }
}

static void is_idempotent(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[3], y[3], z[3];
    draw(random, law->dim, x);
    stc_law_project(law, x, y);
    stc_law_project(law, y, z);
    for (int k = 0; k < law->dim; k++) expect_near(z[k], y[k], 4e-15 * norm(law->dim, y));
  }
}

static void is_non_expansive(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[2][3], y[2][3], before[3], after[3];
    for (int side = 0; side < 2; side++) {
      draw(random, law->dim, x[side]);
      stc_law_project(law, x[side], y[side]);
    }
    for (int k = 0; k < law->dim; k++) {
      before[k] = x[0][k] - x[1][k];
      after[k] = y[0][k] - y[1][k];
    }
    double rounding = 1e-15 * (norm(law->dim, x[0]) + norm(law->dim, x[1]));
    assert_true(norm(law->dim, after) <= norm(law->dim, before) + 4.0 * rounding);
  }
}

// x = y - z with y = P_K(x), z = P_K*(-x): z is in K* = { u_N >= s(u_T) } and orthogonal to y.
static void obeys_moreau(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[3], y[3], z[3];
    draw(random, law->dim, x);
    stc_law_project(law, x, y);
    for (int k = 0; k < law->dim; k++) z[k] = y[k] - x[k];
    double size = norm(law->dim, x), steep = 1.0;
    for (int k = 1; k < law->dim; k++) steep = fmax(steep, law->mu[k - 1]);
    assert_true(z[0] >= stc_law_shift(law, z) - 1e-15 * 8.0 * steep * size);
    expect_near(dot(law->dim, y, z), 0.0, 1e-15 * 8.0 * size * size);
  }
}

static void works_in_place(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < 100; trial++) {
    double x[3], y[3];
    draw(random, law->dim, x);
    stc_law_project(law, x, y);
    stc_law_project(law, x, x);
    assert_memory_equal(x, y, (size_t)law->dim * sizeof *x);
  }
}

// No finite input gives NaN or infinity.
static void stays_finite(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[3], size = pow(10.0, 600.0 * stc_random_uniform(random) - 300.0);
    draw(random, law->dim, x);
    for (int k = 0; k < law->dim; k++) x[k] *= size;
    stc_law_project(law, x, x);
    for (int k = 0; k < law->dim; k++) assert_true(isfinite(x[k]));
  }
}

// s(u) = max { r_T . u_T : (1, r_T) in K }: an upper bound, attained at -r_T of the slip triple.
static void shift_is_the_support_function(const stc_law *law, stc_random *random) {
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[3], u[3];
    draw(random, law->dim, x);
    draw(random, law->dim, u);
    stc_law_project(law, x, x);
    double shift = stc_law_shift(law, u), along = dot(law->dim - 1, x + 1, u + 1);
    double terms = fabs(x[1] * u[1]) + fabs(x[law->dim - 1] * u[law->dim - 1]);
    assert_true(along <= x[0] * shift + 1e-14 * terms);
  }
}

typedef struct triple {
  double r[3], u[3];
} triple;

// Directions among the tangents with friction; 0.6 and 0.8 where there are two.
static bool slip_direction(const stc_law *law, double *t) {
  bool first = law->mu[0] > 0.0, second = law->dim == 3 && law->mu[1] > 0.0;
  t[0] = first ? (second ? 0.6 : 1.0) : 0.0;
  t[1] = second ? (first ? 0.8 : 1.0) : 0.0;
  return first || second;
}

// r_T = -r_N D t opposes u_T = 5 D^-1 t; `use` < 1 is inside the cone, < 0 pushes along the motion.
static triple slip_triple(const stc_law *law, double use) {
  triple p = {.r = {2.0}};
  double t[2];
  slip_direction(law, t);
  for (int k = 1; k < law->dim; k++) {
    double mu = law->mu[k - 1];
    p.r[k] = -2.0 * use * mu * t[k - 1];
    p.u[k] = mu > 0.0 ? 5.0 * t[k - 1] / mu : 7.0;
  }
  return p;
}

static triple stick_triple(const stc_law *law, double use) {
  triple p = slip_triple(law, use);
  memset(p.u, 0, sizeof p.u);
  return p;
}

static triple lift_triple(double u_N) { return (triple){.u = {u_N, 2.0, -3.0}}; }

static double residual(const stc_law *law, const triple *p) {
  double F[3], worst = 0.0;
  for (double kappa = 0.25; kappa <= 4.0; kappa *= 4.0) {
    stc_law_residual(law, kappa, p->r, p->u, F);
    worst = fmax(worst, norm(law->dim, F));
  }
  return worst;
}

static double alart_curnier(const stc_law *law, const triple *p) {
  double F[3], A[9], B[9], worst = 0.0;
  for (double rho = 0.25; rho <= 4.0; rho *= 4.0) {
    stc_law_jacobian(law, rho, 2.0 * rho, p->r, p->u, F, A, B);
    worst = fmax(worst, norm(law->dim, F));
  }
  return worst;
}

// Rounding is relative to the size of r - u / kappa.
static void expect_obeys(const stc_law *law, triple p, stc_contact_state state) {
  double size = norm(law->dim, p.r) + 4.0 * norm(law->dim, p.u) + 4.0 * stc_law_shift(law, p.u);
  expect_near(residual(law, &p), 0.0, 2e-15 * size);
  expect_near(alart_curnier(law, &p), 0.0, 4e-15 * size);
  assert_int_equal(stc_law_classify(law, 1.0, 1e-12 * size, p.u, p.r), state);
}

static void expect_breaks(const stc_law *law, triple p) {
  assert_true(residual(law, &p) > 1e-4);
  assert_true(alart_curnier(law, &p) > 1e-4);
  assert_int_equal(stc_law_classify(law, 1.0, 1e-6, p.u, p.r), STC_CONTACT_VIOLATED);
}

static void accepts_what_obeys(const stc_law *law, stc_random *random) {
  (void)random;
  double t[2];
  expect_obeys(law, lift_triple(1.0), STC_CONTACT_OPEN);
  expect_obeys(law, lift_triple(0.0), STC_CONTACT_OPEN);
  expect_obeys(law, stick_triple(law, 0.0), STC_CONTACT_STICK);
  expect_obeys(law, stick_triple(law, 0.5), STC_CONTACT_STICK);
  expect_obeys(law, stick_triple(law, 1.0), STC_CONTACT_STICK);
  expect_obeys(law, slip_triple(law, 1.0), STC_CONTACT_SLIP);
  if (slip_direction(law, t))
    assert_true(stc_law_shift(law, slip_triple(law, 1.0).u) > 4.999);  // |D u_T| = 5
}

static void refuses_what_does_not(const stc_law *law, stc_random *random) {
  (void)random;
  double t[2];
  triple pull = {.r = {-1.0}}, sink = lift_triple(-1.0), glue = slip_triple(law, 1.0);
  glue.u[0] = 1.0;
  expect_breaks(law, pull);
  expect_breaks(law, sink);
  expect_breaks(law, glue);
  if (!slip_direction(law, t)) return;
  expect_breaks(law, stick_triple(law, 1.5));
  expect_breaks(law, slip_triple(law, 0.5));
  expect_breaks(law, slip_triple(law, -1.0));
  expect_breaks(law, slip_triple(law, 1.5));
}

// W = G G^T + I / 10 is positive definite, so an answer exists for every q.
static void solves_one_contact(const stc_law *law, stc_random *random) {
  int dim = law->dim, seen[4] = {0};
  for (int trial = 0; trial < TRIALS; trial++) {
    double G[9], W[9], q[3], u[3], r[3] = {0.0}, F[3], kappa = 0.0;
    for (int k = 0; k < dim * dim; k++) G[k] = stc_random_normal(random);
    for (int k = 0; k < dim; k++) q[k] = stc_random_normal(random);
    for (int i = 0; i < dim * dim; i++) {
      W[i] = i % (dim + 1) == 0 ? 0.1 : 0.0;
      for (int k = 0; k < dim; k++) W[i] += G[i % dim + dim * k] * G[i / dim + dim * k];
    }
    stc_contact_state state = stc_law_solve(law, W, q, r);
    for (int i = 0; i < dim; i++) {
      u[i] = q[i];
      for (int j = 0; j < dim; j++) u[i] += W[i + dim * j] * r[j];
      kappa += W[i + dim * i] / dim;
    }
    stc_law_residual(law, kappa, r, u, F);
    double size = norm(dim, q) + norm(dim, u) + stc_law_shift(law, u) + kappa * norm(dim, r);
    assert_true(kappa * norm(dim, F) <= 1e-13 * size);
    seen[state]++;
  }
  assert_int_equal(seen[STC_CONTACT_VIOLATED], 0);
  assert_true(seen[STC_CONTACT_OPEN] > TRIALS / 10);
  assert_true(seen[STC_CONTACT_STICK] + seen[STC_CONTACT_SLIP] > TRIALS / 10);
}

#define FACT(name)                                                                                 \
  static void test_##name(void **unused) {                                                         \
    (void)unused;                                                                                  \
    each(name);                                                                                    \
  }
FACT(lands_in_the_cone)
FACT(is_idempotent)
FACT(is_non_expansive)
FACT(obeys_moreau)
FACT(works_in_place)
FACT(stays_finite)
FACT(shift_is_the_support_function)
FACT(accepts_what_obeys)
FACT(refuses_what_does_not)
FACT(solves_one_contact)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_is_covered),
      cmocka_unit_test(test_lands_in_the_cone),
      cmocka_unit_test(test_is_idempotent),
      cmocka_unit_test(test_is_non_expansive),
      cmocka_unit_test(test_obeys_moreau),
      cmocka_unit_test(test_works_in_place),
      cmocka_unit_test(test_stays_finite),
      cmocka_unit_test(test_shift_is_the_support_function),
      cmocka_unit_test(test_accepts_what_obeys),
      cmocka_unit_test(test_refuses_what_does_not),
      cmocka_unit_test(test_solves_one_contact),
  };
  return cmocka_run_group_tests(tests, collect, NULL);
}
